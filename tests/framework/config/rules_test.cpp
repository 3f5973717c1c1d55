#include "config/rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.hpp"
#include "framework/config/rules_bench.hpp"

namespace inferbench::config {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

// Tests of refused values are in tests/fixtures/config/errors.txt.
class rules : public rules_bench {};

TEST_F(rules, a_threshold_of_the_profiler_needs_the_profiler) {
  EXPECT_EQ(complaint_of([&] { (void)parse({"--profile-batch-threshold", "3"}); }),
            "--profile-batch-threshold: the profiler is not used; add --profile");
  EXPECT_THAT(parse({"--profile", "--profile-duration", "3"}).warnings,
              ElementsAre("--profile-duration has no effect without --profile-batch-threshold"));
}

TEST_F(rules, errors_about_a_file_name_keys_and_not_flags) {
  EXPECT_EQ(complaint_of_file("[load]\nramp-up-strategy = \"linear\"\n"),
            ":2:20: load.ramp-up-strategy: a ramp-up that is linear needs a start; give "
            "load.ramp-up-start-rps");
  EXPECT_EQ(complaint_of_file("[load]\nramp-up-strategy = \"linear\"\nramp-up-start-rps = 3\n"
                              "ramp-up-end-rps = 2\n"),
            ":3:21: load.ramp-up-start-rps: the start, 3, is above the end, 2; lower it, or raise "
            "load.ramp-up-end-rps");
  EXPECT_EQ(complaint_of_file("[run]\ntimeline-itl-thresholds = [1]\n"),
            ":2:27: run.timeline-itl-thresholds: expected two numbers of milliseconds, not 1.0; "
            "write them as 25,50");
}

TEST_F(rules, a_goal_that_cannot_be_read_is_refused_with_its_place) {
  EXPECT_EQ(
      complaint_of([&] { (void)parse({"--threshold", "failed<=1%", "tftt.p99<200ms"}); }),
      "--threshold: the goal \"tftt.p99<200ms\" cannot be read: \"tftt\" is not a figure; did "
      "you mean ttft?");
  EXPECT_EQ(
      complaint_of_file("[thresholds]\ngoals = [\"ttft.p99<5%\"]\n"),
      ":2:9: thresholds.goals: the goal \"ttft.p99<5%\" cannot be read: \"%\" after 5 is not a "
      "unit of time; use ns, us, ms or s");
}

TEST_F(rules, goals_are_read_from_the_file) {
  const plan p =
      parse_file("[thresholds]\ngoals = [\"ttft.p99<0.2s\", \"failed<=3\"]\ncertain = true\n").plan;
  EXPECT_THAT(p.figures.thresholds, ElementsAre("ttft.p99<200ms", "failed<=3"));
  EXPECT_TRUE(p.figures.thresholds_certain);
}

TEST_F(rules, pages_to_observe_are_checked_before_the_run) {
  EXPECT_FALSE(parse({}).plan.observe.wanted);
  const plan alone = parse({"--observe"}).plan;
  EXPECT_TRUE(alone.observe.wanted);
  EXPECT_THAT(alone.observe.urls, IsEmpty());
  EXPECT_EQ(alone.observe.interval_ns, base::ns_per_s);
  const plan with = parse({"--observe", "http://h:9400/metrics", "unix:/run/x", "--observe-names",
                           "DCGM_FI_DEV_*,node_load1", "--observe-names", "a?", "b , c",
                           "--observe-interval", "250ms"})
                        .plan;
  EXPECT_THAT(with.observe.urls, ElementsAre("http://h:9400/metrics", "unix:/run/x"));
  EXPECT_THAT(with.observe.names, ElementsAre("DCGM_FI_DEV_*", "node_load1", "a?", "b", "c"));
  EXPECT_EQ(with.observe.interval_ns, base::ns_per_s / 4);
  EXPECT_EQ(
      complaint_of([&] { (void)parse({"--observe", "h:9400"}); }),
      "--observe: expected a URL such as http://127.0.0.1:9400/metrics, not \"h:9400\"; begin "
      "it with http://, https:// or unix:");
  EXPECT_EQ(complaint_of([&] { (void)parse({"--observe", "http://me:word@h/metrics"}); }),
            "--observe: http://(cut)@h/metrics holds a user name or a password, which is not "
            "supported; read the page through a proxy or an address that needs none");
  EXPECT_THAT(complaint_of([&] { (void)parse({"--observe", "--observe-interval", "10ms"}); }),
              testing::HasSubstr("from 100ms to 3600s, not \"10ms\""));
}

TEST_F(rules, a_file_observes_the_base_urls_with_an_empty_list) {
  const std::string text = "[backend]\nuse = \"openai\"\nmodel = \"m\"\n[observe]\n";
  EXPECT_TRUE(parse_file(text + "urls = []\n").plan.observe.wanted);
  const request r = parse_file(text + "interval = 2\nnames = \"a\"\n");
  EXPECT_FALSE(r.plan.observe.wanted);
  EXPECT_THAT(r.warnings, Contains("observe.names has no effect without observe.urls"));
  EXPECT_THAT(r.warnings, Contains("observe.interval has no effect without observe.urls"));
}

TEST_F(rules, keys_without_effect_are_reported) {
  EXPECT_THAT(parse({"--threshold-certain"}).warnings,
              ElementsAre("--threshold-certain has no effect without --threshold"));
  EXPECT_THAT(parse({"--use-beam-search"}).warnings,
              ElementsAre("--use-beam-search has no effect, as in vllm bench serve; put what the "
                          "server understands into --extra-body"));
  EXPECT_THAT(parse({"--backend", "embed", "--goodput", "ttft:5"}).warnings,
              Contains("--goodput has no effect: backend embed does not generate"));
  EXPECT_THAT(parse({"--base-url", "http://x:1/"}).warnings,
              ElementsAre("--base-url ends in a slash, which stays: requests go to "
                          "http://x:1//v1/..."));
  EXPECT_THAT(parse({"--base-url", "http://x:1/v1"}).warnings,
              ElementsAre("--base-url ends in /v1, which stays: requests go to "
                          "http://x:1/v1/v1/completions"));
  EXPECT_THAT(parse({"--base-url", "http://x:1/v1", "--endpoint", "/completions"}).warnings,
              IsEmpty());
  EXPECT_THAT(parse({"--base-url", "http://v1"}).warnings, IsEmpty());
  EXPECT_THAT(parse({"--profile-duration", "5"}).warnings,
              ElementsAre("--profile-duration has no effect without --profile-batch-threshold"));
}

TEST_F(rules, an_endpoint_begins_with_a_slash_unless_the_base_url_ends_in_one) {
  EXPECT_EQ(complaint_of([&] { (void)parse({"--endpoint", "v1/completions"}); }),
            "--endpoint: \"v1/completions\" does not begin with a slash; write /v1/completions");
  EXPECT_THAT(parse({"--base-url", "http://x:1/", "--endpoint", "v1/completions"}).warnings,
              IsEmpty());
}

TEST_F(rules, keys_without_effect_are_called_as_the_command_calls_them) {
  EXPECT_THAT(parse({"--served-model-name", "x"}).warnings,
              Contains("--served-model-name has no effect without --model"));
  EXPECT_THAT(parse_file("[backend]\nserved-model-name = \"x\"\n").warnings,
              Contains("backend.served-model-name has no effect without backend.model"));
  EXPECT_THAT(parse_file("").warnings,
              Contains("no temperature is given, so the server's own applies; "
                       "backend.extra-body.temperature = 0 makes decoding greedy"));
  EXPECT_THAT(parse_serve(std::vector<std::string>{}, env, plugins).warnings,
              Contains("no temperature is given, so the server's own applies; --temperature 0 "
                       "makes decoding greedy"));
}

TEST_F(rules, all_sampling_flags_of_a_backend_that_does_not_generate_are_reported) {
  EXPECT_THAT(parse({"--backend", "embed", "--top-k", "3", "--top-p", "0.5"}).warnings,
              Contains("--top-p, --top-k, --temperature have no effect: backend embed does not "
                       "generate"));
  EXPECT_THAT(parse({"--backend", "embed"}).warnings,
              Contains("--temperature has no effect: backend embed does not generate"));
}

TEST_F(rules, flags_of_the_run_reach_their_members) {
  const plan p =
      parse({"--lora-modules", "a", "b", "--lora-assignment", "round-robin", "--probe-request-rate",
             ".5", "--num-runs", "3", "--report-cached-tokens", "--steady-state-threshold", "0.5",
             "--steady-state-min-window", "1.5", "--no-steady-state", "--num-warmups", "-2"})
          .plan;
  EXPECT_THAT(p.lora_modules, ElementsAre("a", "b"));
  EXPECT_TRUE(p.lora_round_robin);
  EXPECT_EQ(p.load.probe_rate, 0.5);
  EXPECT_EQ(p.num_runs, 3);
  EXPECT_EQ(p.preparation.num_warmups, 0);
  EXPECT_TRUE(p.figures.cached_tokens);
  EXPECT_FALSE(p.figures.steady_state.wanted);
  EXPECT_EQ(p.figures.steady_state.threshold, 0.5);
  EXPECT_EQ(p.figures.steady_state.min_window_ns, 1'500'000'000U);
  const plan plain = parse({}).plan;
  EXPECT_THAT(plain.lora_modules, IsEmpty());
  EXPECT_FALSE(plain.lora_round_robin);
  EXPECT_EQ(plain.load.probe_rate, 0.0);
  EXPECT_EQ(plain.num_runs, 1);
  EXPECT_FALSE(plain.figures.cached_tokens);
  EXPECT_TRUE(plain.figures.steady_state.wanted);
  EXPECT_EQ(plain.figures.steady_state.min_window_ns, std::nullopt);
  EXPECT_EQ(parse({"--probe-request-rate", "-1"}).plan.load.probe_rate, 0.0);
}

TEST_F(rules, a_flag_without_effect_is_reported_once_as_it_was_typed) {
  const std::string why = " has no effect: dataset random has no option skip-chat-template";
  EXPECT_THAT(parse({"--skip-chat-template"}).warnings, ElementsAre("--skip-chat-template" + why));
  EXPECT_THAT(parse({"--custom-skip-chat-template"}).warnings,
              testing::UnorderedElementsAre("--custom-skip-chat-template" + why,
                                            "--custom-skip-chat-template is an old spelling of "
                                            "--skip-chat-template"));
  EXPECT_THAT(parse_file("", {"--set", "dataset.skip-chat-template=true"}).warnings,
              testing::Contains("--set dataset.skip-chat-template" + why));
}

TEST_F(rules, a_read_timeout_in_the_environment_is_used_if_no_other_is_given) {
  EXPECT_EQ(parse({}).plan.server.idle_timeout_ns, 0U);
  env.variables["VLLM_BENCH_SOCK_READ"] = " 2.5 ";
  const plan p = parse({}).plan;
  EXPECT_EQ(p.server.idle_timeout_ns, 2'500'000'000U);
  // As in upstream, it also covers the wait for the head of the answer.
  EXPECT_EQ(p.server.first_byte_timeout_ns, 2'500'000'000U);
  EXPECT_THAT(p.toml, testing::HasSubstr("\nidle-timeout = \"2500ms\""));
  EXPECT_THAT(p.toml, testing::HasSubstr("\nfirst-byte-timeout = \"2500ms\""));
  const plan still = parse({"--idle-timeout", "0"}).plan;
  EXPECT_EQ(still.server.idle_timeout_ns, 0U);
  EXPECT_EQ(still.server.first_byte_timeout_ns, 2'500'000'000U);
  const plan first = parse({"--first-byte-timeout", "7s"}).plan;
  EXPECT_EQ(first.server.idle_timeout_ns, 2'500'000'000U);
  EXPECT_EQ(first.server.first_byte_timeout_ns, 7'000'000'000U);
  EXPECT_EQ(parse_file("[server]\nidle-timeout = 7\n").plan.server.idle_timeout_ns, 7'000'000'000U);
  for (const char* bad : {"soon", "-1", "nan", "inf", "3s"}) {
    env.variables["VLLM_BENCH_SOCK_READ"] = bad;
    EXPECT_EQ(complaint_of([&] { (void)parse({}); }),
              "$VLLM_BENCH_SOCK_READ: expected a number of seconds of at least 0, not \"" +
                  std::string(bad) +
                  "\"; correct the environment variable, or give both --first-byte-timeout and "
                  "--idle-timeout");
  }
  // With both flags the variable is not read.
  EXPECT_EQ(
      complaint_of([&] { (void)parse({"--first-byte-timeout", "1", "--idle-timeout", "1"}); }), "");
  env.variables["VLLM_BENCH_SOCK_READ"] = "";
  EXPECT_EQ(parse({}).plan.server.idle_timeout_ns, 0U);
}

}  // namespace
}  // namespace inferbench::config
