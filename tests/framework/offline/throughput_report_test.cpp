#include "offline/throughput_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/offline/lines.hpp"
#include "support/golden.hpp"

namespace inferbench::offline {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// The numbers of the example of `vllm bench throughput` in vLLM's documentation. The example has no
// duration: 6514 tokens at 4656 tokens per second give it.
const throughput_result documented{6514.0 / 4656.0, 10, 5014, 1500, false};

std::string throughput_file(const std::string& name) {
  return std::string(INFERBENCH_FIXTURES) + "/offline/" + name;
}

TEST(throughput_report, the_lines_are_those_of_upstream) {
  EXPECT_EQ(throughput_text(documented, false),
            "Throughput: 7.15 requests/s, 4656.00 total tokens/s, 1072.15 output tokens/s\n"
            "Total num prompt tokens:  5014\n"
            "Total num output tokens:  1500\n");
}

TEST(throughput_report, the_file_has_the_members_of_upstream) {
  support::expect_golden(result_text(throughput_json({2.0, 10, 5014, 1500, false})),
                         throughput_file("throughput.json"));
}

TEST(throughput_report, the_records_have_one_value_each) {
  const offline_line line = line_of({"--model", "m", "--output-json", "r.json"});
  support::expect_golden(pytorch_text({arguments_of(line), "m", "r.json"},
                                      throughput_metrics({2.0, 10, 5014, 1500, false})),
                         throughput_file("throughput_records.json"));
}

TEST(throughput_report, media_that_are_not_counted_cause_a_warning) {
  throughput_result result = documented;
  result.media_not_counted = true;
  EXPECT_THAT(throughput_text(result, true), StartsWith("\x1B[91mWARNING\x1B[0m: "));
  EXPECT_THAT(throughput_text(result, false), StartsWith("WARNING: "));
}

TEST(throughput_report, a_clock_that_has_not_moved_gives_infinite_rates) {
  const throughput_result result{0, 1, 1, 1, false};
  EXPECT_THAT(throughput_text(result, false), StartsWith("Throughput: inf requests/s"));
  EXPECT_THAT(result_text(throughput_json(result)), HasSubstr("\"requests_per_second\": Infinity"));
}

TEST(throughput_report, tokens_are_those_of_the_engine) {
  const std::vector<request_tokens> requests{{10, 5, 11, 8, false}, {20, 5, 21, 10, true}};
  const throughput_result found = throughput_of(throughput_in({}), 2, requests);
  EXPECT_EQ(found.requests, 2U);
  EXPECT_EQ(found.prompt_tokens, 32U);
  EXPECT_EQ(found.output_tokens, 18U);
  EXPECT_TRUE(found.media_not_counted);
  EXPECT_FALSE(
      throughput_of(throughput_in({"--backend", "vllm-chat"}), 2, requests).media_not_counted);
}

TEST(throughput_report, tokens_of_asynchronous_requests_and_of_the_engine_hf_are_those_of_samples) {
  const std::vector<request_tokens> requests{{10, 5, 11, 8, false}, {20, 6, -1, -1, false}};
  for (const std::vector<std::string>& args : std::vector<std::vector<std::string>>{
           {"--async-engine"}, {"--backend", "hf", "--hf-max-batch-size", "2"}}) {
    const throughput_result found = throughput_of(throughput_in(args), 2, requests);
    EXPECT_EQ(found.prompt_tokens, 30U);
    EXPECT_EQ(found.output_tokens, 11U);
  }
}

TEST(throughput_report, an_engine_that_does_not_count_has_the_tokens_of_samples) {
  const std::vector<request_tokens> requests{{10, 5, -1, -1, false}, {-1, -1, -1, -1, false}};
  const throughput_result found = throughput_of(throughput_in({}), 2, requests);
  EXPECT_EQ(found.prompt_tokens, 10U);
  EXPECT_EQ(found.output_tokens, 5U);
}

TEST(throughput_report, a_request_that_does_not_fit_is_named) {
  EXPECT_NO_THROW(require_fit(0, 100, 28, 128));
  EXPECT_NO_THROW(require_fit(0, 100, 28, -1));
  EXPECT_EQ(refusal_of([] {
              require_fit(7, 101, 28, 128);
              return 0;
            }),
            "1: request 7 has 101 prompt tokens and 28 output tokens, but the engine has room for "
            "128; use shorter lengths, or raise --max-model-len");
}

TEST(throughput_report, the_energy_of_the_gpus_stands_at_the_end_of_the_result) {
  throughput_result result{2.0, 10, 100, 50, false};
  result.energy = {{"energy_gpu_ids", "[0, 1]"}, {"gpu_energy_per_output_token_j", "null"}};
  EXPECT_THAT(result_text(throughput_json(result)),
              testing::EndsWith(",\n    \"energy_gpu_ids\": [\n        0,\n        1\n    ],\n"
                                "    \"gpu_energy_per_output_token_j\": null\n}"));
  for (const pytorch_metric& one : throughput_metrics(result))
    EXPECT_EQ(one.extra_info.find("energy_gpu_ids"), nullptr);
}

}  // namespace
}  // namespace inferbench::offline
