#include "config/rules.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/request.hpp"
#include "framework/config/fake_catalog.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::config {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::EndsWith;
using testing::IsEmpty;
using testing::StartsWith;

// Tests of refused values are in tests/fixtures/config/errors.txt.
class rules : public testing::Test {
 protected:
  request parse(std::vector<std::string> args) {
    args.insert(args.end(), {"--temperature", "0"});
    return parse_serve(args, env, plugins);
  }
  request parse_file(const std::string& text, const std::vector<std::string>& more = {}) {
    std::vector<std::string> args{files.write("rules.toml", text)};
    args.insert(args.end(), more.begin(), more.end());
    return parse_run(args, env, plugins);
  }
  std::string complaint_of_file(const std::string& text) {
    const std::string found = complaint_of([&] { (void)parse_file(text); });
    return found.substr(found.find("rules.toml") + 10);
  }

  const support::temporary_folder files;
  options::environment env = test_environment();
  fake_catalog plugins;
};

TEST_F(rules, a_ramp_up_has_strategy_start_and_end) {
  const plan p = parse({"--ramp-up-strategy", "exponential", "--ramp-up-start-rps", "2",
                        "--ramp-up-end-rps", "2", "--request-rate", "inf"})
                     .plan;
  EXPECT_EQ(p.load.traffic, schedule::pattern(schedule::ramp{true, 2, 2}));
  EXPECT_EQ(parse({}).plan.load.traffic, schedule::pattern(schedule::at_once{}));
}

TEST_F(rules, ends_of_a_ramp_up_without_a_strategy_cause_a_warning) {
  const request r = parse({"--ramp-up-start-rps", "0"});
  EXPECT_EQ(r.plan.load.traffic, schedule::pattern(schedule::at_once{}));
  EXPECT_THAT(r.warnings,
              ElementsAre("--ramp-up-start-rps has no effect without --ramp-up-strategy"));
}

