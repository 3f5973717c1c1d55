// Tests the rules about the load: when requests are sent, how many of them, and the end of the run.
#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/config/rules_bench.hpp"

namespace inferbench::config {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

class load_rules : public rules_bench {};

TEST_F(load_rules, a_ramp_up_has_strategy_start_and_end) {
  const plan p = parse({"--ramp-up-strategy", "exponential", "--ramp-up-start-rps", "2",
                        "--ramp-up-end-rps", "2", "--request-rate", "inf"})
                     .plan;
  EXPECT_EQ(p.load.traffic, schedule::pattern(schedule::ramp{true, 2, 2}));
  EXPECT_EQ(parse({}).plan.load.traffic, schedule::pattern(schedule::at_once{}));
}

TEST_F(load_rules, ends_of_a_ramp_up_without_a_strategy_cause_a_warning) {
  const request r = parse({"--ramp-up-start-rps", "0"});
  EXPECT_EQ(r.plan.load.traffic, schedule::pattern(schedule::at_once{}));
  EXPECT_THAT(r.warnings,
              ElementsAre("--ramp-up-start-rps has no effect without --ramp-up-strategy"));
}

TEST_F(load_rules, multi_turn_has_the_load_of_the_rust_client) {
  const plan p =
      parse({"--multi-turn", "--multi-turn-concurrency", "4", "--multi-turn-delay-ms", "250"}).plan;
  EXPECT_TRUE(p.load.multi_turn.on);
  EXPECT_EQ(p.load.multi_turn.delay_ns, 250'000'000U);
  EXPECT_EQ(p.load.max_concurrency, 4);
  EXPECT_EQ(p.load.max_active_conversations, std::nullopt);
  EXPECT_EQ(p.load.session_header, "X-Session-ID");
  EXPECT_EQ(p.load.turn_body, R"({"min_tokens": "$least_answer_tokens"})");
  EXPECT_THAT(p.figures.selected, ElementsAre("ttft", "tpot", "itl", "e2el"));
  EXPECT_EQ(parse({"--multi-turn", "--max-concurrency", "8"}).plan.load.max_concurrency, 8);
  EXPECT_EQ(parse({"--multi-turn", "--session-header", "X-Chat"}).plan.load.session_header,
            "X-Chat");
}

TEST_F(load_rules, the_least_length_of_a_turn_gives_way_to_the_user_s_own) {
  const auto body = [&](std::vector<std::string> args) {
    args.insert(args.begin(), "--multi-turn");
    return parse(std::move(args)).plan.load.turn_body;
  };
  EXPECT_EQ(body({"--ignore-eos"}), "");
  EXPECT_EQ(body({"--extra-body", R"({"min_tokens": 3})"}), "");
  EXPECT_EQ(body({"--turn-body", R"({"min_tokens": 3})"}), R"({"min_tokens": 3})");
  EXPECT_EQ(body({"--turn-body", R"({"a": 1})"}),
            R"({"a": 1, "min_tokens": "$least_answer_tokens"})");
}

TEST_F(load_rules, settings_of_multi_turn_need_it) {
  for (const char* flag : {"--multi-turn-concurrency", "--multi-turn-delay-ms"})
    EXPECT_EQ(complaint_of([&] { (void)parse({flag, "4"}); }),
              std::string(flag) + ": is about conversations; add --multi-turn");
}

TEST_F(load_rules, a_run_of_conversations_that_ends_at_a_time_needs_a_limit_in_flight) {
  const request r = parse({"--multi-turn", "--duration", "9s", "--multi-turn-concurrency", "4"});
  EXPECT_EQ(r.plan.load.max_concurrency, 4);
}

TEST_F(load_rules, of_two_limits_of_requests_in_flight_that_of_multi_turn_counts) {
  const request r =
      parse({"--multi-turn", "--max-concurrency", "8", "--multi-turn-concurrency", "4"});
  EXPECT_EQ(r.plan.load.max_concurrency, 4);
  EXPECT_THAT(r.warnings,
              ElementsAre("--max-concurrency has no effect: --multi-turn-concurrency sets it"));
}

TEST_F(load_rules, a_traffic_pattern_takes_the_place_of_a_rate) {
  const auto traffic = [&](const std::vector<std::string>& args) {
    return parse(args).plan.load.traffic;
  };
  constexpr std::int64_t second = 1'000'000'000;
  EXPECT_EQ(traffic({"--traffic", "sine:mean=20,amplitude=10,period=60s"}),
            schedule::pattern(schedule::sine{20, 10, 60 * second}));
  EXPECT_EQ(traffic({"--traffic", "steps:0s=10,30s=50", "--request-rate", "inf"}),
            schedule::pattern(schedule::steps{{{0, 10}, {30 * second, 50}}}));
  EXPECT_EQ(complaint_of_file("[load]\ntraffic = \"steps:0s=10\"\nrequest-rate = 3\n"),
            ":2:11: load.traffic: a traffic pattern, which sets the rate itself, and "
            "load.request-rate exclude each other; leave out one of them");
  EXPECT_EQ(
      complaint_of_file("[load]\ntraffic = \"steps:0s=10,9s=0\"\n"),
      ":2:11: load.traffic: the last step, at 9s, has a rate of 0: later requests would never be "
      "sent; end with a rate above 0; --num-prompts ends the run");
}

TEST_F(load_rules, a_sweep_sets_the_load_of_its_runs) {
  const auto complaint = [&](const std::vector<std::string>& args) {
    return complaint_of([&] { (void)parse(args); });
  };
  EXPECT_EQ(complaint({"--sweep-max-concurrency", "1,2", "--sweep-request-rate", "1"}),
            "--sweep-request-rate: a sweep is over one quantity; leave out one of them; inferbench "
            "sweep combines several");
  EXPECT_EQ(complaint({"--sweep-request-rate", "1,2", "--traffic", "steps:0s=10"}),
            "--traffic: the sweep sets the rate of each run; leave out --traffic or "
            "--sweep-request-rate");
  EXPECT_EQ(complaint({"--sweep-max-concurrency", "1.5"}),
            "--sweep-max-concurrency: \"1.5\" is not a whole number of requests in flight; write "
            "whole numbers of at least 1 with commas between, such as 1,8,64");
  EXPECT_EQ(complaint({"--sweep-max-concurrency", "2", "--num-runs", "3"}),
            "--num-runs: a sweep makes one run for each of its values; leave out --num-runs; "
            "inferbench sweep repeats its runs");
  EXPECT_NE(complaint({"--sweep-max-concurrency", "0"}), "");
  EXPECT_NE(complaint({"--sweep-request-rate", "1,x"}), "");
  EXPECT_EQ(complaint({"--sweep-max-concurrency", "2", "--request-rate", "5"}), "");
}

TEST_F(load_rules, the_values_of_a_sweep_replace_those_of_the_load) {
  EXPECT_THAT(parse({"--sweep-max-concurrency", "1,2", "--max-concurrency", "4",
                     "--sweep-num-prompts-factor", "2", "--num-prompts", "9"})
                  .warnings,
              ElementsAre("--max-concurrency has no effect: --sweep-max-concurrency sets it for "
                          "each run",
                          "--num-prompts has no effect: --sweep-max-concurrency sets it for each "
                          "run"));
  EXPECT_THAT(parse({"--sweep-request-rate", "1,2", "--request-rate", "4"}).warnings,
              ElementsAre("--request-rate has no effect: --sweep-request-rate sets it for each "
                          "run"));
}

TEST_F(load_rules, flags_of_a_sweep_without_a_sweep_cause_warnings) {
  EXPECT_THAT(
      parse({"--sweep-num-prompts-factor", "2", "--sweep-summary-percentiles", "95"}).warnings,
      ElementsAre("--sweep-num-prompts-factor has no effect without --sweep-max-concurrency",
                  "--sweep-summary-percentiles has no effect without --sweep-max-concurrency or "
                  "--sweep-request-rate"));
}

TEST_F(load_rules, self_timed_has_three_states) {
  const std::vector<std::string> trace{"--dataset-name", "timed_trace", "--dataset-path", "x"};
  const auto with = [&](std::initializer_list<std::string> more) {
    auto args = trace;
    args.insert(args.end(), more);
    return parse(args).plan.load.self_timed;
  };
  EXPECT_EQ(with({}), std::nullopt);
  EXPECT_EQ(with({"--self-timed"}), true);
  EXPECT_EQ(with({"--no-self-timed"}), false);
  EXPECT_EQ(with({"--self-timed", "--no-self-timed"}), false);
  EXPECT_EQ(with({"--no-self-timed", "--self-timed"}), true);
  EXPECT_EQ(with({"--no-self-timed=false"}), true);
}

TEST_F(load_rules, the_times_of_a_dataset_and_a_pattern_exclude_each_other) {
  EXPECT_EQ(
      complaint_of(
          [&] { parse({"--dataset-name", "hub", "--traffic", "steps:0s=10", "--self-timed"}); }),
      "--self-timed: the times of the dataset and --traffic exclude each other; leave out one "
      "of them");
  EXPECT_EQ(parse({"--dataset-name", "hub", "--traffic", "steps:0s=10", "--no-self-timed"})
                .plan.load.self_timed,
            false);
}

TEST_F(load_rules, datasets_that_upstream_does_not_know_may_be_timed) {
  EXPECT_EQ(parse({"--dataset-name", "hub", "--self-timed"}).plan.load.self_timed, true);
}

TEST_F(load_rules, a_run_without_an_end_is_refused) {
  const auto complaint = [&](std::vector<std::string> args) {
    return complaint_of([&] { parse(std::move(args)); });
  };
  EXPECT_EQ(complaint({"--num-prompts", "-1"}),
            "--num-prompts: dataset random makes any number of requests, so -1 for all of them has "
            "no end; give a number above 0, or a time with --duration");
  EXPECT_EQ(complaint({"--num-prompts", "-1", "--duration", "9s", "--request-rate", "3"}), "");
  EXPECT_EQ(complaint({"--dataset-name", "hub", "--num-prompts", "-1"}), "");
  EXPECT_EQ(complaint({"--duration", "9s"}),
            "--duration: an infinite rate makes requests without end; limit those in flight with "
            "--max-concurrency, their rate with --request-rate, or their number with "
            "--num-prompts");
  EXPECT_EQ(complaint({"--duration", "9s", "--max-concurrency", "4"}), "");
  EXPECT_EQ(complaint({"--duration", "9s", "--num-prompts", "4"}), "");
  EXPECT_EQ(complaint({"--duration", "9s", "--traffic", "steps:0s=10"}), "");
  // Whether the samples of other datasets have times is known only when they are prepared.
  EXPECT_EQ(complaint({"--dataset-name", "hub", "--duration", "9s"}), "");
  EXPECT_EQ(complaint({"--dataset-name", "guest-random", "--duration", "9s"}), "");
  EXPECT_EQ(complaint_of([&] {
              (void)parse_dataset_show(std::vector<std::string>{"--num-prompts", "0"}, env,
                                       plugins);
            }),
            "--num-prompts: dataset random makes any number of requests, so 0 for all of them has "
            "no end; give a number above 0");
  EXPECT_EQ(
      complaint_of_file("[dataset]\nnum-prompts = -1\n"),
      ":2:15: dataset.num-prompts: dataset random makes any number of requests, so -1 for all "
      "of them has no end; give a number above 0, or a time with load.duration");
}

TEST_F(load_rules, a_ramp_up_needs_a_number_of_requests_even_if_it_ends_at_a_time) {
  const std::vector<std::string> ramp{"--ramp-up-strategy", "linear", "--ramp-up-start-rps", "1",
                                      "--ramp-up-end-rps",  "9",      "--duration",          "9s"};
  EXPECT_EQ(complaint_of([&] { parse(ramp); }),
            "--duration: the rates of a ramp-up depend on the number of requests, which a time "
            "leaves open; add --num-prompts, or use steps with --traffic");
  auto counted = ramp;
  counted.insert(counted.end(), {"--num-prompts", "50"});
  EXPECT_EQ(parse(counted).plan.num_prompts, 50);
}

TEST_F(load_rules, whether_a_dataset_has_times_is_certain_for_those_of_this_program_only) {
  EXPECT_THAT(complaint_of([&] { parse({"--self-timed"}); }),
              StartsWith("--self-timed: dataset random gives its requests no times"));
  plugins.others.push_back("random");
  EXPECT_EQ(parse({"--self-timed"}).plan.load.self_timed, true);
  EXPECT_EQ(complaint_of([&] { parse({"--duration", "9s"}); }), "");
  EXPECT_EQ(parse({"--dataset-name", "guest-random", "--self-timed"}).plan.load.self_timed, true);
}

TEST_F(load_rules, a_traffic_pattern_and_an_unfinished_ramp_up_exclude_each_other) {
  EXPECT_EQ(complaint_of(
                [&] { (void)parse({"--traffic", "steps:0s=10", "--ramp-up-strategy", "linear"}); }),
            "--traffic: a traffic pattern, which sets the rate itself, and --ramp-up-strategy "
            "exclude each other; leave out one of them");
}

}  // namespace
}  // namespace inferbench::config
