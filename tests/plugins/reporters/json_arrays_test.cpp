// Tests the reporter `json`: the arrays of its results, which have an entry for each request, and
// the figures that follow from them.
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <inferbench/abi.h>
#include <inferbench/json_writer.hpp>

#include "base/text.hpp"
#include "client/record.hpp"
#include "driver.hpp"
#include "json_file.hpp"

namespace inferbench::reporters_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

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

}  // namespace
}  // namespace inferbench::reporters_test
