#include "options/forwarding.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "config/keys.hpp"
#include "framework/config/fake_catalog.hpp"

namespace inferbench::config {
namespace {

TEST(forwarding, leads_to_keys_that_are_there) {
  const std::vector<options::option> keys = host_keys();
  for (const auto& [kind, name] : {std::pair<ifb_kind, const char*>{IFB_TOKENIZER, "model"},
                                   {IFB_BACKEND, "api-key"},
                                   {IFB_DATASET, "trust-remote-code"},
                                   {IFB_REPORTER, "result-dir"},
                                   {IFB_REPORTER, "result-filename"},
                                   {IFB_REPORTER, "save-detailed"},
                                   {IFB_REPORTER, "append-result"},
                                   {IFB_REPORTER, "label"},
                                   {IFB_REPORTER, "metadata"},
                                   {IFB_REPORTER, "itl-thresholds"}}) {
    const std::string_view path = options::forwarded_path(kind, name);
    EXPECT_NE(std::ranges::find(keys, path, &options::option::path), keys.end()) << name;
  }
  EXPECT_EQ(options::forwarded_path(IFB_REPORTER, "indent"), "");
  EXPECT_EQ(options::forwarded_path(IFB_BACKEND, "label"), "");
}

TEST(forwarding, knows_which_keys_reporters_hear) {
  EXPECT_TRUE(options::is_forwarded(IFB_REPORTER, "run.label"));
  EXPECT_TRUE(options::is_forwarded(IFB_REPORTER, "run.timeline-itl-thresholds"));
  EXPECT_FALSE(options::is_forwarded(IFB_REPORTER, "run.seed"));
  EXPECT_FALSE(options::is_forwarded(IFB_BACKEND, "run.label"));
}

TEST(forwarding, options_that_host_keys_set_exist_under_the_same_or_another_path) {
  const std::vector<options::option> keys = host_keys();
  for (const ifb_kind kind : {IFB_BACKEND, IFB_DATASET, IFB_TOKENIZER})
    for (const options::option& key : keys)
      if (options::has_host_flag(kind, key.name) &&
          options::forwarded_path(kind, key.name).empty()) {
        const std::string path = std::string(plugin::name_of(kind)) + "." + key.name;
        EXPECT_NE(std::ranges::find(keys, path, &options::option::path), keys.end()) << path;
      }
  EXPECT_TRUE(options::has_host_flag(IFB_BACKEND, "endpoint"));
  EXPECT_TRUE(options::has_host_flag(IFB_REPORTER, "label"));
  EXPECT_FALSE(options::has_host_flag(IFB_DATASET, "input-len"));
  EXPECT_FALSE(options::has_host_flag(IFB_REPORTER, "indent"));
}

TEST(forwarding, the_flag_of_an_option_is_its_own_or_the_general_one) {
  const std::vector<options::option> keys = host_keys();
  const auto flag = [&](ifb_kind kind, const char* name, const char* own = nullptr) {
    ifb_option declared = fake_catalog::option(name, IFB_STRING, "", nullptr);
    declared.flag = own;
    return std::string(options::flag_for(options::option_of(declared, kind, "x"), kind, keys));
  };
  EXPECT_EQ(flag(IFB_REPORTER, "indent"), "x-indent");
  EXPECT_EQ(flag(IFB_REPORTER, "itl-thresholds"), "timeline-itl-thresholds");
  EXPECT_EQ(flag(IFB_TOKENIZER, "model"), "model");
  EXPECT_EQ(flag(IFB_TOKENIZER, "path"), "tokenizer");
  EXPECT_EQ(flag(IFB_BACKEND, "endpoint"), "endpoint");
  EXPECT_EQ(flag(IFB_DATASET, "input-len"), "x-input-len");
  EXPECT_EQ(flag(IFB_DATASET, "chat-template-kwargs"), "chat-template-kwargs");
  EXPECT_EQ(flag(IFB_BACKEND, "api-key"), "");
  EXPECT_EQ(flag(IFB_DATASET, "split", "hf-split"), "hf-split");
}

}  // namespace
}  // namespace inferbench::config
