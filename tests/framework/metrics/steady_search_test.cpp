#include "metrics/steady_search.hpp"

#include <cmath>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "metrics/accumulator.hpp"
#include "record_of.hpp"

namespace inferbench::metrics {
namespace {

using testing::HasSubstr;
using testing_::at_ms;

/// Requests that start every `every_ms` ms; latency(i) in ms.
template <typename times>
std::vector<request_times> requests_of(std::size_t count, double every_ms, times&& latency) {
  std::vector<request_times> out;
  for (std::size_t i = 0; i < count; ++i) {
    request_times r;
    r.sequence = i;
    r.start = r.due = at_ms(static_cast<double>(i) * every_ms);
    r.arrived.fill(r.start + static_cast<std::uint64_t>(latency(i) * 1e6));
    r.end = r.at(arrival::last);
    r.ok = true;
    r.output = 10;
    out.push_back(r);
  }
  return out;
}

steady_part part_of(const std::vector<request_times>& rows) {
  std::vector<const request_times*> order;
  for (const request_times& r : rows)
    order.push_back(&r);
  return find_steady_part(order);
}

double unordered_latency(std::size_t i) {
  return 50 + 10 * std::fmod(static_cast<double>(i * i) * 0.618034, 1.0);
}

TEST(steady_search, finds_the_part_between_warm_up_and_drain) {
  const steady_part found = part_of(requests_of(1000, 10, [](std::size_t i) {
    return unordered_latency(i) + (i < 200 ? 200 - static_cast<double>(i) : 0);
  }));
  ASSERT_TRUE(found.found) << found.reason;
  EXPECT_GE(found.begin, at_ms(1800));
  EXPECT_LE(found.begin, at_ms(2100));
  EXPECT_EQ(found.end, at_ms(9990));
  EXPECT_GE(found.requests, 790U);
  EXPECT_LE(found.requests, 820U);
}

TEST(steady_search, gives_the_reason_when_there_is_no_such_part) {
  EXPECT_THAT(part_of({}).reason, HasSubstr("0 successful requests are too few; 100 are needed"));
  EXPECT_THAT(part_of(requests_of(99, 10, unordered_latency)).reason, HasSubstr("99 successful"));
  EXPECT_EQ(
      part_of(requests_of(500, 10, [](std::size_t i) { return 50.0 + static_cast<double>(i); }))
          .reason,
      "the latencies change until the end of the run");
  EXPECT_EQ(part_of(requests_of(500, 0, unordered_latency)).reason,
            "all requests started at the same time");
}

rapidjson::Document steady_of(context run) {
  run.started_ns = at_ms(0);
  run.duration_s = 4;
  accumulator all(run);
  for (std::size_t i = 0; i < 400; ++i) {
    const double start = 10 + static_cast<double>(i) * 10;
    all.add(testing_::success({.sequence = i,
                               .due = start,
                               .start = start,
                               .tokens = {start + 20, start + unordered_latency(i)},
                               .output = 4}));
  }
  rapidjson::Document facts;
  facts.Parse(std::string(all.finish(run).facts_json()).c_str());
  rapidjson::Document out;
  out.CopyFrom(facts["steady"], out.GetAllocator());
  return out;
}

TEST(steady_search, a_run_of_any_kind_has_the_fact) {
  context run;
  run.request_rate = 100;
  const rapidjson::Document found = steady_of(run);
  EXPECT_STREQ(found["method"].GetString(), "MSER-5");
  ASSERT_TRUE(found["found"].GetBool());
  EXPECT_TRUE(found["reason"].IsNull());
  EXPECT_LT(found["begin_s"].GetDouble(), found["end_s"].GetDouble());
  EXPECT_EQ(found["end_s"].GetDouble(), 4.0);
  const auto& figures = found["figures"];
  EXPECT_EQ(figures["ttft"]["mean"].GetDouble(), 20);
  EXPECT_EQ(figures["ttft"]["p99"].GetDouble(), 20);
  EXPECT_NEAR(figures["request_throughput"].GetDouble(), 100, 4);
  EXPECT_NEAR(figures["output_throughput"].GetDouble(), 400, 16);
}

TEST(steady_search, bounded_figures_have_none) {
  context run;
  run.bounded = true;
  const rapidjson::Document found = steady_of(run);
  EXPECT_FALSE(found["found"].GetBool());
  EXPECT_THAT(found["reason"].GetString(), HasSubstr("--summary exact"));
  EXPECT_FALSE(found.HasMember("figures"));
}

TEST(steady_search, a_pooling_run_has_no_rate_of_tokens) {
  context run;
  run.pooling = true;
  const rapidjson::Document found = steady_of(run);
  ASSERT_TRUE(found["found"].GetBool());
  EXPECT_FALSE(found["figures"].HasMember("output_throughput"));
}

}  // namespace
}  // namespace inferbench::metrics
