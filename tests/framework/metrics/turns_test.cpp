#include "metrics/turns.hpp"

#include <gtest/gtest.h>

#include <inferbench/json_writer.hpp>

#include "framework/metrics/record_of.hpp"
#include "metrics/accumulator.hpp"

namespace inferbench::metrics {
namespace {

using testing_::success;

client::record turn(std::uint32_t number, std::int64_t prompt, double first_ms, double last_ms) {
  client::record r = success(
      {.start = 10, .tokens = {10 + first_ms, 10 + last_ms}, .prompt = prompt, .output = 3});
  r.session = "s";
  r.turn = number;
  return r;
}

std::string facts_of(const std::vector<client::record>& records) {
  accumulator all{context{}};
  for (const client::record& one : records)
    all.add(one);
  return std::string(all.finish(context{}).facts_json());
}

TEST(turns, each_has_figures_of_its_own) {
  client::record cached = turn(1, 50, 2, 12);
  cached.cached_tokens = 32;
  client::record failed = turn(1, 0, 1, 2);
  failed.status = IFB_E_REMOTE;
  const std::string facts = facts_of({turn(0, 10, 4, 24), cached, turn(1, 70, 4, 14), failed});
  const auto begin = facts.find("\"turns\": ");
  ASSERT_NE(begin, facts.npos) << facts;
  EXPECT_EQ(
      facts.substr(begin, facts.find("]", begin) + 1 - begin),
      R"("turns": [{"turn": 1, "ok": 1, "failed": 0, "mean_input_tokens": 10.0, "mean_output_tokens": 3.0, )"
      R"("ttft_ms": {"mean": 4.0, "median": 4.0, "p90": 4.0, "p99": 4.0}, )"
      R"("tpot_ms": {"mean": 10.0, "median": 10.0, "p90": 10.0, "p99": 10.0}, )"
      R"("e2el_ms": {"mean": 24.0, "median": 24.0, "p90": 24.0, "p99": 24.0}}, )"
      R"({"turn": 2, "ok": 2, "failed": 1, "mean_input_tokens": 60.0, "mean_output_tokens": 3.0, )"
      R"("mean_cached_tokens": 32.0, "ttft_ms": {"mean": 3.0, "median": 3.0, "p90": 3.8, "p99": 3.98}, )"
      R"("tpot_ms": {"mean": 5.0, "median": 5.0, "p90": 5.0, "p99": 5.0}, )"
      R"("e2el_ms": {"mean": 13.0, "median": 13.0, "p90": 13.8, "p99": 13.98}}])");
}

TEST(turns, single_requests_have_no_turns) {
  EXPECT_EQ(facts_of({success({.start = 1, .tokens = {2, 3}})}).find("\"turns\""),
            std::string::npos);
}

TEST(turns, late_ones_share_the_figures_of_the_last) {
  turn_figures all;
  const request_times times{.ok = true};
  for (const std::uint32_t number : {31U, 32U, 4'000'000'000U})
    all.add(turn(number, 1, 1, 2), times);
  turn_figures more;
  more.add(turn(40, 1, 1, 2), times);
  all.merge(more);
  ifb::json_writer out;
  all.write(out);
  EXPECT_NE(out.take().find(R"({"turn": 32, "and_later": true, "ok": 4, )"), std::string::npos);
}

}  // namespace
}  // namespace inferbench::metrics
