#include "tune/tune_request.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error_text.hpp"
#include "support/golden.hpp"

namespace inferbench::tune {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

using tune_variables = std::map<std::string, std::string, std::less<>>;

tune_request parsed(const std::vector<std::string>& args, const tune_variables& env = {}) {
  return parse_tune(args, {env, {}});
}

std::string tune_refusal(const std::vector<std::string>& args, const tune_variables& env = {}) {
  return support::error_text([&] { return parsed(args, env); });
}

TEST(a_tune_request, has_the_defaults_of_the_script) {
  const tune_request request = parsed({});
  EXPECT_EQ(request.base, std::filesystem::current_path().string() + "/");
  EXPECT_EQ(request.model, "meta-llama/Llama-3.1-8B-Instruct");
  EXPECT_EQ(request.tensor_parallel, 1);
  EXPECT_EQ(request.download_dir, "");
  EXPECT_EQ(request.input_len, 4000);
  EXPECT_EQ(request.output_len, 16);
  EXPECT_EQ(request.max_model_len, 4096);
  EXPECT_EQ(request.cache_hit_pct, 0);
  EXPECT_EQ(request.limit_ms, 100000000000.0);
  EXPECT_THAT(request.seqs, ElementsAre(128, 256));
  EXPECT_THAT(request.tokens, ElementsAre(512, 1024, 2048, 4096));
  EXPECT_EQ(request.logging_level, "");
  EXPECT_THAT(request.serve_command, IsEmpty());
  EXPECT_EQ(request.port, 8004);
  EXPECT_EQ(request.seqs_option, "--max-num-seqs");
  EXPECT_EQ(request.tokens_option, "--max-num-batched-tokens");
  EXPECT_EQ(request.memory_option, "--gpu-memory-utilization");
  EXPECT_EQ(request.reset_path, "/reset_prefix_cache");
  EXPECT_EQ(request.search, rate_search::step);
  EXPECT_EQ(request.ready_timeout_s, 600U);
  EXPECT_TRUE(request.profile);
  EXPECT_THAT(request.warnings, IsEmpty());
}

TEST(a_tune_request, is_read_from_the_variables_of_the_script) {
  const tune_request request = parsed({}, {{"BASE", "/base"},
                                           {"MODEL", "org/m"},
                                           {"SYSTEM", "GPU"},
                                           {"TP", "4"},
                                           {"DOWNLOAD_DIR", "/weights"},
                                           {"INPUT_LEN", "1801"},
                                           {"OUTPUT_LEN", "20"},
                                           {"MAX_MODEL_LEN", "2048"},
                                           {"MIN_CACHE_HIT_PCT", "60"},
                                           {"MAX_LATENCY_ALLOWED_MS", "500.5"},
                                           {"NUM_SEQS_LIST", " 8  16 "},
                                           {"NUM_BATCHED_TOKENS_LIST", "512"},
                                           {"VLLM_LOGGING_LEVEL", "DEBUG"}});
  EXPECT_EQ(request.base, "/base");
  EXPECT_EQ(request.model, "org/m");
  EXPECT_EQ(request.tensor_parallel, 4);
  EXPECT_EQ(request.download_dir, "/weights");
  EXPECT_EQ(request.output_len, 20);
  EXPECT_EQ(request.max_model_len, 2048);
  EXPECT_EQ(request.prefix_len(), 1080);  // 1801 * 60 / 100 without a fraction
  EXPECT_EQ(request.own_len(), 721);
  EXPECT_EQ(request.limit_ms, 500.5);
  EXPECT_THAT(request.seqs, ElementsAre(8, 16));
  EXPECT_THAT(request.tokens, ElementsAre(512));
  EXPECT_EQ(request.logging_level, "DEBUG");
}

TEST(a_tune_request, takes_a_flag_before_its_variable) {
  const tune_request request =
      parsed({"--model", "a", "--num-seqs-list=4,2"}, {{"MODEL", "b"}, {"NUM_SEQS_LIST", "x"}});
  EXPECT_EQ(request.model, "a");
  EXPECT_THAT(request.seqs, ElementsAre(4, 2));
}

TEST(a_tune_request, takes_an_empty_variable_for_none) {
  EXPECT_THAT(parsed({}, {{"NUM_SEQS_LIST", ""}}).seqs, ElementsAre(128, 256));
}

TEST(a_tune_request, expands_the_home_of_the_base) {
  EXPECT_EQ(parsed({"--base", "~/x"}, {{"HOME", "/home/u"}}).base, "/home/u/x");
}

TEST(a_tune_request, with_lengths_beyond_the_model_is_refused_with_status_1) {
  const std::vector<std::string> args{"--input-len", "4081"};
  EXPECT_THAT(tune_refusal(args),
              StartsWith("the input of 4081 and the output of 16 tokens are longer "
                         "than the 4096 tokens of the model; "));
  EXPECT_FALSE(support::is_misuse([&] { return parsed(args); }));
  EXPECT_EQ(parsed({"--input-len", "4080"}).input_len, 4080);
}

TEST(a_tune_request, with_a_bad_list_is_a_misuse) {
  for (const char* text :
       {"--num-seqs-list=", "--num-seqs-list= , ", "--num-seqs-list=8 x", "--num-seqs-list=0",
        "--num-seqs-list=-1", "--num-seqs-list=1.5", "--num-batched-tokens-list=1000000001",
        "--num-seqs-list=8 8", "--num-batched-tokens-list=99999999999999999999"}) {
    EXPECT_TRUE(support::is_misuse([&] { return parsed({text}); })) << text;
  }
  EXPECT_EQ(tune_refusal({}, {{"NUM_SEQS_LIST", "8 x"}}),
            "$NUM_SEQS_LIST: \"x\" is not a whole number from 1 to 1000000000; write a list such "
            "as \"128 256\"");
  EXPECT_EQ(tune_refusal({"--num-seqs-list", " "}),
            "--num-seqs-list: the list is empty; write a list such as \"128 256\"");
}

TEST(a_tune_request, with_a_value_out_of_range_is_a_misuse) {
  for (const char* text :
       {"--tp=0", "--input-len=0", "--output-len=x", "--min-cache-hit-pct=101",
        "--max-latency-allowed-ms=0", "--max-latency-allowed-ms=inf", "--port=65536",
        "--search=fast", "--reset-path=reset", "--reset-path=/a b", "--seqs-option=none",
        "--tokens-option=", "--memory-option=a b", "--memory-option=a=1",
        "--server-ready-timeout=0", "--find-options=--alpha 0.1", "--nothing", "word"}) {
    EXPECT_TRUE(support::is_misuse([&] { return parsed({text}); })) << text;
  }
}

TEST(a_tune_request, describes_another_server) {
  const tune_request request = parsed(
      {"--serve-cmd", "sh -c 'exec server \"$@\"' sh", "--seqs-option", "max-running-requests",
       "--tokens-option=--chunked-prefill-size", "--memory-option", "none", "--reset-path", "none",
       "--bench-options=--temperature 0", "--search", "find", "--find-options=--max-time 1m"});
  EXPECT_THAT(request.serve_command, ElementsAre("sh", "-c", "exec server \"$@\"", "sh"));
  EXPECT_EQ(request.seqs_option, "--max-running-requests");
  EXPECT_EQ(request.tokens_option, "--chunked-prefill-size");
  EXPECT_EQ(request.memory_option, "");
  EXPECT_EQ(request.reset_path, "");
  EXPECT_THAT(request.bench_options, ElementsAre("--temperature", "0"));
  EXPECT_EQ(request.search, rate_search::find);
  EXPECT_THAT(request.find_options, ElementsAre("--max-time", "1m"));
  EXPECT_THAT(request.profile_options, IsEmpty());
}

TEST(a_tune_request, takes_options_of_other_commands_also_without_an_equals_sign) {
  const tune_request request = parsed({"--bench_options", "--ignore-eos", "--search=find",
                                       "--find-options", "--max-time 1m --alpha 0.1",
                                       "--profile-options", "--trace-dir={}", "--skip-profile"});
  EXPECT_THAT(request.bench_options, ElementsAre("--ignore-eos"));
  EXPECT_THAT(request.find_options, ElementsAre("--max-time", "1m", "--alpha", "0.1"));
  EXPECT_THAT(request.profile_options, ElementsAre("--trace-dir={}"));
  EXPECT_FALSE(request.profile);
  EXPECT_THAT(parsed({"--bench-options", "none"}).bench_options, IsEmpty());
}

TEST(a_tune_request, does_not_take_its_own_flags_for_options_of_other_commands) {
  EXPECT_EQ(tune_refusal({"--bench-options", "--search=find"}),
            "--bench-options: needs a value; write --bench-options OPTIONS");
  EXPECT_EQ(tune_refusal({"--bench-options", "--skip_profile"}),
            "--bench-options: needs a value; write --bench-options OPTIONS");
  EXPECT_EQ(tune_refusal({"--bench-options"}),
            "--bench-options: needs a value; write --bench-options OPTIONS");
  EXPECT_EQ(tune_refusal({"--serve-cmd", "--x"}),
            "--serve-cmd: needs a value; write --serve-cmd "
            "COMMAND");
}

TEST(a_tune_request, with_options_in_several_arguments_says_how_to_write_them) {
  const std::vector<std::string> args{"--bench-options", "--temperature", "0"};
  EXPECT_EQ(tune_refusal(args),
            "--bench-options: its value is one argument, and \"0\" is another; write "
            "--bench-options \"--temperature 0\"");
  EXPECT_TRUE(support::is_misuse([&] { return parsed(args); }));
}

TEST(a_tune_request, with_a_command_that_is_not_closed_is_refused) {
  EXPECT_THAT(tune_refusal({"--serve-cmd", "sh -c 'x"}), StartsWith("--serve-cmd: "));
}

TEST(a_tune_request, profiles_vllm_by_its_option_unless_another_is_given) {
  EXPECT_THAT(
      parsed({}).profile_options,
      ElementsAre("--profiler-config", R"({"profiler": "torch", "torch_profiler_dir": "{}"})"));
  EXPECT_THAT(parsed({"--profile-options", "none"}).profile_options, IsEmpty());
  EXPECT_THAT(parsed({"--profile-options=--trace-dir {}"}).profile_options,
              ElementsAre("--trace-dir", "{}"));
}

TEST(a_tune_request, warns_of_an_unknown_system) {
  EXPECT_THAT(parsed({}, {{"SYSTEM", "XPU"}}).warnings,
              ElementsAre("the system is \"XPU\", neither TPU nor GPU; it has no effect here"));
}

TEST(a_tune_request, of_a_batch_is_checked_without_its_lengths) {
  EXPECT_EQ(read_flags(std::vector<std::string>{"--input-len", "100000"}).input_len, 100000);
  EXPECT_TRUE(support::is_misuse(
      [] { return read_flags(std::vector<std::string>{"--input-length", "1"}); }));
}

TEST(a_tune_request, has_a_help) {
  support::expect_golden(parsed({"--help"}).help, INFERBENCH_FIXTURES "/tune/tune_help.txt");
}

}  // namespace
}  // namespace inferbench::tune
