#include "perf/run_request.hpp"

#include <limits>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error_text.hpp"
#include "support/golden.hpp"

namespace inferbench::perf {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using request_variables = std::map<std::string, std::string, std::less<>>;

run_request parsed(const std::vector<std::string>& args, request_variables env = {}) {
  return parse_run(args, {std::move(env), {}});
}

std::string request_refusal(const std::vector<std::string>& args,
                            const request_variables& env = {}) {
  return support::error_text([&] { return parsed(args, env); });
}

TEST(a_run_request, has_the_defaults_of_upstream) {
  const run_request request = parsed({});
  EXPECT_EQ(request.tests_folder, "tests");
  EXPECT_EQ(request.result_folder, "results");
  EXPECT_THAT(request.serve_command, ElementsAre("vllm", "serve"));
  EXPECT_THAT(request.bench_command, IsEmpty());
  EXPECT_EQ(request.ready_timeout_s, 1200U);
  EXPECT_FALSE(request.on_cpu || request.dry_run || request.remote || request.selector ||
               request.prompts || request.refinement || request.descriptions);
  const run_request refining = parsed({"--adaptive-concurrency"});
  ASSERT_TRUE(refining.refinement);
  EXPECT_EQ(refining.refinement->limits.ttft_ms, 3000);
  EXPECT_EQ(refining.refinement->limits.tpot_ms, 100);
  EXPECT_EQ(refining.refinement->probes, 8);
  EXPECT_EQ(refining.refinement->largest_concurrency, 1024);
}

TEST(a_run_request, is_read_from_the_environment) {
  const run_request request = parsed({}, {{"ON_CPU", "1"},
                                          {"SERVING_JSON", "s.json"},
                                          {"LATENCY_JSON", "l.json"},
                                          {"STARTUP_JSON", "u.json"},
                                          {"THROUGHPUT_JSON", "t.json"},
                                          {"REMOTE_HOST", "far"},
                                          {"REMOTE_PORT", "9000"},
                                          {"TEST_SELECTOR", "tp1$"},
                                          {"DRY_RUN", "1"},
                                          {"MODEL_FILTER", "org/m"},
                                          {"DTYPE_FILTER", "bfloat16"},
                                          {"PROMPTS_PER_CONCURRENCY", "5"},
                                          {"MIN_NUM_PROMPTS", "20"},
                                          {"MAX_NUM_PROMPTS", "30"},
                                          {"ENABLE_ADAPTIVE_CONCURRENCY", "1"},
                                          {"SLA_TTFT_MS", "250.5"},
                                          {"SLA_TPOT_MS", "20"},
                                          {"ADAPTIVE_MAX_PROBES", "3"},
                                          {"ADAPTIVE_MAX_CONCURRENCY", "64"},
                                          {"HF_TOKEN", "x"}});
  EXPECT_TRUE(request.on_cpu);
  EXPECT_EQ(request.serving_file, "s.json");
  EXPECT_EQ(request.latency_file, "l.json");
  EXPECT_EQ(request.startup_file, "u.json");
  EXPECT_EQ(request.throughput_file, "t.json");
  ASSERT_TRUE(request.remote);
  EXPECT_EQ(request.remote->host, "far");
  EXPECT_EQ(request.remote->port, 9000);
  EXPECT_TRUE(request.selects("serving_a_tp1"));
  EXPECT_FALSE(request.selects("serving_a_tp1_x"));
  EXPECT_TRUE(request.dry_run);
  EXPECT_EQ(request.model_filter, "org/m");
  EXPECT_EQ(request.dtype_filter, "bfloat16");
  ASSERT_TRUE(request.prompts);
  EXPECT_EQ(request.prompts->prompts(2), 20);
  EXPECT_EQ(request.prompts->prompts(5), 25);
  EXPECT_EQ(request.prompts->prompts(12), 30);
  EXPECT_EQ(request.prompts->prompts(std::numeric_limits<std::int64_t>::max()), 30);
  ASSERT_TRUE(request.refinement);
  EXPECT_EQ(request.refinement->limits.ttft_ms, 250.5);
  EXPECT_EQ(request.refinement->probes, 3);
  EXPECT_EQ(request.refinement->largest_concurrency, 64);
}

TEST(a_flag_of_perf_run, wins_over_its_variable) {
  EXPECT_EQ(parsed({"--serving-json", "a.json"}, {{"SERVING_JSON", "b.json"}}).serving_file,
            "a.json");
  EXPECT_EQ(parsed({"--remote-host", "near"}, {{"REMOTE_HOST", "far"}}).remote->host, "near");
}

TEST(filters, work_in_a_dry_run_only) {
  EXPECT_THAT(request_refusal({"--model-filter", "m"}), HasSubstr("works with --dry-run only"));
  const run_request request = parsed({}, {{"MODEL_FILTER", "m"}});
  EXPECT_EQ(request.model_filter, "");
  EXPECT_THAT(request.warnings, ElementsAre(HasSubstr("--model-filter")));
}

TEST(a_folder_of_results, has_no_word_for_a_kind_in_its_path) {
  EXPECT_EQ(request_refusal({"-r", "out/serving-1"}),
            "--result-dir: \"out/serving-1\" contains \"serving\", and the converter would take "
            "results of other kinds for this kind, because it tells the kind by the path; choose a "
            "path without the words serving, latency and throughput");
  EXPECT_THAT(request_refusal({"-r", "low-latency/results"}), HasSubstr("contains \"latency\""));
  EXPECT_THAT(request_refusal({"--result-dir", "throughputs", "--dry-run"}),
              HasSubstr("contains \"throughput\""));
  EXPECT_EQ(request_refusal({"-r", "startup/Serving"}), "");
}

TEST(a_token, begins_with_hf_except_in_a_dry_run) {
  EXPECT_THAT(request_refusal({}, {{"HF_TOKEN", "secret"}}), HasSubstr("does not begin with hf_"));
  EXPECT_THAT(request_refusal({}, {{"HF_TOKEN", "secret"}}), testing::Not(HasSubstr("secret")));
  EXPECT_EQ(request_refusal({}, {{"HF_TOKEN", "hf_x"}}), "");
  EXPECT_EQ(request_refusal({"--dry-run"}, {{"HF_TOKEN", "secret"}}), "");
}

TEST(values_that_cannot_be_used, are_refused) {
  EXPECT_THAT(request_refusal({"--test-selector", "(a"}),
              HasSubstr("is not an extended regular expression"));
  EXPECT_THAT(request_refusal({"--test-selector", std::string(2000, 'a')}),
              HasSubstr("is not an extended regular expression"));
  EXPECT_THAT(request_refusal({"--remote-port", "70000"}), HasSubstr("from 1 to 65535"));
  EXPECT_THAT(request_refusal({"--min-num-prompts", "9", "--max-num-prompts", "3"}),
              HasSubstr("the lower limit 9 is above the upper limit 3"));
  EXPECT_THAT(request_refusal({"--serve-cmd", "a 'b"}), HasSubstr("--serve-cmd"));
  EXPECT_THAT(request_refusal({"--serve-cmd="}), HasSubstr("the command is empty"));
  EXPECT_THAT(request_refusal({"--result-dir="}), HasSubstr("--result-dir: the name is empty"));
  EXPECT_THAT(request_refusal({"--serving-json="}), HasSubstr("--serving-json: the name is empty"));
}

TEST(perf_run, explains_its_flags) {
  support::expect_golden(parsed({"--help"}).help, INFERBENCH_FIXTURES "/perf/run_help.txt");
}

}  // namespace
}  // namespace inferbench::perf
