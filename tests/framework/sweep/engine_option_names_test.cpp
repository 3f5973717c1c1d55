#include "sweep/engine_option_names.hpp"

#include <string>

#include <gtest/gtest.h>

namespace inferbench::sweep {
namespace {

TEST(engine_option_names, options_of_the_engine_are_known) {
  // The first and the last of each list, and some others.
  for (const char* name : {"additional_config", "aggregate_engine_logging", "worker_extension_cls",
                           "allow_deprecated_quantization", "use_tqdm_on_load", "model",
                           "max_num_seqs", "tensor_parallel_size", "compilation_config",
                           "optimization_level", "enable_prefix_caching", "disable_log_stats"})
    EXPECT_TRUE(is_engine_option(name)) << name;
}

TEST(engine_option_names, options_of_a_server_are_not_options_of_the_engine) {
  for (const char* name : {"port", "host", "api_key", "chat_template", "tool_call_parser",
                           "enable_auto_tool_choice", "served_model", "max_num"})
    EXPECT_FALSE(is_engine_option(name)) << name;
}

TEST(engine_option_names, only_a_switch_has_an_opposite) {
  EXPECT_TRUE(is_engine_option("no_enable_prefix_caching"));
  EXPECT_TRUE(is_engine_option("no_trust_remote_code"));
  EXPECT_FALSE(is_engine_option("no_max_num_seqs"));
  EXPECT_FALSE(is_engine_option("no_disable_log_stats"));
  EXPECT_FALSE(is_engine_option("no_no_trust_remote_code"));
  EXPECT_FALSE(is_engine_option("no_"));
}

TEST(engine_option_names, no_text_between_two_names_is_a_name) {
  for (const std::string name : {"", " ", "max_num_seqs ", " max_num_seqs", "max_num_seqs\n",
                                 "max_num_queued_tokens max_num_scheduled_tokens", "no_ "})
    EXPECT_FALSE(is_engine_option(name)) << name;
  EXPECT_FALSE(is_engine_option(std::string("model\0", 6)));
}

}  // namespace
}  // namespace inferbench::sweep
