// Tests the reporter `json`: the bytes of its files, and how it writes the files.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <sys/stat.h>
#include <unistd.h>

#include <inferbench/json_writer.hpp>

#include "base/error.hpp"
#include "base/text.hpp"
#include "driver.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::reporters_test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

class json_file : public testing::Test {
 protected:
  std::vector<setting> named(std::vector<setting> more = {}) const {
    more.push_back({"result-dir", folder.string()});
    more.push_back({"result-filename", std::string("r.json")});
    return more;
  }
  /// The text with a placeholder for the host's version, which golden files must not contain.
  std::string text(const std::string& name = "r.json") const {
    return std::regex_replace(base::read_file((folder / name).string()),
                              std::regex(R"("version": "[^"]*")"), R"("version": "V")");
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
      names.push_back(entry.path().filename());
    return names;
  }

  support::temporary_folder files_;
  const fs::path& folder = files_.root;
};

rapidjson::Document strictly_parsed(const std::string& text) {
  rapidjson::Document d;
  d.Parse<rapidjson::kParseValidateEncodingFlag>(text.data(), text.size());
  EXPECT_FALSE(d.HasParseError()) << text;
  return d;
}

std::vector<std::string> keys_of(const rapidjson::Value& object) {
  std::vector<std::string> keys;
  for (const auto& m : object.GetObject())
    keys.emplace_back(m.name.GetString());
  return keys;
}

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

TEST_F(json_file, times_of_the_server_are_null_where_it_did_not_report_them) {
  input in = plain_run();
  in.records[1].attributes = {{"server_queue_time", "0.25"}, {"server_ttft", "1e-3"}};
  in.records[2].attributes = {{"server_queue_time", "soon"}, {"server_ttft", "0.5"}};
  ASSERT_TRUE(report_with("json", named({{"save-detailed", true}}), in).ok);
  EXPECT_THAT(text(), HasSubstr(R"("server_queue_times": [null, 0.25, null], )"
                                R"("server_ttfts": [null, 0.001, 0.5], "generated_texts")"));
  ASSERT_TRUE(report_with("json", named(), in).ok);
  EXPECT_FALSE(strictly_parsed(text()).HasMember("server_ttfts"));
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

TEST_F(json_file, arrays_are_in_request_order_and_name_the_failures) {
  ASSERT_TRUE(report_with("json", named({{"save-detailed", true}}), strained_run()).ok);
  const auto d = strictly_parsed(text());
  for (const char* name : {"input_lens", "output_lens", "ttfts", "itls", "latencies", "start_times",
                           "queue_times", "generated_texts", "errors"})
    EXPECT_EQ(d[name].Size(), 16U) << name;
  EXPECT_STREQ(d["generated_texts"][0].GetString(), "four tokens");
  EXPECT_STREQ(d["errors"][3].GetString(), "");
  EXPECT_EQ(d["errors"][6].GetString(), std::string("the connection ended inside the body"));
  EXPECT_EQ(d["output_lens"][6].GetInt(), 0);
  EXPECT_EQ(d["latencies"][6].GetDouble(), 0);
  EXPECT_DOUBLE_EQ(d["ttfts"][6].GetDouble(), 0.005);  // recorded before the request failed
  EXPECT_EQ(d["itls"][6].Size(), 1U);
  EXPECT_EQ(d["input_lens"][4].GetInt(), 9);
}

TEST_F(json_file, a_failure_keeps_text_and_latency_where_its_backend_says_that_upstream_does) {
  input in = strained_run();
  in.records[6].text = "so far";
  in.records[6].attributes.emplace_back("partial_answer", "kept");
  in.records[9].text = "not kept";
  ASSERT_TRUE(report_with("json", named({{"save-detailed", true}}), in).ok);
  const auto d = strictly_parsed(text());
  EXPECT_STREQ(d["generated_texts"][6].GetString(), "so far");
  EXPECT_DOUBLE_EQ(d["latencies"][6].GetDouble(), 0.006);
  EXPECT_EQ(d["output_lens"][6].GetInt(), 0);
  EXPECT_STREQ(d["generated_texts"][9].GetString(), "");
  EXPECT_EQ(d["latencies"][9].GetDouble(), 0);
}

TEST_F(json_file, stamps_of_events_are_asked_for_with_details_only) {
  EXPECT_FALSE(report_with("json", named(), plain_run()).stamps);
  EXPECT_FALSE(report_with("json", named({{"save-detailed", false}}), plain_run()).stamps);
  EXPECT_TRUE(report_with("json", named({{"save-detailed", true}}), plain_run()).stamps);
}

TEST_F(json_file, times_are_written_as_python_prints_the_quotient) {
  std::vector<std::int64_t> times = {0,
                                     1,
                                     10,
                                     99'999,
                                     100'000,
                                     100'001,
                                     999'999'999,
                                     1'000'000'000,
                                     1'000'000'010,
                                     999'999'999'999'999,
                                     1'000'000'000'000'000,
                                     1'000'000'000'000'001,
                                     20'000'000'000'000'000};
  std::mt19937_64 random(12);
  for (int i = 0; i < 3000; ++i)
    times.push_back(static_cast<std::int64_t>(random() >> (8 + random() % 56)));
  input in = plain_run();
  in.records.clear();
  std::string latencies;
  std::string queue_times;
  for (const std::int64_t ns : times) {
    client::record r;
    r.sequence = in.records.size();
    r.status = IFB_OK;
    r.start_ns = 1ULL << 60U;
    // Every second request is due after its start. This cannot happen in a run, but a journal may
    // contain such records.
    const std::int64_t queued = r.sequence % 2 == 0 ? ns : -ns;
    r.due_ns = r.start_ns - static_cast<std::uint64_t>(queued);
    r.tokens = client::stamps(r.start_ns);
    r.tokens.push(r.start_ns + static_cast<std::uint64_t>(ns));
    in.records.push_back(r);
    if (!latencies.empty()) latencies += ", ";
    if (!queue_times.empty()) queue_times += ", ";
    ifb::append_python_float(latencies, static_cast<double>(ns) / 1e9);
    // A difference of integers cannot be a negative zero.
    ifb::append_python_float(queue_times, static_cast<double>(queued) / 1e9);
  }
  ASSERT_TRUE(report_with("json", named(), in).ok);
  EXPECT_THAT(text(), HasSubstr("\"latencies\": [" + latencies + "]"));
  EXPECT_THAT(text(), HasSubstr("\"queue_times\": [" + queue_times + "]"));
}

TEST_F(json_file, places_of_the_schedule_may_be_far_apart_or_taken_twice) {
  for (const std::uint64_t last : {std::uint64_t{1}, UINT64_MAX}) {
    input in = plain_run();
    in.records[0].sequence = last;
    in.records[2].sequence = 0;
    in.records[0].start_ns = in.records[0].due_ns;
    ASSERT_TRUE(report_with("json", named({{"save-detailed", true}}), in).ok);
    const auto d = strictly_parsed(text());
    ASSERT_EQ(d["output_lens"].Size(), 3U);
    EXPECT_EQ(d["output_lens"][0].GetInt(), 6);
  }
}

TEST_F(json_file, latency_less_ttft_is_the_sum_of_the_gaps) {
  input in = plain_run();
  in.records.clear();
  for (std::uint64_t i = 0; i < 20; ++i) {
    client::record r;
    r.sequence = i;
    r.due_ns = r.start_ns = started_ns + i * 1'234'567;
    r.tokens = client::stamps(r.start_ns);
    for (std::uint64_t k = 1; k < 400; ++k)
      r.tokens.push(r.start_ns + k * 7'654'321 + k * k * i);
    r.end_ns = r.tokens.back();
    r.status = IFB_OK;
    r.output_tokens = 399;
    in.records.push_back(r);
  }
  ASSERT_TRUE(report_with("json", named({{"save-detailed", true}}), in).ok);
  const auto d = strictly_parsed(text());
  for (rapidjson::SizeType i = 0; i < 20; ++i) {
    double sum = 0;
    for (const auto& gap : d["itls"][i].GetArray())
      sum += gap.GetDouble();
    EXPECT_NEAR(d["latencies"][i].GetDouble() - d["ttfts"][i].GetDouble(), sum, 1e-12);
  }
}

int recompute(const fs::path& file) {
  const std::string command = "python3 '" INFERBENCH_SOURCE "/tests/tools/recompute.py' '" +
                              file.string() + "' >/dev/null 2>&1";
  return WEXITSTATUS(std::system(command.c_str()));
}

TEST_F(json_file, every_figure_follows_from_the_arrays_and_a_wrong_one_is_found) {
  if (std::system("python3 -c '' 2>/dev/null") != 0) GTEST_SKIP() << "needs python3";
  for (const input& in : {plain_run(), strained_run(), pooling_run(), hopeless_run(), full_run(),
                          closed_run(), pooling_closed_run(), diffusing_run()}) {
    ASSERT_TRUE(report_with("json", named({{"save-detailed", true}}), in).ok);
    EXPECT_EQ(recompute(folder / "r.json"), 0) << text();
  }
  const auto finds = [&](const input& in, const std::string& from, const std::string& to) {
    ASSERT_TRUE(report_with("json", named({{"save-detailed", true}}), in).ok);
    std::string bad = base::read_file((folder / "r.json").string());
    const auto at = bad.find(from);
    ASSERT_NE(at, std::string::npos) << from << " in " << bad;
    std::ofstream(folder / "bad.json") << bad.replace(at, from.size(), to);
    EXPECT_EQ(recompute(folder / "bad.json"), 1) << to;
  };
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"\"mean_ttft_ms\": 151.8125", "\"mean_ttft_ms\": 151.8126"},
           {"\"completed\": 4", "\"completed\": 5"},
           {"\"max_concurrent_requests\": 3", "\"max_concurrent_requests\": 4"},
           {"\"latencies\": [0.17,", "\"latencies\": [0.18,"},
           {"\"request_goodput\": 1.714", "\"request_goodput\": 1.715"},
           {"\"mean_client_queue_time_ms\": 263", "\"mean_client_queue_time_ms\": 264"},
           {"\"peak_concurrency\": {\"requests\": 3", "\"peak_concurrency\": {\"requests\": 1"},
           {"\"burstiness\": \"inf\"", "\"burstiness\": Infinity"}})
    finds(strained_run(), from, to);
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"\"threshold_abs\": 2", "\"threshold_abs\": 1"},
           {"\"start_s\": 0.05", "\"start_s\": 0.06"},
           {"\"requests_completed_in_window\": 8", "\"requests_completed_in_window\": 9"},
           {"\"output_throughput\": 57.", "\"output_throughput\": 58."},
           {"\"p90_tpot_ms\": 40", "\"p90_tpot_ms\": 41"},
           {"\"steady_state\": {", "\"steady_state\": null, \"other\": {"}})
    finds(closed_run(), from, to);
}

