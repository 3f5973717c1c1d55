#include "tune/tuning.hpp"

#include <chrono>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiment/sweep_failures.hpp"
#include "support/golden.hpp"

namespace inferbench::tune {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

/// Servers whose figures are formulas. Notes all calls; a pause takes no time.
class scripted_bench final : public tuning_bench {
 public:
  std::string start_server(const server_step& what) override {
    std::string line = "start " + pair_name(what.options);
    if (what.memory) line += " memory " + utilization_text(*what.memory);
    if (what.purpose == server_purpose::memory_trial) line += " on trial";
    if (what.purpose == server_purpose::profile) line += " to profile";
    calls += line + "\n";
    if (what.purpose == server_purpose::profile && !profiles) return "no profiler";
    if (what.memory && *what.memory > most_memory) return "out of memory";
    return dead.contains(what.options.seqs) ? "exit status 1" : "";
  }
  void stop_server() override { calls += "stop\n"; }
  void reset_cache() override { calls += "reset\n"; }
  void pause(std::chrono::seconds time) override {
    calls += "pause " + std::to_string(time.count()) + " s\n";
    paused += time;
  }
  benchmark_end benchmark(const benchmark_step& what) override {
    calls += "benchmark " + pair_name(what.options) + " rate " + number_text(what.rate) + ", " +
             std::to_string(what.prompts) + " prompts" + (what.profile ? " with a profile" : "") +
             "\n";
    if (on_benchmark) on_benchmark(what);
    if (what.rate == broken_rate) return {std::nullopt, "it\nbroke"};
    return {figures(what.options, what.rate), ""};
  }
  search_end search(const search_step& what) override {
    calls += "search " + pair_name(what.options) + " between " + number_text(what.low) + " and " +
             number_text(what.high) + "\n";
    if (!search_problem.empty()) return {std::nullopt, search_problem};
    if (limit <= 0) return {};
    return {accepted_pair{what.options, limit, figures(what.options, limit)}, ""};
  }
  void record(const std::string& line) override { results += line + "\n"; }
  void say(const std::string& line) override { said.push_back(line); }

  /// The capacity is seqs / 16 requests/s, less for few tokens; above it latency is long.
  [[nodiscard]] measured_load figures(const tuned_pair& of, double rate) const {
    measured_load out;
    const double capacity =
        static_cast<double>(of.seqs) / 16 * (of.tokens >= 1024 ? 1 : 0.75) + 0.3;
    out.throughput = std::min(rate, capacity);
    out.e2el_ms = rate > capacity ? 10000 : 100 + 50 * rate;
    out.goodput = out.e2el_ms <= 500 ? out.throughput : 0;
    out.nothing_completed = nothing_completes;
    return out;
  }

