// Tests the reporter `json`: the members of its results.
#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "driver.hpp"
#include "json_file.hpp"

namespace inferbench::reporters_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

/// The result of the run with `"summary": "bounded"`.
input bounded(input in) {
  in.run.bounded = true;
  in.resolved.insert(1, R"("summary": "bounded", )");
  return in;
}

TEST_F(json_file, a_run_in_constant_memory_has_no_entry_for_each_request) {
  for (const input& in : {plain_run(), pooling_run()}) {
    ASSERT_TRUE(report_with("json", named(), in).ok);
    const auto exact = strictly_parsed(text());
    ASSERT_TRUE(report_with("json", named(), bounded(in)).ok);
    const auto result = strictly_parsed(text());
    std::vector<std::string> expected = keys_of(exact);
    std::erase(expected, "latencies");
    std::erase(expected, "queue_times");
    EXPECT_EQ(keys_of(result), expected);
    const auto& facts = result["inferbench"]["facts"];
    EXPECT_STREQ(facts["summary"]["kind"].GetString(), "bounded");
    EXPECT_EQ(facts["summary"]["error"].GetDouble(), 0.001);
  }
}

TEST_F(json_file, details_are_also_available_in_a_bounded_run) {
  ASSERT_TRUE(report_with("json", named({{"save-detailed", true}}), bounded(plain_run())).ok);
  const auto result = strictly_parsed(text());
  EXPECT_EQ(result["latencies"].Size(), 3U);
  EXPECT_EQ(result["itls"].Size(), 3U);
}

TEST_F(json_file, the_summary_of_a_generation_run) {
  const outcome o = report_with("json", named(), plain_run());
  EXPECT_TRUE(o.ok) << testing::PrintToString(o.lines);
  expect_golden(text(), "plain.json");
  EXPECT_THAT(o.artifacts, ElementsAre(Pair("result", (folder / "r.json").string())));
  EXPECT_THAT(o.printed, IsEmpty());
}

TEST_F(json_file, a_detailed_run_with_failures_goodput_label_and_metadata) {
  EXPECT_TRUE(
      report_with("json",
                  named({{"save-detailed", true},
                         {"label", std::string("night/run")},
                         {"metadata", std::vector<std::string>{"gpu = H200 = fast", "note="}}}),
                  strained_run())
          .ok);
  expect_golden(text(), "strained.json");
}

TEST_F(json_file, the_multi_turn_mode_has_the_members_of_vllms_rust_client) {
  ASSERT_TRUE(report_with("json", named(), multi_turn_run("")).ok);
  std::vector<std::string> expected = keys_of(strictly_parsed(text()));
  ASSERT_TRUE(report_with("json", named(), multi_turn_run()).ok);
  expect_golden(text(), "multi_turn.json");
  const auto after = [&](const char* place, std::initializer_list<const char*> names) {
    expected.insert(std::ranges::find(expected, place) + 1, names.begin(), names.end());
  };
  after("date", {"mode"});
  after("num_prompts", {"num_conversations", "turns_per_conversation", "multi_turn_concurrency",
                        "inter_turn_delay_ms"});
  after("rtfx", {"conversations_completed", "conversations_failed", "avg_turns_completed",
                 "avg_conversation_duration_ms", "input_throughput"});
  after("p99_e2el_ms", {"per_turn_metrics"});
  EXPECT_EQ(keys_of(strictly_parsed(text())), expected);
}

TEST_F(json_file, separate_turns_add_the_shares_of_their_prefixes) {
  const std::string separate = R"({"concurrency": 2, "separate_turns": true})";
  input in = multi_turn_run(separate);
  ASSERT_TRUE(report_with("json", named(), in).ok);
  EXPECT_THAT(text(), HasSubstr("\"multi_turn_concurrency\": 2, \"inter_turn_delay_ms\": 0, "
                                "\"prefix_global_ratio\": 0.0, "
                                "\"prefix_conversation_ratio\": 0.0, "
                                "\"prefix_unique_ratio\": 1.0, "
                                "\"no_history_accumulation\": true, \"request_rate\""));
  in.resolved.replace(in.resolved.find("{\"multi-turn-num-turns\": 2}"), 27,
                      R"({"multi-turn-prefix-global-ratio": 0.25,
                          "multi-turn-prefix-conversation-ratio": 0.5})");
  ASSERT_TRUE(report_with("json", named(), in).ok);
  EXPECT_THAT(text(), HasSubstr("\"turns_per_conversation\": 3, "));
  EXPECT_THAT(text(), HasSubstr("\"prefix_global_ratio\": 0.25, "
                                "\"prefix_conversation_ratio\": 0.5, "
                                "\"prefix_unique_ratio\": 0.25, "));
}