TEST_F(json_file, a_gap_beyond_32_bits_of_nanoseconds_survives) {
  input in = plain_run();
  in.records[1].tokens.push(started_ns + 100'000'000'000);
  ASSERT_TRUE(report_with("json", named({{"save-detailed", true}}), in).ok);
  EXPECT_DOUBLE_EQ(strictly_parsed(text())["itls"][1][0].GetDouble(), 99.75);
}

TEST_F(json_file, a_text_of_bad_utf8_still_makes_valid_json) {
  input in = plain_run();
  in.records[0].text = "ok \xFF\xC3 \xED\xA0\x80 end";
  ASSERT_TRUE(report_with("json", named({{"save-detailed", true}}), in).ok);
  const auto d = strictly_parsed(text());
  EXPECT_THAT(std::string(d["generated_texts"][0].GetString()), testing::EndsWith(" end"));
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

TEST_F(json_file, the_name_is_made_of_label_rate_cap_model_and_date) {
  const std::vector<setting> here = {{"result-dir", folder.string()}};
  ASSERT_TRUE(report_with("json", here, plain_run()).ok);
  EXPECT_THAT(files(), ElementsAre("openai-infqps-small-7b-20261120-063000.json"));
  fs::remove(folder / files()[0]);
  ASSERT_TRUE(report_with("json", here, strained_run()).ok);
  EXPECT_THAT(files(), ElementsAre("night-run-10.5qps-concurrency8-small-20261120-063000.json"));
}

TEST_F(json_file, a_trace_whose_journal_says_rate_zero_has_the_infinite_one) {
  input in = plain_run();
  const std::string rate = R"("request_rate": "inf")";
  in.resolved.replace(in.resolved.find(rate), rate.size(), R"("request_rate": 0.0)");
  ASSERT_TRUE(report_with("json", {{"result-dir", folder.string()}}, in).ok);
  EXPECT_THAT(files(), ElementsAre(HasSubstr("openai-infqps-")));
}

TEST_F(json_file, the_name_of_a_ramp_up_has_its_rates_instead) {
  input in = closed_run();
  ASSERT_TRUE(report_with("json", {{"result-dir", folder.string()}}, in).ok);
  EXPECT_THAT(files(), ElementsAre("openai-ramp-up-exponential-1qps-20qps-concurrency2-small-7b-"
                                   "20261120-063000.json"));
}

TEST_F(json_file, the_name_of_a_traffic_pattern_has_its_kind_instead) {
  input in = plain_run();
  in.resolved.insert(1, R"("traffic": "steps:0s=10,30s=50", )");
  ASSERT_TRUE(report_with("json", {{"result-dir", folder.string()}}, in).ok);
  EXPECT_THAT(files(), ElementsAre("openai-traffic-steps-small-7b-20261120-063000.json"));
}

TEST_F(json_file, the_name_of_one_of_several_runs_has_its_number) {
  input in = plain_run();
  in.resolved.insert(1, R"("run": {"number": 2, "of": 3}, )");
  ASSERT_TRUE(report_with("json", {{"result-dir", folder.string()}}, in).ok);
  EXPECT_THAT(files(), ElementsAre("openai-infqps-small-7b-20261120-063000-run2.json"));
}

TEST_F(json_file, two_runs_that_end_in_one_second_have_separate_files) {
  const std::vector<setting> here = {{"result-dir", folder.string()}};
  input in = plain_run();
  const std::string stem = "openai-infqps-small-7b-20261120-063000";
  for (const char* name : {"run-1", "run-2", "run-3"}) {
    in.name = name;
    ASSERT_TRUE(report_with("json", here, in).ok);
    ASSERT_TRUE(report_with("timeline", here, in).ok);
    ASSERT_TRUE(report_with("pytorch", here, in).ok);
  }
  EXPECT_THAT(files(), UnorderedElementsAre(
                           stem + ".json", stem + ".timeline.html", stem + ".pytorch.json",
                           stem + "-2.json", stem + "-2.timeline.html", stem + "-2.pytorch.json",
                           stem + "-3.json", stem + "-3.timeline.html", stem + "-3.pytorch.json"));
  EXPECT_THAT(text(stem + "-2.json"), HasSubstr("\"run\": \"run-2\""));
}

TEST_F(json_file, a_report_made_again_replaces_that_of_the_same_run) {
  const std::vector<setting> here = {{"result-dir", folder.string()}};
  input in = plain_run();
  ASSERT_TRUE(report_with("json", here, in).ok);
  in.name = "run-2";
  ASSERT_TRUE(report_with("json", here, in).ok);
  ASSERT_TRUE(report_with("json", here, in).ok);
  EXPECT_EQ(files().size(), 2U);
}

TEST_F(json_file, that_is_appended_to_or_named_is_one_for_all_runs) {
  input in = plain_run();
  for (const char* name : {"run-1", "run-2"}) {
    in.name = name;
    ASSERT_TRUE(report_with("json", named(), in).ok);
    ASSERT_TRUE(
        report_with("json", {{"result-dir", folder.string()}, {"append-result", true}}, in).ok);
  }
  const std::string generated = "openai-infqps-small-7b-20261120-063000.json";
  EXPECT_THAT(files(), UnorderedElementsAre("r.json", generated));
  EXPECT_THAT(text(), HasSubstr("\"run-2\""));
  EXPECT_THAT(text(generated), HasSubstr("}\n{"));
}

TEST_F(json_file, a_temporary_file_of_a_dead_process_is_removed) {
  std::ofstream(folder / ".inferbench-4711-0.tmp") << "half of a result";
  ASSERT_TRUE(report_with("json", named(), plain_run()).ok);
  EXPECT_THAT(files(), ElementsAre("r.json"));
}

// Acceptance check 5 of the specification.
TEST_F(json_file, the_queue_of_a_single_permit_is_in_arrays_and_statistics) {
  input in = plain_run();
  in.records.clear();
  for (std::uint64_t i = 0; i < 3; ++i) {
    client::record r;
    r.sequence = i;
    r.due_ns = started_ns;
    r.start_ns = started_ns + i * 50'000'000;
    r.tokens = client::stamps(r.start_ns);
    r.tokens.push(r.start_ns + 50'000'000);
    r.end_ns = r.tokens.back();
    r.output_tokens = 1;
    r.status = IFB_OK;
    in.records.push_back(r);
  }
  in.run.max_concurrency = 1;
  in.run.selected = {"client_queue_time", "e2el_including_client_queue"};
  ASSERT_TRUE(report_with("json", named({{"save-detailed", true}}), in).ok);
  EXPECT_THAT(text(), HasSubstr("\"queue_times\": [0.0, 0.05, 0.1]"));
  const auto d = strictly_parsed(text());
  EXPECT_DOUBLE_EQ(d["mean_client_queue_time_ms"].GetDouble(), 50);
  EXPECT_DOUBLE_EQ(d["p99_client_queue_time_ms"].GetDouble(), 99);
  EXPECT_FALSE(d.HasMember("mean_e2el_including_client_queue_ms"));
}

TEST_F(json_file, folders_above_the_result_are_made) {
  const std::string deep = (folder / "a/b/c").string();
  const outcome o = report_with(
      "json", {{"result-dir", deep}, {"result-filename", std::string("x.json")}}, plain_run());
  EXPECT_TRUE(o.ok);
  EXPECT_TRUE(fs::exists(deep + "/x.json"));
}

TEST_F(json_file, appending_makes_json_lines_without_a_last_end) {
  const auto append = named({{"append-result", true}});
  ASSERT_TRUE(report_with("json", append, plain_run()).ok);
  ASSERT_TRUE(report_with("json", append, plain_run()).ok);
  EXPECT_EQ(text(), golden("plain.json") + "\n" + golden("plain.json"));
}

TEST_F(json_file, replacing_leaves_nothing_of_the_old_file) {
  std::ofstream(folder / "r.json") << std::string(100'000, 'x');
  ASSERT_TRUE(report_with("json", named(), plain_run()).ok);
  expect_golden(text(), "plain.json");
  EXPECT_THAT(files(), ElementsAre("r.json"));  // no temporary file is left
}

TEST_F(json_file, a_symbolic_link_stays_one) {
  std::ofstream(folder / "target.json") << "old";
  fs::create_symlink("target.json", folder / "r.json");
  ASSERT_TRUE(report_with("json", named(), plain_run()).ok);
  EXPECT_TRUE(fs::is_symlink(folder / "r.json"));
  EXPECT_EQ(text("target.json"), golden("plain.json"));
}

TEST_F(json_file, a_symbolic_link_to_a_missing_file_creates_the_file) {
  fs::create_directory(folder / "deep");
  fs::create_symlink("deep/second.json", folder / "r.json");
  fs::create_symlink(folder / "deep" / "target.json", folder / "deep" / "second.json");
  ASSERT_TRUE(report_with("json", named(), plain_run()).ok);
  EXPECT_TRUE(fs::is_symlink(folder / "r.json"));
  EXPECT_EQ(text("deep/target.json"), golden("plain.json"));
}

TEST_F(json_file, a_symbolic_link_to_itself_is_reported) {
  fs::create_symlink("r.json", folder / "r.json");
  const outcome o = report_with("json", named({{"append-result", true}}), plain_run());
  EXPECT_FALSE(o.ok);
  EXPECT_THAT(o.lines, ElementsAre(HasSubstr("cannot open " + (folder / "r.json").string() +
                                             ": Too many levels of symbolic links")));
}

TEST_F(json_file, a_device_is_written_to_and_stays_a_device) {
  const outcome o =
      report_with("json", {{"result-filename", std::string("/dev/null")}}, plain_run());
  EXPECT_TRUE(o.ok) << testing::PrintToString(o.lines);
  struct stat about{};
  ASSERT_EQ(::stat("/dev/null", &about), 0);
  EXPECT_TRUE(S_ISCHR(about.st_mode));
}

/// If the tests run as root, makes the real user an ordinary user without write access everywhere:
/// access(2) checks the real user.
class ordinary_user {
 public:
  ordinary_user() : before_(::getuid()) { done_ = ::setreuid(nobody, uid_t(-1)) == 0; }
  ordinary_user(const ordinary_user&) = delete;
  ordinary_user& operator=(const ordinary_user&) = delete;
  ~ordinary_user() {
    if (done_ && ::setreuid(before_, uid_t(-1)) != 0) std::abort();
  }

 private:
  static constexpr uid_t nobody = 65534;
  uid_t before_;
  bool done_;
};

TEST_F(json_file, a_device_needs_no_right_to_its_folder) {
  const ordinary_user user;
  if (::access("/dev", W_OK) == 0) GTEST_SKIP() << "there is no user without a right to /dev";
  const outcome o =
      report_with("json", {{"result-filename", std::string("/dev/null")}}, plain_run());
  EXPECT_TRUE(o.ok) << testing::PrintToString(o.lines);
}

// The reason why the reporter cannot be created.
std::string refusal_of(const std::vector<setting>& given) {
  try {
    (void)report_with("json", given, plain_run());
    return "made";
  } catch (const std::exception& e) {
    return e.what();
  }
}

TEST_F(json_file, a_file_that_may_not_be_written_is_reported_before_the_run) {
  std::ofstream(folder / "r.json") << "old";
  ::chmod((folder / "r.json").c_str(), 0444);
  ::chmod(folder.c_str(), 0555);
  {
    const ordinary_user user;
    if (::access(folder.c_str(), W_OK) == 0) GTEST_SKIP() << "every user may write everywhere";
    EXPECT_THAT(refusal_of(named()), HasSubstr("the folder " + folder.string() +
                                               " cannot be written to: Permission denied"));
    EXPECT_THAT(refusal_of(named({{"append-result", true}})),
                HasSubstr("r.json cannot be written to: Permission denied"));
  }
  ::chmod(folder.c_str(), 0700);
  EXPECT_EQ(base::read_file((folder / "r.json").string()), "old");
}

TEST_F(json_file, a_full_disk_is_reported) {
  const outcome o =
      report_with("json", {{"result-filename", std::string("/dev/full")}}, plain_run());
  EXPECT_FALSE(o.ok);
  EXPECT_THAT(o.lines, ElementsAre(HasSubstr("cannot write to /dev/full: No space left")));
}

TEST_F(json_file, a_missing_folder_in_the_name_is_reported_before_the_run) {
  EXPECT_THAT(refusal_of({{"result-filename", (folder / "missing" / "x.json").string()}}),
              HasSubstr("there is no folder " + (folder / "missing").string()));
}

TEST_F(json_file, an_impossible_file_name_is_reported_before_the_run) {
  const outcome o = report_with(
      "json", {{"result-dir", folder.string()}, {"label", std::string(300, 'x')}}, plain_run());
  EXPECT_FALSE(o.ok);
  EXPECT_THAT(o.lines, ElementsAre(HasSubstr("longer than 255 bytes")));
}

}  // namespace
}  // namespace inferbench::reporters_test
