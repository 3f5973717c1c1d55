// Bounds on the client's effect on a figure, from scripted lateness.
#include "metrics/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "metrics/accumulator.hpp"
#include "record_of.hpp"

namespace inferbench::metrics {
namespace {

using testing::ElementsAre;
using testing_::failure;
using testing_::late;
using testing_::lates;
using testing_::success;

constexpr double one_ns = 1.5e-6;

std::vector<error_bound> bounds_of(const std::vector<client::record>& records, const context& run) {
  accumulator all(run);
  for (const client::record& r : records)
    all.add(r);
  return all.bounds(run);
}

/// The bound of one figure; the test fails if there is none.
error_bound bound(const std::vector<client::record>& records, metric id, const context& run = {}) {
  const auto all = bounds_of(records, run);
  const auto at = std::ranges::find(all, id, &error_bound::of);
  EXPECT_NE(at, all.end()) << define(id).name;
  return at == all.end() ? error_bound{} : *at;
}

void expect(const error_bound& found, double mean, double median, double p99) {
  const char* name = define(found.of).name;
  EXPECT_EQ(found.unknown, 0U) << name;
  EXPECT_NEAR(found.mean.ms, mean, one_ns) << name;
  EXPECT_NEAR(found.median.ms, median, one_ns) << name;
  const auto at =
      std::ranges::find(found.percentiles, 99.0, &std::pair<double, figure_bound>::first);
  ASSERT_NE(at, found.percentiles.end()) << name;
  EXPECT_NEAR(at->second.ms, p99, one_ns) << name;
}

void expect(const error_bound& found, double of_all) { expect(found, of_all, of_all, of_all); }

/// A request that starts at 0, with events at 100, 110 and 130 ms.
client::record answer(const lates& how_late) {
  return late(success({0, 0, 0, {100, 110, 130}, 0, 10, 3}), how_late);
}

TEST(bounds, a_client_that_was_never_late_can_have_changed_nothing) {
  for (const error_bound& each : bounds_of({answer({})}, {}))
    expect(each, 0);
  EXPECT_THAT(bounds_of({}, {}), testing::IsEmpty());
}

TEST(bounds, a_latency_is_too_long_by_the_own_delay_of_sending_and_the_late_of_its_stamp) {
  const std::vector<client::record> one{answer({.sending = 1, .events = {{0, 2}, {2, 5}}})};
  expect(bound(one, metric::ttft), 3);
  expect(bound(one, metric::e2el), 6);
  expect(bound(one, metric::ttft_text), 3);
  expect(bound(one, metric::ttft_from_due), 3);
  expect(bound(one, metric::e2el_from_due), 6);
}

TEST(bounds, time_per_token_is_too_long_by_the_last_and_too_short_by_the_first) {
  expect(bound({answer({.events = {{0, 2}, {2, 5}}})}, metric::tpot), 2.5);
  expect(bound({answer({.events = {{0, 4}, {2, 1}}})}, metric::tpot), 2);
  expect(bound({answer({.events = {{1, 9}}})}, metric::tpot), 0);
  // A single event is the first and the last event, so the time between them is 0.
  expect(bound({late(success({0, 0, 0, {100}, 0, 10, 3}), {.events = {{0, 9}}})}, metric::tpot), 0);
}

TEST(bounds, a_gap_is_too_long_by_the_late_of_its_end) {
  // The gaps are 10 and 20 ms. The true gaps may be 10 and 15 ms.
  expect(bound({answer({.events = {{2, 5}}})}, metric::itl), 2.5, 2.5, 4.95);
}

TEST(bounds, a_gap_is_too_short_by_the_late_of_its_beginning) {
  // The true gaps may be 12 and 20 ms.
  expect(bound({answer({.events = {{0, 2}}})}, metric::itl), 1, 1, 0.02);
  // The true gaps may be 6 and 20 ms, or 10 and 24 ms.
  expect(bound({answer({.events = {{1, 4}}})}, metric::itl), 2, 2, 3.96);
}

TEST(bounds, no_time_becomes_negative) {
  expect(bound({late(success({0, 0, 0, {1, 1, 1}, 0, 1, 3}),
                     {.sending = 5, .events = {{0, 3}, {1, 3}}})},
               metric::ttft),
         1);
  const auto burst = late(success({0, 0, 0, {1, 1, 1}, 0, 1, 3}), {.events = {{0, 3}, {1, 3}}});
  expect(bound({burst}, metric::itl),
         3);  // three events have the same stamp; the true gaps may be 3 ms
}

TEST(bounds, the_first_text_is_as_late_as_its_own_event) {
  auto r = answer({.events = {{0, 2}, {1, 7}}});
  r.first_text_ns = testing_::at_ms(110);
  r.first_answer_ns = testing_::at_ms(130);
  expect(bound({r}, metric::ttft), 2);
  expect(bound({r}, metric::ttft_text), 7);
  expect(bound({r}, metric::ttft_from_due), 7);
  expect(bound({r}, metric::ttft_answer), 0);
}

TEST(bounds, of_events_with_one_stamp_the_latest_counts_for_the_text) {
  auto r = late(success({0, 0, 0, {100, 100, 130}, 0, 10, 3}), {.events = {{0, 9}}});
  expect(bound({r}, metric::ttft_text), 9);
  r.first_text_ns = testing_::at_ms(115);  // no event has this time: the record is damaged
  expect(bound({r}, metric::ttft_text), 9);
}

TEST(bounds, one_late_answer_of_many_is_in_the_mean_and_hardly_in_a_percentile) {
  std::vector<client::record> records;
  for (std::uint64_t i = 1; i <= 101; ++i)
    records.push_back(success({i, 0, 0, {static_cast<double>(i)}, 0, 1, 1}));
  records.back() = late(records.back(), {.events = {{0, 50}}});
  expect(bound(records, metric::ttft), 50.0 / 101, 0, 1);
}

TEST(bounds, a_pooled_answer_is_late_at_its_end) {
  context run;
  run.pooling = true;
  const std::vector<client::record> one{
      late(success({0, 0, 0, {}, 30, 100, 0}), {.sending = 1, .end = 4})};
  expect(bound(one, metric::e2el, run), 5);
  for (const error_bound& each : bounds_of(one, run))
    EXPECT_THAT(each.of, testing::AnyOf(metric::e2el, metric::e2el_from_due));
}

TEST(bounds, a_late_launch_is_only_in_figures_from_the_due_time) {
  context run;
  run.max_concurrency = 4;
  run.request_rate = 10;
  client::record r = success({0, 0, 40, {100, 110, 130}, 0, 10, 3});
  r.sent_ns += 1'000'000;
  const std::vector<client::record> one{
      late(r, {.launch = 3, .sending = 1, .events = {{0, 2}, {2, 5}}})};
  expect(bound(one, metric::ttft, run), 3);
  expect(bound(one, metric::e2el, run), 6);
  expect(bound(one, metric::ttft_text, run), 3);
  expect(bound(one, metric::client_queue_time, run), 3);
  expect(bound(one, metric::e2el_including_client_queue, run), 9);
  expect(bound(one, metric::ttft_from_due, run), 6);
  expect(bound(one, metric::e2el_from_due, run), 9);
}

TEST(bounds, a_late_launch_needs_a_time_at_which_it_was_due) {
  context run;
  run.max_concurrency = 4;
  const std::vector<client::record> one{
      late(success({0, 0, 40, {100, 110, 130}, 0, 10, 3}), {.launch = 3})};
  expect(bound(one, metric::client_queue_time, run), 0);
  expect(bound(one, metric::ttft_from_due, run), 0);
  run.self_timed = true;
  expect(bound(one, metric::client_queue_time, run), 3);
  expect(bound(one, metric::ttft_from_due, run), 3);
}

TEST(bounds, a_failed_request_is_in_no_figure) {
  context run;
  run.request_rate = 10;
  auto failed =
      failure({1, 0, 40, {100, 130}, 140, 10, 0}, IFB_E_IO, 200, "the connection ended early");
  failed = late(failed, {.launch = 8, .sending = 2, .events = {{0, 9}, {1, 9}}});
  failed.late.unknown = true;
  const std::vector<client::record> both{answer({}), failed};
  for (const error_bound& each : bounds_of(both, run))
    expect(each, 0);
}

TEST(bounds, a_time_beyond_four_seconds_may_all_be_the_clients) {
  client::record r = success({0, 0, 0, {7000, 8000}, 0, 10, 2});
  r.sent_ns = testing_::at_ms(6000);
  // Sending may have been delayed until after the first byte, so the bound is the whole time.
  const auto slow = late(r, {.sending = 5900});
  expect(bound({slow}, metric::ttft), 7000);
  expect(bound({slow}, metric::e2el), 8000);
  auto more = late(r, {.events = {{0, 1}, {1, 1}}});
  more.late.events[1].ns = UINT32_MAX;
  expect(bound({more}, metric::ttft), 1);
  expect(bound({more}, metric::e2el), 8000);
  expect(bound({more}, metric::tpot), 1000);
  expect(bound({more}, metric::itl), 1000);
  more.late.events = {{0, UINT32_MAX}};
  expect(bound({more}, metric::itl), 7000);
}

TEST(bounds, an_answer_of_unknown_lateness_leaves_its_figures_without_a_bound) {
  auto unknown = success({1, 0, 0, {50, 60}, 0, 10, 2});
  unknown.late.unknown = true;
  unknown.late.events = {{0, 77}};
  context run;
  run.max_concurrency = 4;
  const std::vector<client::record> both{answer({.sending = 1, .events = {{1, 2}}}), unknown};
  for (const error_bound& each : bounds_of(both, run)) {
    const bool known = each.of == metric::client_queue_time;
    EXPECT_EQ(each.unknown, known ? 0U : 1U) << define(each.of).name;
    EXPECT_EQ(each.mean.ms, 0) << define(each.of).name;
  }
}

TEST(bounds, a_damaged_list_of_lates_does_no_harm) {
  auto r = answer({});
  r.late.events = {{7, 100}, {1, 4'000'000}, {1, 9'000'000}, {0, 9}};
  expect(bound({r}, metric::ttft), 0);
  r.late.events = {{1, 4'000'000}, {1, 9'000'000}, {0, 9}, {99, 1}};
  expect(bound({r}, metric::itl), 2, 2, 3.96);
}

TEST(bounds, events_of_many_requests_keep_their_own_lates) {
  std::vector<client::record> records;
  for (std::uint64_t i = 0; i < 1000; ++i)
    records.push_back(success({i, 0, 0, {10, 20, 30}, 0, 1, 3}));
  // All gaps are 10 ms. The true gaps of one request may be 4 and 16 ms.
  records[500] = late(records[500], {.events = {{1, 6}}});
  const error_bound itl = bound(records, metric::itl);
  EXPECT_NEAR(itl.mean.ms, 6.0 / 2000, one_ns);
  EXPECT_EQ(itl.median.ms, 0);
}

/// The records of one run twice: `truth` with the stamps of a client without delays, `found` with
/// the stamps of a client with delays.
struct told_twice {
  std::vector<client::record> truth, found;
};

told_twice made_up(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto upto = [&](double most) {
    return std::floor(most * 1e6 * static_cast<double>(random() % 1000) / 1000) / 1e6;
  };
  told_twice out;
  const std::uint64_t requests = 1 + random() % 80;
  const std::uint64_t rare = 1 + random() % 6;
  for (std::uint64_t i = 0; i < requests; ++i) {
    const double due = 10 * static_cast<double>(i);
    const double launch = upto(3), sending = upto(2);
    std::vector<double> arrived{due + 5 + upto(60)};
    for (std::size_t n = random() % 12; n > 0; --n)
      arrived.push_back(arrived.back() + upto(random() % 3 == 0 ? 0.5 : 20));
    testing_::lates how{.launch = launch + upto(0.5), .sending = sending + upto(0.5)};
    std::vector<double> stamped;
    for (std::uint32_t e = 0; e < arrived.size(); ++e) {
      const double at = arrived[e] + launch + sending;
      stamped.push_back(
          std::max(stamped.empty() ? 0 : stamped.back(), random() % rare == 0 ? at + upto(9) : at));
      // The lateness gets two extra ns, because stamps are rounded to whole ns.
      if (stamped.back() > at) how.events.emplace_back(e, stamped.back() - at + 2e-6 + upto(1));
    }
    const auto tokens = static_cast<std::int64_t>(arrived.size());
    out.truth.push_back(success({i, due, due, arrived, 0, 1, tokens}));
    auto seen = success({i, due, due + launch, stamped, 0, 1, tokens});
    seen.sent_ns = testing_::at_ms(due + launch + sending);
    out.found.push_back(late(seen, how));
  }
  return out;
}

// The lateness of each stamp is random within its limit; the figures must never be further from the
// truth than the bounds.
TEST(bounds, hold_against_the_truth) {
  context run;
  run.max_concurrency = 1000;
  run.request_rate = 100;
  run.percentiles = {1, 50, 90, 99, 99.9};
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const told_twice runs = made_up(seed);
    accumulator truth(run), found(run);
    for (const client::record& r : runs.truth)
      truth.add(r);
    for (const client::record& r : runs.found)
      found.add(r);
    const report should = truth.finish(run);
    const report is = found.finish(run);
    const auto bounds = found.bounds(run);
    EXPECT_GE(bounds.size(), 8U);
    for (const error_bound& each : bounds) {
      const ifb_metric& a = *is.find(define(each.of).name);
      const ifb_metric& b = *should.find(define(each.of).name);
      EXPECT_LE(std::abs(a.value - b.value), each.mean.ms + 4e-6) << a.name << ' ' << seed;
      EXPECT_LE(std::abs(a.median - b.median), each.median.ms + 4e-6) << a.name << ' ' << seed;
      ASSERT_EQ(each.percentiles.size(), a.quantile_count);
      for (std::size_t q = 0; q < a.quantile_count; ++q)
        EXPECT_LE(std::abs(a.quantiles[q].value - b.quantiles[q].value),
                  each.percentiles[q].second.ms + 4e-6)
            << a.name << ' ' << a.quantiles[q].q << ' ' << seed;
    }
  }
}

TEST(bounds, bounds_of_the_figures_on_the_console_are_known_and_named) {
  context run;
  run.max_concurrency = 4;
  run.selected = {"ttft"};
  run.percentiles = {99.9, 50};
  std::vector<std::string> names;
  for (const printed_bound& each : printed_bounds(bounds_of({answer({})}, run)))
    names.push_back(each.name);
  EXPECT_THAT(names,
              ElementsAre("mean TTFT", "median TTFT", "P99.9 TTFT", "P50 TTFT", "median TPOT",
                          "P99 TPOT", "median ITL", "P99 ITL", "median E2EL", "P99 E2EL",
                          "median Client Queue Time", "P99 Client Queue Time",
                          "median TTFT from due", "P99 TTFT from due", "median E2EL from due",
                          "P99 E2EL from due", "median First text", "P99 First text"));
}

TEST(bounds, a_bound_is_measured_by_a_hundredth_of_its_figure_and_by_half_a_millisecond) {
  const auto of_limit = [](double figure, double ms) {
    error_bound one{metric::ttft, printed::median_and_p99, 0, {}, {figure, ms}, {}};
    return printed_bounds({&one, 1})[0].of_limit;
  };
  EXPECT_DOUBLE_EQ(of_limit(10, 0.5), 1);
  EXPECT_DOUBLE_EQ(of_limit(50, 0.5), 1);
  EXPECT_DOUBLE_EQ(of_limit(200, 1), 0.5);
  EXPECT_DOUBLE_EQ(of_limit(0, 5), 10);
}

TEST(bounds, nothing_is_said_of_figures_without_a_bound) {
  error_bound one{metric::ttft, printed::all, 3, {}, {}, {{99, {}}}};
  EXPECT_THAT(printed_bounds({&one, 1}), testing::IsEmpty());
  one.unknown = 0;
  one.shown = printed::nothing;
  EXPECT_THAT(printed_bounds({&one, 1}), testing::IsEmpty());
}

}  // namespace
}  // namespace inferbench::metrics