TEST_F(json_file, a_pooling_run) {
  EXPECT_TRUE(report_with("json", named({{"save-detailed", true}}), pooling_run()).ok);
  expect_golden(text(), "pooling.json");
}

TEST_F(json_file, everything_that_a_run_can_have) {
  ASSERT_TRUE(report_with("json", named({{"save-detailed", true}}), full_run()).ok);
  expect_golden(text(), "full.json");
}

TEST_F(json_file, a_ramp_up_with_a_cap) {
  ASSERT_TRUE(report_with("json", named(), closed_run()).ok);
  expect_golden(text(), "closed.json");
}

TEST_F(json_file, upstreams_keys_are_in_upstreams_order) {
  ASSERT_TRUE(report_with("json", named({{"save-detailed", true}}), full_run()).ok);
  EXPECT_THAT(
      keys_of(strictly_parsed(text())),
      ElementsAre(
          "date", "endpoint_type", "backend", "label", "model_id", "tokenizer_id", "num_prompts",
          "from", "request_rate", "burstiness", "max_concurrency", "duration", "completed",
          "failed", "total_input_tokens", "total_cached_tokens", "total_output_tokens",
          "request_throughput", "request_goodput", "output_throughput", "total_token_throughput",
          "input_lens", "output_lens", "ttfts", "itls", "latencies", "start_times", "queue_times",
          "generated_texts", "errors", "max_output_tokens_per_s", "max_concurrent_requests", "rtfx",
          "probe_completed", "probe_failed", "probe_median_e2el_ms", "probe_p99_e2el_ms",
          "probe_max_e2el_ms", "spec_decode_acceptance_rate", "spec_decode_acceptance_length",
          "spec_decode_num_drafts", "spec_decode_draft_tokens", "spec_decode_accepted_tokens",
          "spec_decode_per_position_acceptance_rates", "mean_ttft_ms", "median_ttft_ms",
          "std_ttft_ms", "p50_ttft_ms", "p99.9_ttft_ms", "p99_ttft_ms", "mean_tpot_ms",
          "median_tpot_ms", "std_tpot_ms", "p50_tpot_ms", "p99.9_tpot_ms", "p99_tpot_ms",
          "mean_itl_ms", "median_itl_ms", "std_itl_ms", "p50_itl_ms", "p99.9_itl_ms", "p99_itl_ms",
          "mean_e2el_ms", "median_e2el_ms", "std_e2el_ms", "p50_e2el_ms", "p99.9_e2el_ms",
          "p99_e2el_ms", "mean_client_queue_time_ms", "median_client_queue_time_ms",
          "std_client_queue_time_ms", "p50_client_queue_time_ms", "p99.9_client_queue_time_ms",
          "p99_client_queue_time_ms", "mean_e2el_including_client_queue_ms",
          "median_e2el_including_client_queue_ms", "std_e2el_including_client_queue_ms",
          "p50_e2el_including_client_queue_ms", "p99.9_e2el_including_client_queue_ms",
          "p99_e2el_including_client_queue_ms", "inferbench"));
}

TEST_F(json_file, flags_of_branches_are_members_only_if_they_were_given) {
  input in = plain_run();
  in.resolved.insert(1,
                     R"("flags": {"num-warmups": 3, "max-model-len": 64, "enable-vad": true}, )");
  ASSERT_TRUE(report_with("json", named(), in).ok);
  const auto given = strictly_parsed(text());
  EXPECT_EQ(given["num_warmups"].GetInt(), 3);
  EXPECT_EQ(given["max_model_len"].GetInt(), 64);
  EXPECT_TRUE(given["enable_vad"].GetBool());
  const auto keys = keys_of(given);
  EXPECT_THAT(std::vector(keys.begin() + 6, keys.begin() + 13),
              ElementsAre("num_prompts", "max_model_len", "request_rate", "burstiness",
                          "num_warmups", "max_concurrency", "enable_vad"));
  in = plain_run();
  in.resolved.insert(1, R"("flags": {"num-warmups": 0, "enable-vad": false}, )");
  ASSERT_TRUE(report_with("json", named(), in).ok);
  const auto off = strictly_parsed(text());
  EXPECT_FALSE(off.HasMember("num_warmups") || off.HasMember("enable_vad"));
}

TEST_F(json_file, both_kinds_of_the_servers_counters_are_kept) {
  ASSERT_TRUE(report_with("json", named(), diffusing_run()).ok);
  const auto d = strictly_parsed(text());
  EXPECT_EQ(d["spec_decode_per_position_acceptance_rates"].Size(), 0U);
  EXPECT_EQ(d["diffusion_committed_tokens"].GetInt(), 2160);
  EXPECT_EQ(d["diffusion_committed_throughput"].GetDouble(), 1234.5678);
}

