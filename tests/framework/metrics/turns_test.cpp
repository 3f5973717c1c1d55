#include "metrics/turns.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include <inferbench/json_writer.hpp>

#include "framework/metrics/record_of.hpp"
#include "metrics/accumulator.hpp"
#include "metrics/statistics.hpp"

namespace inferbench::metrics {
namespace {

using testing::ElementsAre;
using testing_::failure;
using testing_::success;

client::record in_turn(std::uint32_t number, client::record r) {
  r.session = "s";
  r.turn = number;
  return r;
}

client::record turn(std::uint32_t number, std::int64_t prompt, double first_ms, double last_ms) {
  return in_turn(
      number,
      success(
          {.start = 10, .tokens = {10 + first_ms, 10 + last_ms}, .prompt = prompt, .output = 3}));
}

std::string turn_facts_of(const std::vector<client::record>& records, const context& run = {}) {
  accumulator all{run};
  for (const client::record& one : records)
    all.add(one);
  return std::string(all.finish(run).facts_json());
}

/// The list of turns in the facts of a run.
rapidjson::Document turns_of(const std::vector<client::record>& records, const context& run) {
  rapidjson::Document facts;
  facts.Parse<rapidjson::kParseFullPrecisionFlag>(turn_facts_of(records, run).c_str());
  EXPECT_FALSE(facts.HasParseError());
  rapidjson::Document out;
  out.CopyFrom(facts["turns"], out.GetAllocator());
  return out;
}

std::vector<std::string> names_in(const rapidjson::Value& object) {
  std::vector<std::string> out;
  for (const auto& member : object.GetObject())
    out.emplace_back(member.name.GetString());
  return out;
}

/// Requests of five turns in any order. Some fail, some have one event or none, and a few wait for
/// an event for more than 4.29 s, the longest gap that a tape writes as one word.
std::vector<client::record> talks() {
  std::mt19937_64 random(7);
  std::lognormal_distribution<double> gap(2, 0.8);
  std::vector<client::record> out;
  for (std::uint64_t i = 0; i < 300; ++i) {
    const double start = 3.0 * static_cast<double>(i);
    std::vector<double> events;
    double at = start + 10 * gap(random);
    for (std::uint64_t count = random() % 12; events.size() < count; at += gap(random))
      events.push_back(at);
    if (i % 50 == 7) events.push_back(at + 5000);
    const auto output = static_cast<std::int64_t>(events.size());
    client::record r =
        success({i, start, start, events, at + 6000, static_cast<std::int64_t>(i), output});
    if (i % 11 == 0) r = failure({i, start, start, events, at}, IFB_E_REMOTE, 500, "no");
    out.push_back(in_turn(static_cast<std::uint32_t>(random() % 5), r));
  }
  return out;
}

TEST(turns, each_has_figures_of_its_own) {
  client::record cached = turn(1, 50, 2, 12);
  cached.cached_tokens = 32;
  client::record failed = turn(1, 0, 1, 2);
  failed.status = IFB_E_REMOTE;
  const std::string facts = turn_facts_of({turn(0, 10, 4, 24), cached, turn(1, 70, 4, 14), failed});
  const auto begin = facts.find("\"turns\": ");
  ASSERT_NE(begin, facts.npos) << facts;
  EXPECT_EQ(
      facts.substr(begin, facts.find("]", begin) + 1 - begin),
      R"("turns": [{"turn": 1, "ok": 1, "failed": 0, )"
      R"("total_input_tokens": 10, "total_output_tokens": 3, )"
      R"("mean_input_tokens": 10.0, "mean_output_tokens": 3.0, )"
      R"("ttft_ms": {"mean": 4.0, "median": 4.0, "std": 0.0, "p90": 4.0, "p99": 4.0}, )"
      R"("tpot_ms": {"mean": 10.0, "median": 10.0, "std": 0.0, "p90": 10.0, "p99": 10.0}, )"
      R"("itl_ms": {"mean": 20.0, "median": 20.0, "std": 0.0, "p90": 20.0, "p99": 20.0}, )"
      R"("e2el_ms": {"mean": 24.0, "median": 24.0, "std": 0.0, "p90": 24.0, "p99": 24.0}}, )"
      R"({"turn": 2, "ok": 2, "failed": 1, )"
      R"("total_input_tokens": 120, "total_output_tokens": 6, )"
      R"("mean_input_tokens": 60.0, "mean_output_tokens": 3.0, "mean_cached_tokens": 32.0, )"
      R"("ttft_ms": {"mean": 3.0, "median": 3.0, "std": 1.0, "p90": 3.8, "p99": 3.98}, )"
      R"("tpot_ms": {"mean": 5.0, "median": 5.0, "std": 0.0, "p90": 5.0, "p99": 5.0}, )"
      R"("itl_ms": {"mean": 10.0, "median": 10.0, "std": 0.0, "p90": 10.0, "p99": 10.0}, )"
      R"("e2el_ms": {"mean": 13.0, "median": 13.0, "std": 1.0, "p90": 13.8, "p99": 13.98}}])");
}

TEST(turns, single_requests_have_no_turns) {
  EXPECT_EQ(turn_facts_of({success({.start = 1, .tokens = {2, 3}})}).find("\"turns\""),
            std::string::npos);
}

TEST(turns, the_figures_are_those_of_a_run_that_has_only_this_turn) {
  const std::vector<client::record> all = talks();
  for (const bool bounded : {false, true}) {
    context run;
    run.bounded = bounded;
    run.started_ns = testing_::origin;
    run.duration_s = 10;
    run.percentiles = {99.9, 25, 90, 99};
    run.selected = {"ttft", "tpot", "itl", "e2el"};
    const rapidjson::Document turns = turns_of(all, run);
    ASSERT_EQ(turns.Size(), 5U);
    for (std::uint32_t i = 0; i < 5; ++i) {
      accumulator alone(run);
      for (const client::record& each : all)
        if (each.turn == i) alone.add(each);
      const report expected = alone.finish(run);
      const rapidjson::Value& found = turns[i];
      for (const char* name : {"total_input_tokens", "total_output_tokens"})
        EXPECT_EQ(static_cast<double>(found[name].GetUint64()), expected.find(name)->value);
      EXPECT_EQ(static_cast<double>(found["failed"].GetUint64()), expected.find("failed")->value);
      for (const std::string name : {"ttft", "tpot", "itl", "e2el"}) {
        const ifb_metric& m = *expected.find(name);
        const rapidjson::Value& times = found[name + "_ms"];
        ASSERT_GT(m.count, 1U);
        EXPECT_EQ(times["mean"].GetDouble(), m.value) << name;
        EXPECT_EQ(times["median"].GetDouble(), m.median) << name;
        EXPECT_EQ(times["std"].GetDouble(), m.deviation) << name;
        constexpr std::array keys{"p99.9", "p25", "p90", "p99"};
        ASSERT_EQ(m.quantile_count, keys.size());
        for (std::size_t k = 0; k < keys.size(); ++k)
          EXPECT_EQ(times[keys[k]].GetDouble(), m.quantiles[k].value) << name << ' ' << keys[k];
      }
    }
  }
}

TEST(turns, percentiles_of_exact_gaps_are_those_of_the_definition) {
  const std::vector<client::record> all = talks();
  context run;
  run.percentiles = {99.9};
  const rapidjson::Document turns = turns_of(all, run);
  std::vector<double> gaps;
  for (const client::record& each : all) {
    if (each.turn != 2 || !each.ok() || each.tokens.empty()) continue;
    std::uint64_t last = each.tokens.front();
    each.tokens.for_each([&](std::uint64_t at) {
      if (at != last) gaps.push_back(ms(last, at));
      last = at;
    });
  }
  constexpr std::array percentiles{90.0, 99.0, 99.9};
  const statistics expected = describe(gaps, percentiles);
  EXPECT_GT(expected.maximum, 4300) << "no gap is longer than a word of the tape";
  const rapidjson::Value& found = turns[2]["itl_ms"];
  EXPECT_EQ(found["mean"].GetDouble(), expected.mean);
  EXPECT_EQ(found["std"].GetDouble(), expected.deviation);
  EXPECT_EQ(found["median"].GetDouble(), expected.median);
  EXPECT_EQ(found["p90"].GetDouble(), expected.quantiles[0]);
  EXPECT_EQ(found["p99"].GetDouble(), expected.quantiles[1]);
  EXPECT_EQ(found["p99.9"].GetDouble(), expected.quantiles[2]);
}

TEST(turns, every_wanted_percentile_is_a_member_once) {
  context run;
  run.percentiles = {99.9, 50, 99, 50, 5};
  EXPECT_THAT(names_in(turns_of({turn(0, 1, 1, 2)}, run)[0]["ttft_ms"]),
              ElementsAre("mean", "median", "std", "p5", "p50", "p90", "p99", "p99.9"));
  run.percentiles = {};
  EXPECT_THAT(names_in(turns_of({turn(0, 1, 1, 2)}, run)[0]["ttft_ms"]),
              ElementsAre("mean", "median", "std", "p90", "p99"));
}

TEST(turns, a_turn_without_a_success_has_counts_only) {
  client::record failed = turn(1, 0, 1, 2);
  failed.status = IFB_E_REMOTE;
  for (const bool bounded : {false, true}) {
    context run;
    run.bounded = bounded;
    const rapidjson::Document turns = turns_of({turn(0, 10, 4, 24), failed}, run);
    ASSERT_EQ(turns.Size(), 2U);
    EXPECT_EQ(turns[1]["failed"].GetUint64(), 1U);
    EXPECT_FALSE(turns[1].HasMember("ttft_ms"));
    EXPECT_FALSE(turns[1].HasMember("itl_ms"));
    EXPECT_FALSE(turns[1].HasMember("e2el_ms"));
  }
}

TEST(turns, late_ones_share_the_figures_of_the_last) {
  for (const bool bounded : {false, true}) {
    context run;
    run.bounded = bounded;
    const rapidjson::Document turns = turns_of(
        {turn(31, 1, 1, 2), turn(32, 1, 3, 9), turn(70'000, 1, 1, 2), turn(4'294'967'295, 1, 1, 2)},
        run);
    ASSERT_EQ(turns.Size(), turn_figures::most);
    EXPECT_EQ(turns[31]["turn"].GetUint64(), 32U);
    EXPECT_TRUE(turns[31]["and_later"].GetBool());
    EXPECT_EQ(turns[31]["ok"].GetUint64(), 4U);
    EXPECT_EQ(turns[31]["ttft_ms"]["mean"].GetDouble(), 1.5);
    EXPECT_FALSE(turns[30].HasMember("and_later"));
  }
}

TEST(turns, requests_without_a_session_use_no_memory_for_turns) {
  context run;
  run.bounded = true;
  accumulator single(run);
  accumulator talk(run);
  client::record r = turn(0, 10, 4, 24);
  talk.add(r);
  r.session.clear();
  single.add(r);
  EXPECT_GT(talk.bytes(), single.bytes());
}

}  // namespace
}  // namespace inferbench::metrics