TEST_F(rules, multi_turn_has_the_load_of_the_rust_client) {
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

TEST_F(rules, the_least_length_of_a_turn_gives_way_to_the_user_s_own) {
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

TEST_F(rules, settings_of_multi_turn_need_it) {
  for (const char* flag : {"--multi-turn-concurrency", "--multi-turn-delay-ms"})
    EXPECT_EQ(complaint_of([&] { (void)parse({flag, "4"}); }),
              std::string(flag) + ": is about conversations; add --multi-turn");
}

TEST_F(rules, a_run_of_conversations_that_ends_at_a_time_needs_a_limit_in_flight) {
  const request r = parse({"--multi-turn", "--duration", "9s", "--multi-turn-concurrency", "4"});
  EXPECT_EQ(r.plan.load.max_concurrency, 4);
}

TEST_F(rules, of_two_limits_of_requests_in_flight_that_of_multi_turn_counts) {
  const request r =
      parse({"--multi-turn", "--max-concurrency", "8", "--multi-turn-concurrency", "4"});
  EXPECT_EQ(r.plan.load.max_concurrency, 4);
  EXPECT_THAT(r.warnings,
              ElementsAre("--max-concurrency has no effect: --multi-turn-concurrency sets it"));
}

TEST_F(rules, a_traffic_pattern_takes_the_place_of_a_rate) {
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

TEST_F(rules, a_sweep_sets_the_load_of_its_runs) {
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

TEST_F(rules, the_values_of_a_sweep_replace_those_of_the_load) {
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

TEST_F(rules, flags_of_a_sweep_without_a_sweep_cause_warnings) {
  EXPECT_THAT(
      parse({"--sweep-num-prompts-factor", "2", "--sweep-summary-percentiles", "95"}).warnings,
      ElementsAre("--sweep-num-prompts-factor has no effect without --sweep-max-concurrency",
                  "--sweep-summary-percentiles has no effect without --sweep-max-concurrency or "
                  "--sweep-request-rate"));
}

TEST_F(rules, a_threshold_of_the_profiler_needs_the_profiler) {
  EXPECT_EQ(complaint_of([&] { (void)parse({"--profile-batch-threshold", "3"}); }),
            "--profile-batch-threshold: the profiler is not used; add --profile");
  EXPECT_THAT(parse({"--profile", "--profile-duration", "3"}).warnings,
              ElementsAre("--profile-duration has no effect without --profile-batch-threshold"));
}

TEST_F(rules, self_timed_has_three_states) {
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

TEST_F(rules, the_times_of_a_dataset_and_a_pattern_exclude_each_other) {
  EXPECT_EQ(
      complaint_of(
          [&] { parse({"--dataset-name", "hub", "--traffic", "steps:0s=10", "--self-timed"}); }),
      "--self-timed: the times of the dataset and --traffic exclude each other; leave out one "
      "of them");
  EXPECT_EQ(parse({"--dataset-name", "hub", "--traffic", "steps:0s=10", "--no-self-timed"})
                .plan.load.self_timed,
            false);
}

TEST_F(rules, datasets_that_upstream_does_not_know_may_be_timed) {
  EXPECT_EQ(parse({"--dataset-name", "hub", "--self-timed"}).plan.load.self_timed, true);
}

TEST_F(rules, a_run_without_an_end_is_refused) {
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

TEST_F(rules, a_ramp_up_needs_a_number_of_requests_even_if_it_ends_at_a_time) {
  const std::vector<std::string> ramp{"--ramp-up-strategy", "linear", "--ramp-up-start-rps", "1",
                                      "--ramp-up-end-rps",  "9",      "--duration",          "9s"};
  EXPECT_EQ(complaint_of([&] { parse(ramp); }),
            "--duration: the rates of a ramp-up depend on the number of requests, which a time "
            "leaves open; add --num-prompts, or use steps with --traffic");
  auto counted = ramp;
  counted.insert(counted.end(), {"--num-prompts", "50"});
  EXPECT_EQ(parse(counted).plan.num_prompts, 50);
}

TEST_F(rules, whether_a_dataset_has_times_is_certain_for_those_of_this_program_only) {
  EXPECT_THAT(complaint_of([&] { parse({"--self-timed"}); }),
              StartsWith("--self-timed: dataset random gives its requests no times"));
  plugins.others.push_back("random");
  EXPECT_EQ(parse({"--self-timed"}).plan.load.self_timed, true);
  EXPECT_EQ(complaint_of([&] { parse({"--duration", "9s"}); }), "");
  EXPECT_EQ(parse({"--dataset-name", "guest-random", "--self-timed"}).plan.load.self_timed, true);
}

/// Adds the datasets of media, and backends that may send them.
void add_media(fake_catalog& to) {
  const ifb_option path = fake_catalog::option("path", IFB_PATH, "Data.", nullptr);
  to.add_with_own(IFB_DATASET, "random-mm", {});
  to.add_with_own(IFB_DATASET, "custom_mm", {path});
  to.add_with_own(
      IFB_DATASET, "hf",
      {fake_catalog::general(path),
       fake_catalog::flagged(fake_catalog::option("hf-name", IFB_STRING, "Name.", nullptr),
                             "hf-name"),
       fake_catalog::flagged(fake_catalog::option("hf-recipe", IFB_PATH, "Recipe.", nullptr),
                             "hf-recipe")});
  for (const char* name : {"openai-audio", "openai-embeddings-clip", "mine"})
    to.add_with_own(IFB_BACKEND, name,
                    {fake_catalog::option("model", IFB_STRING, "Model.", nullptr),
                     fake_catalog::option("extra-body", IFB_JSON, "More members.", nullptr)});
}

TEST_F(rules, datasets_with_media_need_a_backend_that_sends_media) {
  add_media(plugins);
  const auto complaint = [&](std::vector<std::string> args) {
    return complaint_of([&] { parse(std::move(args)); });
  };
  const auto of_random = [&](const std::string& backend) {
    return complaint({"--dataset-name", "random-mm", "--backend", backend});
  };
  const std::string unsuited =
      "--backend: dataset random-mm has images, videos or sound, for which backend ";
  EXPECT_EQ(of_random("openai"), unsuited + "openai is not suited; choose openai-chat");
  EXPECT_EQ(complaint({"--dataset-name", "random-mm"}),
            unsuited + "openai is not suited; choose openai-chat");
  EXPECT_EQ(complaint_of([&] { (void)parse_file("[dataset]\nuse = \"random-mm\"\n"); }),
            "backend.use: dataset random-mm has images, videos or sound, for which backend openai "
            "is not suited; choose openai-chat");
  EXPECT_EQ(of_random("openai-audio"), unsuited + "openai-audio is not suited; choose openai-chat");
  EXPECT_EQ(of_random("openai-chat"), "");
  EXPECT_EQ(of_random("mine"), "") << "upstream does not know this backend";

  const auto of_hub = [&](const std::string& backend, std::vector<std::string> more) {
    more.insert(more.end(), {"--dataset-name", "hf", "--backend", backend});
    return complaint(std::move(more));
  };
  const std::string remedy =
      " is not suited; choose openai-chat, openai-embeddings-chat, openai-embeddings-clip, "
      "openai-embeddings-vlm2vec, infinity-embeddings-clip";
  const std::vector<std::string> stars{"--dataset-path", "Lin-Chen/MMStar"};
  EXPECT_EQ(of_hub("openai", stars),
            "--backend: data set Lin-Chen/MMStar has images, videos or sound, for which backend "
            "openai" +
                remedy);
  EXPECT_EQ(of_hub("openai-responses", {"--dataset-path", "./rows", "--hf-name", "yale-nlp/MMVU"}),
            "--backend: data set yale-nlp/MMVU has images, videos or sound, for which backend "
            "openai-responses" +
                remedy);
  for (const char* backend : {"openai-chat", "openai-embeddings-clip", "mine"})
    EXPECT_EQ(of_hub(backend, stars), "") << backend;
  const std::vector<std::string> speech{"--dataset-path", "openslr/librispeech_asr"};
  EXPECT_THAT(of_hub("openai-audio", stars), EndsWith("openai-audio" + remedy));
  EXPECT_THAT(of_hub("openai-embeddings-clip", speech),
              EndsWith("is not suited; choose openai-chat, openai-audio"));
  for (const char* backend : {"openai-chat", "openai-audio", "mine"})
    EXPECT_EQ(of_hub(backend, speech), "") << backend;
  EXPECT_EQ(of_hub("openai", {"--dataset-path", "openai/gsm8k"}), "");
  EXPECT_EQ(
      of_hub("openai", {"--dataset-path", "Lin-Chen/MMStar", "--hf-recipe", "text_only.toml"}), "");

  plugins.others = {"hf", "random-mm"};
  EXPECT_EQ(of_random("openai"), "") << "the dataset is not of this program";
  EXPECT_EQ(of_hub("openai", stars), "");
  plugins.others = {"openai"};
  EXPECT_EQ(of_random("openai"), "") << "the backend is not of this program";
}

TEST_F(rules, the_plan_knows_backends_that_leave_out_media_and_prompts_that_keep_their_length) {
  add_media(plugins);
  EXPECT_TRUE(parse({}).plan.media_left_out);
  EXPECT_FALSE(parse({"--backend", "openai-chat"}).plan.media_left_out);
  EXPECT_FALSE(parse({"--backend", "mine"}).plan.media_left_out);
  EXPECT_TRUE(parse({}).plan.align_prompts);
  EXPECT_FALSE(
      parse({"--backend", "openai-chat", "--dataset-name", "random-mm"}).plan.align_prompts);
  plugins.others = {"openai"};
  EXPECT_FALSE(parse({}).plan.media_left_out);
}

TEST_F(rules, an_old_name_of_a_dataset_is_taken_with_a_note) {
  add_media(plugins);
  EXPECT_THAT(parse({"--dataset-name", "custom_mm", "--dataset-path", "x.jsonl"}).warnings,
              ElementsAre("dataset custom_mm is an old name of custom_image"));
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

TEST_F(rules, a_traffic_pattern_and_an_unfinished_ramp_up_exclude_each_other) {
  EXPECT_EQ(complaint_of(
                [&] { (void)parse({"--traffic", "steps:0s=10", "--ramp-up-strategy", "linear"}); }),
            "--traffic: a traffic pattern, which sets the rate itself, and --ramp-up-strategy "
            "exclude each other; leave out one of them");
}

TEST_F(rules, a_plot_that_no_reporter_of_the_file_draws_is_a_warning) {
  const std::string file = "[run]\nplot-timeline = true\nplot-dataset-stats = true\n";
  EXPECT_THAT(parse_file(file + "[[reporter]]\nuse = \"timeline\"\n").warnings,
              Contains(StartsWith("run.plot-dataset-stats has no effect: the file names its")));
  const auto idle = Contains(testing::HasSubstr("has no effect"));
  EXPECT_THAT(parse_file(file).warnings, testing::Not(idle));
}

TEST_F(rules, a_variable_that_the_reporters_of_the_file_do_not_hear_is_a_warning) {
  const auto idle = Contains(
      "$SAVE_TO_PYTORCH_BENCHMARK_FORMAT has no effect: the file names its reporters; add "
      "[[reporter]] with use = \"pytorch\"");
  const std::string file = "[[reporter]]\nuse = \"json\"\n";
  EXPECT_THAT(parse_file(file).warnings, testing::Not(idle));
  env.variables["SAVE_TO_PYTORCH_BENCHMARK_FORMAT"] = "1";
  EXPECT_THAT(parse_file(file).warnings, idle);
  EXPECT_THAT(parse_file(file + "[[reporter]]\nuse = \"pytorch\"\n").warnings, testing::Not(idle));
  EXPECT_THAT(parse_file("[run]\nsave-result = true\n").warnings, testing::Not(idle));
  // The variable concerns only saved results.
  EXPECT_THAT(parse_file("[[reporter]]\nuse = \"console\"\n").warnings, testing::Not(idle));
  EXPECT_THAT(parse({}).warnings, testing::Not(idle));
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

TEST_F(rules, flags_choose_reporters) {
  env.variables["SAVE_TO_PYTORCH_BENCHMARK_FORMAT"] = "1";
  const auto names = [&](std::vector<std::string> args) {
    std::vector<std::string> out;
    for (const options::plugin_choice& reporter : parse(std::move(args)).plan.reporters)
      out.push_back(reporter.use);
    return out;
  };
  EXPECT_THAT(names({}), ElementsAre("console"));
  EXPECT_THAT(names({"--plot-timeline"}), ElementsAre("console", "timeline"));
  EXPECT_THAT(names({"--append-result", "--plot-dataset-stats", "--plot-timeline"}),
              ElementsAre("console", "json", "pytorch", "timeline", "dataset-stats"));
  env.variables["SAVE_TO_PYTORCH_BENCHMARK_FORMAT"] = "";
  EXPECT_THAT(names({"--save-result"}), ElementsAre("console", "json"));
}

TEST_F(rules, reporters_of_plots_get_the_thresholds_and_the_folder_of_results) {
  const plan p =
      parse({"--plot-timeline", "--plot-dataset-stats", "--timeline-itl-thresholds", "10.5, 20",
             "--result-dir", "out", "--label", "l", "--result-filename", "r.json"})
          .plan;
  const options::plugin_choice& timeline = p.reporters[1];
  EXPECT_THAT(timeline.find("itl-thresholds")->list, ElementsAre("10.5", "20.0"));
  EXPECT_EQ(timeline.find("result-dir")->text, "out");
  EXPECT_EQ(timeline.find("label")->text, "l");
  // A plugin may declare the thresholds as one text.
  EXPECT_EQ(p.reporters[2].find("itl-thresholds")->text, "10.5,20.0");
  EXPECT_EQ(p.reporters[2].find("result-filename")->text, "r.json");
}

TEST_F(rules, thresholds_without_a_timeline_cause_a_warning) {
  EXPECT_THAT(parse({"--timeline-itl-thresholds", "5,10"}).warnings,
              Contains("--timeline-itl-thresholds has no effect without --plot-timeline"));
  EXPECT_THAT(parse({"--timeline-itl-thresholds", "5,10", "--reporter", "timeline"}).warnings,
              IsEmpty());
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

TEST_F(rules, general_flags_of_datasets_go_to_datasets_that_declare_them) {
  const request r = parse({"--dataset-name", "hub", "--no-stream", "--skip-chat-template",
                           "--enable-multimodal-chat", "--chat-template-kwargs.thinking", "true",
                           "--trust-remote-code"});
  EXPECT_EQ(r.plan.dataset.find("no-stream")->integer, 1);
  EXPECT_EQ(r.plan.dataset.find("skip-chat-template")->integer, 1);
  EXPECT_EQ(r.plan.dataset.find("enable-multimodal-chat")->integer, 1);
  EXPECT_EQ(r.plan.dataset.find("trust-remote-code")->integer, 1);
  EXPECT_EQ(r.plan.dataset.find("chat-template-kwargs")->text, R"({"thinking": true})");
  EXPECT_THAT(r.warnings, IsEmpty());
  EXPECT_THAT(parse({"--no-stream"}).warnings,
              ElementsAre("--no-stream has no effect: dataset random has no option no-stream"));
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

TEST_F(rules, flags_about_a_result_that_is_not_saved_cause_a_warning) {
  const auto warnings = [&](std::vector<std::string> args) { return parse(args).warnings; };
  const std::string unsaved = "no result is saved without --save-result; without effect: ";
  EXPECT_THAT(warnings({"--save-detailed"}), ElementsAre(unsaved + "--save-detailed"));
  EXPECT_THAT(warnings({"--metadata", "a=b", "--label", "l", "--result-dir", "d",
                        "--result-filename", "f"}),
              ElementsAre(unsaved + "--result-filename, --result-dir, --label, --metadata"));
  for (const char* saving : {"--save-result", "--append-result"})
    EXPECT_THAT(warnings({"--save-detailed", "--metadata", "a=b", saving}), IsEmpty());
  // A reporter that draws uses folder and label, and the journal stores label and metadata.
  EXPECT_THAT(warnings({"--plot-timeline", "--result-dir", "d", "--label", "l"}), IsEmpty());
  EXPECT_THAT(warnings({"--journal", "j", "--label", "l", "--metadata", "a=b"}), IsEmpty());
  EXPECT_THAT(warnings({"--journal", "none", "--label", "l"}), ElementsAre(unsaved + "--label"));
  const std::string file = "[run]\nlabel = \"l\"\n[[reporter]]\nuse = \"";
  const auto told = testing::Contains(
      "no result is saved without a [[reporter]] that writes one; without effect: run.label");
  EXPECT_THAT(parse_file(file + "console\"\n").warnings, told);
  EXPECT_THAT(parse_file(file + "json\"\n").warnings, testing::Not(told));
}

TEST_F(rules, a_reporter_of_another_author_reads_label_and_metadata_in_the_plan) {
  plugins.add_with_own(IFB_REPORTER, "guest", {});
  plugins.others.emplace_back("guest");
  const auto warnings = [&](const char* reporter, std::vector<std::string> args) {
    args.insert(args.end(), {"--reporter", reporter, "--label", "l", "--metadata", "a=b"});
    return parse(std::move(args)).warnings;
  };
  EXPECT_THAT(warnings("guest", {}), IsEmpty());
  EXPECT_THAT(warnings("guest", {"--save-detailed"}),
              ElementsAre("no result is saved without --save-result; without effect: "
                          "--save-detailed"));
  EXPECT_THAT(warnings("console", {}),
              ElementsAre("no result is saved without --save-result; without effect: --label, "
                          "--metadata"));
}

TEST_F(rules, old_spellings_are_taken_with_a_note) {
  const request r = parse({"--backend", "openai", "--endpoint-type", "openai-chat",
                           "--dataset-name", "hub", "--custom_skip_chat_template"});
  EXPECT_EQ(r.plan.backend.use, "openai-chat");
  EXPECT_EQ(r.plan.dataset.find("skip-chat-template")->integer, 1);
  EXPECT_THAT(r.warnings, ElementsAre("--endpoint-type is an old spelling of --backend",
                                      "--custom-skip-chat-template is an old spelling of "
                                      "--skip-chat-template"));
  // The old flag takes precedence in either order.
  EXPECT_EQ(parse({"--endpoint-type", "openai-chat", "--backend", "openai"}).plan.backend.use,
            "openai-chat");
}

TEST_F(rules, flags_of_datasets_that_are_not_installed_are_taken_with_a_note) {
  const request r = parse({"--hf-split", "train", "--custom-ensure-client-side-data",
                           "--random-mm-limit-mm-per-prompt.image", "3", "--speed-bench-cat=x"});
  EXPECT_THAT(r.warnings, testing::UnorderedElementsAre(
                              "--speed-bench-cat is read as --speed-bench-category",
                              "--hf-split has no effect: dataset hf is not installed",
                              "--custom-ensure-client-side-data has no effect: dataset "
                              "custom_image is not installed",
                              "--random-mm-limit-mm-per-prompt has no effect: dataset random-mm "
                              "is not installed",
                              "--speed-bench-category has no effect: dataset speed_bench is not "
                              "installed"));
  EXPECT_EQ(r.plan.dataset_name, "random");
  // If an installed dataset declares the flag, the warning names that dataset.
  EXPECT_THAT(parse({"--no-reranker"}).warnings,
              ElementsAre("--no-reranker has no effect: dataset prefix_repetition is not in use"));
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