  std::string calls;
  std::string results;
  std::vector<std::string> said;
  std::chrono::seconds paused{0};
  int most_memory = 100;
  std::set<std::int64_t> dead;
  double broken_rate = -1;
  bool profiles = true;
  bool nothing_completes = false;
  double limit = 0;
  std::string search_problem;
  std::function<void(const benchmark_step&)> on_benchmark;
};

tuning_setting setting(double limit_ms = 500) {
  return {.seqs = {128, 256},
          .tokens = {512, 2048},
          .limit_ms = limit_ms,
          .profile_folder = "/results/profile"};
}

TEST(a_tuning, makes_the_steps_of_the_script_in_their_order) {
  scripted_bench bench;
  bench.most_memory = 96;
  const tuning_outcome outcome = carry_out(setting(), bench);
  support::expect_golden(bench.calls, INFERBENCH_FIXTURES "/tune/steps.txt");
  support::expect_golden("hash:unknown\n" + bench.results, INFERBENCH_FIXTURES "/tune/result.txt");
  EXPECT_EQ(outcome.measured, 4);
  EXPECT_EQ(outcome.failed, 0);
  // Each of 2, 2, 6 and 10 rates comes after a pause.
  EXPECT_EQ(bench.paused, std::chrono::seconds(5) * 20);
}

TEST(a_tuning, accepts_all_requests_at_once_if_their_latency_is_within_the_limit) {
  scripted_bench bench;
  tuning_setting with = setting(10000);
  with.seqs = {128};
  const tuning_outcome outcome = carry_out(with, bench);
  EXPECT_THAT(bench.calls, Not(HasSubstr("reset")));
  ASSERT_TRUE(outcome.best);
  EXPECT_TRUE(std::isinf(outcome.best->rate));
  EXPECT_THAT(bench.calls, HasSubstr("benchmark 128_2048 rate inf, 100 prompts with a profile"));
  EXPECT_THAT(bench.results,
              HasSubstr("max_num_seqs: 128, max_num_batched_tokens: 512, request_rate: inf, e2el: "
                        "10000.00, throughput: 6.30, goodput: 0.00\n"));
}

TEST(a_tuning, takes_a_later_combination_only_if_its_throughput_is_higher) {
  scripted_bench bench;
  tuning_setting with = setting();
  with.tokens = {4096, 8192};  // equal throughputs
  const tuning_outcome outcome = carry_out(with, bench);
  ASSERT_TRUE(outcome.best);
  EXPECT_EQ(outcome.best->of, (tuned_pair{128, 4096}));
}

TEST(a_tuning, without_a_combination_within_the_limit_has_zeros_and_no_profile) {
  scripted_bench bench;
  const tuning_outcome outcome = carry_out(setting(50), bench);
  EXPECT_FALSE(outcome.best);
  EXPECT_EQ(outcome.measured, 4);
  EXPECT_FALSE(outcome.profile_failed);
  EXPECT_THAT(bench.calls, Not(HasSubstr("profile")));
  // The lowest rate is 1.
  EXPECT_THAT(bench.calls, HasSubstr("rate 1, 100"));
  EXPECT_THAT(bench.calls, Not(HasSubstr("rate 0")));
  EXPECT_THAT(bench.results,
              HasSubstr("max_num_seqs: 128, max_num_batched_tokens: 512 does not meet latency "
                        "requirement 50\n"));
  EXPECT_THAT(bench.results,
              EndsWith("best_max_num_seqs: 0, best_num_batched_tokens: 0, best_throughput: 0, "
                       "profile saved in: none\n"));
}

TEST(a_tuning, tries_nine_shares_of_the_memory_with_the_last_values) {
  scripted_bench bench;
  bench.most_memory = 89;
  const tuning_outcome outcome = carry_out(setting(), bench);
  EXPECT_FALSE(outcome.memory_found);
  std::string expected;
  for (int share = 98; share >= 90; --share)
    expected += "start 256_2048 memory " + utilization_text(share) + " on trial\nstop\n";
  EXPECT_EQ(bench.calls, expected);
  EXPECT_EQ(bench.results, "");
}

TEST(a_tuning, without_an_option_for_the_memory_begins_with_the_combinations) {
  scripted_bench bench;
  tuning_setting with = setting();
  with.memory = false;
  const tuning_outcome outcome = carry_out(with, bench);
  EXPECT_TRUE(outcome.memory_found);
  EXPECT_THAT(bench.calls, testing::StartsWith("start 128_512\nbenchmark 128_512 rate inf"));
  EXPECT_THAT(bench.calls, Not(HasSubstr("memory")));
}

TEST(a_tuning, goes_on_after_a_server_that_does_not_start) {
  scripted_bench bench;
  bench.dead = {128};
  tuning_setting with = setting();
  with.memory = false;
  const tuning_outcome outcome = carry_out(with, bench);
  EXPECT_EQ(outcome.failed, 2);
  EXPECT_EQ(outcome.measured, 2);
  EXPECT_THAT(
      bench.results,
      testing::StartsWith("max_num_seqs: 128, max_num_batched_tokens: 512 failed: exit status 1\n"
                          "max_num_seqs: 128, max_num_batched_tokens: 2048 failed: exit "));
}

TEST(a_tuning, leaves_a_combination_whose_benchmark_fails) {
  scripted_bench bench;
  bench.broken_rate = 5;
  tuning_setting with = setting();
  with.seqs = {64};
  const tuning_outcome outcome = carry_out(with, bench);
  // 64 / 16 * 0.75 + 0.3 = 3.3 requests/s for 512 tokens: the highest rate is 4.
  EXPECT_EQ(outcome.failed, 1);
  EXPECT_EQ(outcome.measured, 1);
  EXPECT_THAT(bench.results,
              HasSubstr("max_num_seqs: 64, max_num_batched_tokens: 2048 failed: it broke\n"));
}

TEST(a_tuning, does_not_accept_a_benchmark_without_a_completed_request) {
  scripted_bench bench;
  bench.nothing_completes = true;
  const tuning_outcome outcome = carry_out(setting(1e9), bench);
  EXPECT_FALSE(outcome.best);
  EXPECT_EQ(outcome.measured, 4);
}

TEST(a_tuning, reports_a_profile_that_failed) {
  scripted_bench bench;
  bench.profiles = false;
  const tuning_outcome outcome = carry_out(setting(), bench);
  EXPECT_TRUE(outcome.profile_failed);
  EXPECT_TRUE(outcome.best);
  EXPECT_THAT(bench.results, EndsWith("profile saved in: none\n"));
  EXPECT_THAT(bench.said, testing::Contains("No profile of the best combination: no profiler"));
}

TEST(a_tuning, makes_no_profile_if_none_is_wanted) {
  scripted_bench bench;
  tuning_setting with = setting();
  with.profile = false;
  const tuning_outcome outcome = carry_out(with, bench);
  EXPECT_FALSE(outcome.profile_failed);
  EXPECT_THAT(bench.calls, Not(HasSubstr("profile")));
  EXPECT_THAT(bench.results, EndsWith("profile saved in: none\n"));
}

TEST(a_tuning, by_find_makes_one_search_for_a_combination) {
  scripted_bench bench;
  bench.limit = 2.5;
  tuning_setting with = setting(300);
  with.seqs = {64};
  with.search = rate_search::find;
  const tuning_outcome outcome = carry_out(with, bench);
  EXPECT_THAT(bench.calls,
              HasSubstr("benchmark 64_512 rate inf, 1000 prompts\nreset\npause 5 s\nsearch 64_512 "
                        "between 1 and 4\nstop\n"));
  EXPECT_THAT(bench.calls, HasSubstr("search 64_2048 between 1 and 5\n"));
  EXPECT_THAT(bench.results, HasSubstr("max_num_seqs: 64, max_num_batched_tokens: 512, "
                                       "request_rate: 2.5, e2el: 225.00, throughput: 2.50"));
  ASSERT_TRUE(outcome.best);
  EXPECT_EQ(outcome.best->rate, 2.5);
}

TEST(a_tuning, by_find_begins_below_one_request_per_second_if_that_is_the_throughput) {
  scripted_bench bench;
  tuning_setting with = setting(300);
  with.seqs = {4};
  with.tokens = {2048};  // 0.55 requests/s
  with.search = rate_search::find;
  const tuning_outcome outcome = carry_out(with, bench);
  EXPECT_THAT(bench.calls, HasSubstr("search 4_2048 between 0.1 and 1\n"));
  EXPECT_EQ(outcome.measured, 1);
  EXPECT_THAT(bench.results, HasSubstr("does not meet latency requirement 300\n"));
}

TEST(a_tuning, by_find_without_a_verdict_fails_the_combination) {
  scripted_bench bench;
  bench.search_problem = "undecided";
  tuning_setting with = setting(300);
  with.search = rate_search::find;
  const tuning_outcome outcome = carry_out(with, bench);
  EXPECT_EQ(outcome.measured, 0);
  EXPECT_EQ(outcome.failed, 4);
}

TEST(a_tuning, keeps_its_results_when_the_user_interrupts) {
  scripted_bench bench;
  bench.on_benchmark = [](const benchmark_step& what) {
    if (what.options.seqs == 256) throw experiment::stopped_sweep();
  };
  EXPECT_THROW(static_cast<void>(carry_out(setting(1e6), bench)), experiment::stopped_sweep);
  EXPECT_THAT(bench.results, testing::AllOf(HasSubstr("max_num_batched_tokens: 512, request_rate"),
                                            HasSubstr("max_num_batched_tokens: 2048, request_rate"),
                                            Not(HasSubstr("best"))));
}

}  // namespace
}  // namespace inferbench::tune