TEST_F(json_file, probes_of_which_none_succeeded_have_no_keys) {
  input in = plain_run();
  in.run.beside = {{metrics::metric::probe_completed, 0}, {metrics::metric::probe_failed, 7}};
  ASSERT_TRUE(report_with("json", named(), in).ok);
  EXPECT_FALSE(strictly_parsed(text()).HasMember("probe_failed"));
}

TEST_F(json_file, a_steady_state_that_was_not_reached_is_null_with_its_reason) {
  input in = closed_run();
  in.run.max_concurrency = 3;
  ASSERT_TRUE(report_with("json", named(), in).ok);
  const auto d = strictly_parsed(text());
  EXPECT_TRUE(d["steady_state"].IsNull());
  const auto& facts = d["inferbench"]["facts"];
  EXPECT_FALSE(facts.HasMember("steady_state"));
  EXPECT_THAT(facts["steady_state_missing"].GetString(), HasSubstr("never reached"));
}

TEST_F(json_file, goals_certainty_and_the_steady_part_are_members_beside_the_facts) {
  input in = plain_run();
  in.run.thresholds = {"ttft.p99<200ms", "failed<=1%"};
  in.run.set_fact("series", R"({"interval_s": 1.0, "sources": []})");
  ASSERT_TRUE(report_with("json", named(), in).ok);
  const auto d = strictly_parsed(text());
  const auto& ours = d["inferbench"];
  for (const char* name : {"certainty", "thresholds", "steady", "series"}) {
    EXPECT_TRUE(ours.HasMember(name)) << name;
    EXPECT_FALSE(ours["facts"].HasMember(name)) << name;
  }
  ASSERT_EQ(ours["thresholds"].Size(), 2U);
  EXPECT_STREQ(ours["thresholds"][0]["goal"].GetString(), "ttft.p99<200ms");
  EXPECT_TRUE(ours["thresholds"][0]["value"].IsNumber());
  EXPECT_STREQ(ours["thresholds"][1]["statistic"].GetString(), "share");
}

TEST_F(json_file, the_plan_is_kept_without_the_secrets_of_addresses) {
  input in = plain_run();
  in.plan = R"("server": {"base-url": ["http://me:pw@host:1/v1", "http://h/a@b"], "insecure": true,
                          "proxy": "http://you:pw@p:3128", "idle-timeout": 30.0},
               "load": {"request-rate": "inf"}, )";
  ASSERT_TRUE(report_with("json", named(), in).ok);
  EXPECT_THAT(text(),
              HasSubstr(R"("config": {"server": {"base-url": ["http://(cut)@host:1/v1", )"
                        R"("http://h/a@b"], "insecure": true, "proxy": "http://(cut)@p:3128", )"
                        R"("idle-timeout": 30.0}, "load": {"request-rate": "inf"}}, "env)"));
}

TEST_F(json_file, every_file_is_strict_json_with_our_key_last) {
  for (const input& in : {plain_run(), strained_run(), pooling_run(), hopeless_run()}) {
    for (const bool detailed : {false, true}) {
      ASSERT_TRUE(report_with("json", named({{"save-detailed", detailed}}), in).ok);
      const std::string line = text();
      EXPECT_EQ(line.find('\n'), std::string::npos);
      const auto d = strictly_parsed(line);
      ASSERT_TRUE(d.IsObject());
      EXPECT_EQ(keys_of(d).back(), "inferbench");
      EXPECT_TRUE(d["inferbench"]["facts"].IsObject());
      EXPECT_STREQ(d["inferbench"]["environment"]["host"].GetString(), "test");
    }
  }
}

TEST_F(json_file, metadata_replaces_earlier_members_and_is_replaced_by_later_members) {
  ASSERT_TRUE(report_with("json",
                          named({{"metadata", std::vector<std::string>{"backend=mine", "duration=x",
                                                                       "own=1", "own=2"}}}),
                          plain_run())
                  .ok);
  const auto d = strictly_parsed(text());
  EXPECT_STREQ(d["backend"].GetString(), "mine");
  EXPECT_EQ(d["duration"].GetDouble(), 1.75);
  EXPECT_STREQ(d["own"].GetString(), "2");
  const auto keys = keys_of(d);
  EXPECT_THAT(std::vector<std::string>(keys.begin(), keys.begin() + 10),
              ElementsAre("date", "endpoint_type", "backend", "label", "model_id", "tokenizer_id",
                          "num_prompts", "duration", "own", "request_rate"));
}

TEST_F(json_file, metadata_without_a_value_is_refused_before_the_run) {
  try {
    (void)report_with("json", named({{"metadata", std::vector<std::string>{"a=1", "oops"}}}),
                      plain_run());
    FAIL() << "accepted";
  } catch (const base::error& e) {
    EXPECT_THAT(std::string(e.what()), HasSubstr("\"oops\" is not KEY=VALUE"));
  }
}

}  // namespace
}  // namespace inferbench::reporters_test
