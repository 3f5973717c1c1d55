// Compares bounded figures with exact figures, for generated runs.
#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "metrics/accumulator.hpp"
#include "record_of.hpp"

namespace inferbench::metrics {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing_::failure;
using testing_::origin;
using testing_::success;

context some_run(bool bounded) {
  context run;
  run.bounded = bounded;
  run.started_ns = origin;
  run.duration_s = 20;
  run.max_concurrency = 8;
  run.request_rate = 50;
  run.percentiles = {50, 90, 99, 99.9};
  run.goodput = {{"ttft", 60}, {"tpot", 10}, {"e2el", 600}};
  return run;
}

/// Generated records. Starts are in order; the first start is the start of the run.
std::vector<client::record> made_up(std::uint64_t seed, std::uint64_t count) {
  std::mt19937_64 random(seed);
  std::lognormal_distribution<double> ttft(4, 0.5), gap(2, 0.7);
  std::vector<client::record> out;
  for (std::uint64_t i = 0; i < count; ++i) {
    const double due = 20'000.0 * static_cast<double>(i) / static_cast<double>(count);
    const double start = due + (i == 0 ? 0 : static_cast<double>(random() % 5));
    std::vector<double> events = {start + ttft(random)};
    for (std::size_t n = random() % 50; n > 0; --n)
      events.push_back(events.back() + gap(random));
    const auto output = static_cast<std::int64_t>(random() % 90);
    const testing_::shape s{i, due, start, events, 0, 100, output};
    if (random() % 10 != 0)
      out.push_back(success(s));
    else
      out.push_back(failure(s, IFB_E_REMOTE, 500 + static_cast<std::uint32_t>(i % 3),
                            "no " + std::to_string(i)));
  }
  if (!out.empty()) out[0] = success({0, 0, 0, {50}, 0, 1, 1});
  return out;
}

void add_all(accumulator& to, const std::vector<client::record>& records) {
  for (const client::record& r : records)
    to.add(r, r.sequence % 2 == 0 ? token_source::server : token_source::text);
}

TEST(bounded_accumulator, differs_from_the_exact_one_by_a_thousandth_and_no_more) {
  const auto records = made_up(1, 3000);
  accumulator exact(some_run(false)), bounded(some_run(true));
  add_all(exact, records);
  add_all(bounded, records);
  const report e = exact.finish(some_run(false));
  const report b = bounded.finish(some_run(true));
  ASSERT_EQ(b.metrics().size() + 1, e.metrics().size());
  for (const ifb_metric& m : e.metrics()) {
    const ifb_metric* other = b.find(m.name);
    if (std::string_view(m.name) == "peak_concurrency") {
      EXPECT_EQ(other, nullptr);
      continue;
    }
    ASSERT_NE(other, nullptr) << m.name;
    if ((m.flags & IFB_METRIC_SUMMARY) == 0) {
      EXPECT_EQ(other->value, m.value) << m.name;
      continue;
    }
    EXPECT_EQ(other->flags, m.flags) << m.name;
    EXPECT_EQ(other->count, m.count) << m.name;
    const auto near = [&](double a, double b_) { EXPECT_NEAR(a, b_, b_ * 0.001) << m.name; };
    EXPECT_NEAR(other->value, m.value, m.value * 1e-6) << m.name;
    EXPECT_NEAR(other->minimum, m.minimum, m.minimum * 1e-6) << m.name;
    EXPECT_NEAR(other->maximum, m.maximum, m.maximum * 1e-6) << m.name;
    near(other->deviation, m.deviation);
    near(other->median, m.median);
    ASSERT_EQ(other->quantile_count, m.quantile_count);
    for (std::size_t i = 0; i < m.quantile_count; ++i)
      near(other->quantiles[i].value, m.quantiles[i].value);
  }
  EXPECT_GT(e.find("request_goodput")->value, 0);
}

TEST(bounded_accumulator, has_its_error_and_size_in_the_facts) {
  accumulator bounded(some_run(true));
  add_all(bounded, made_up(1, 100));
  const std::string facts(bounded.finish(some_run(true)).facts_json());
  EXPECT_THAT(facts, HasSubstr(R"("summary": {"kind": "bounded", "error": 0.001, "bytes": )" +
                               std::to_string(bounded.bytes())));
  EXPECT_THAT(facts, Not(HasSubstr("peak_concurrency")));
  accumulator exact(some_run(false));
  EXPECT_THAT(std::string(exact.finish(some_run(false)).facts_json()),
              Not(HasSubstr("\"summary\"")));
}

TEST(bounded_accumulator, pooling_runs_have_their_figures_too) {
  context run = some_run(true);
  run.pooling = true;
  accumulator bounded(run);
  bounded.add(success({0, 0, 0, {}, 30, 100, 0}));
  bounded.add(success({1, 0, 10, {}, 60, 50, 0}));
  const report r = bounded.finish(run);
  EXPECT_DOUBLE_EQ(r.find("e2el")->value, 40);
  EXPECT_EQ(r.find("ttft"), nullptr);
}

TEST(bounded_accumulator, keeps_no_more_for_more_requests) {
  const context run = some_run(true);
  const auto bytes = [&](std::uint64_t requests) {
    accumulator bounded(run);
    add_all(bounded, made_up(7, 1000));  // the range of values
    for (std::uint64_t i = 0; i < requests; ++i)
      bounded.add(success({i, 1, 2, {60, 70, 80, 90}, 0, 5, 4}));
    return bounded.bytes();
  };
  EXPECT_EQ(bytes(0), bytes(20'000));
  EXPECT_LE(bytes(0), 2'000'000U);
}

TEST(bounded_accumulator, finishing_again_takes_later_records_in) {
  const context run = some_run(true);
  const auto records = made_up(5, 40);
  accumulator twice(run), once(run);
  add_all(twice, {records.begin(), records.begin() + 20});
  std::ignore = twice.finish(run);
  add_all(twice, {records.begin() + 20, records.end()});
  add_all(once, records);
  EXPECT_EQ(twice.finish(run).find("itl")->median, once.finish(run).find("itl")->median);
}

TEST(bounded_accumulator, the_order_of_records_changes_nothing) {
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    std::mt19937_64 random(seed);
    const context run = some_run(true);
    auto records = made_up(seed, random() % 200);
    accumulator ordered(run), shuffled(run);
    add_all(ordered, records);
    std::ranges::shuffle(records, random);
    add_all(shuffled, records);
    const report o = ordered.finish(run);
    const report s = shuffled.finish(run);
    ASSERT_EQ(o.metrics().size(), s.metrics().size());
    for (std::size_t i = 0; i < o.metrics().size(); ++i) {
      const ifb_metric& a = o.metrics()[i];
      const ifb_metric& b = s.metrics()[i];
      EXPECT_EQ(a.value, b.value) << a.name;
      EXPECT_EQ(a.count, b.count) << a.name;
      EXPECT_EQ(a.deviation, b.deviation) << a.name;
      EXPECT_EQ(a.minimum, b.minimum) << a.name;
      EXPECT_EQ(a.maximum, b.maximum) << a.name;
      for (std::size_t q = 0; q < a.quantile_count; ++q)
        EXPECT_EQ(a.quantiles[q].value, b.quantiles[q].value) << a.name;
    }
    EXPECT_EQ(ordered.snapshot(1).find("ttft")->value, shuffled.snapshot(1).find("ttft")->value);
    const auto without_bytes = [](std::string_view facts) {
      return std::string(facts.substr(0, facts.find("\"bytes\"")));
    };
    EXPECT_EQ(without_bytes(o.facts_json()), without_bytes(s.facts_json()));
  }
}

}  // namespace
}  // namespace inferbench::metrics
