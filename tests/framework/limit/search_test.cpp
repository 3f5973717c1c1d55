#include "limit/search.hpp"

#include <functional>
#include <limits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace inferbench::limit {
namespace {

using testing::ElementsAre;
using outcome_of = std::function<verdict(double)>;

search carried_out(const search_settings& settings, const outcome_of& outcome) {
  search out(settings);
  while (const auto load = out.next())
    out.add(*load, outcome(*load));
  return out;
}

std::vector<double> loads_of(const search& of) {
  std::vector<double> out;
  for (const probed_load& each : of.tried())
    out.push_back(each.load);
  return out;
}

outcome_of fails_above(double limit) {
  return [=](double load) { return load > limit ? verdict::failed : verdict::passed; };
}

search_settings whole(double lo, double hi, std::size_t probes = 12) {
  return {.lo = lo, .hi = hi, .whole = true, .probes = probes};
}

TEST(the_search, ends_at_adjacent_whole_numbers) {
  for (double limit = 1; limit < 200; ++limit) {
    const search_result found = carried_out(whole(1, 200), fails_above(limit)).result();
    ASSERT_EQ(found.limit, limit);
    ASSERT_EQ(found.upper_end, limit + 1);
    ASSERT_EQ(found.why, conclusion::exact);
  }
}

TEST(the_search, begins_with_the_highest_load_and_halves_the_gap) {
  EXPECT_THAT(loads_of(carried_out(whole(1, 100), fails_above(12))),
              ElementsAre(100, 10, 32, 18, 13, 11, 12));
}

TEST(the_search, probes_the_lowest_load_after_three_failures) {
  const search none = carried_out(whole(4, 1'000), fails_above(3));
  EXPECT_THAT(loads_of(none), ElementsAre(1'000, 63, 16, 4));
  EXPECT_EQ(none.result().why, conclusion::nothing_passed);
  EXPECT_EQ(none.result().limit, std::nullopt);
  EXPECT_EQ(none.result().upper_end, 4);
  // A lowest load that passes is no reason to end.
  EXPECT_EQ(carried_out(whole(4, 1'000), fails_above(5)).result().limit, 5);
}

TEST(the_search, is_over_when_the_highest_load_passes) {
  const search all = carried_out({.lo = 1, .hi = 9}, fails_above(9));
  EXPECT_THAT(loads_of(all), ElementsAre(9));
  EXPECT_EQ(all.result().why, conclusion::hi_passed);
  EXPECT_EQ(all.result().limit, 9);
  EXPECT_EQ(all.result().upper_end, std::nullopt);
}

TEST(the_search, finds_a_real_limit_to_its_precision_with_loads_that_can_be_read) {
  const search found = carried_out({.lo = 1, .hi = 64, .precision = 0.01}, fails_above(17.3));
  const search_result result = found.result();
  EXPECT_EQ(result.why, conclusion::exact);
  EXPECT_LE(result.limit.value(), 17.3);
  EXPECT_GT(result.upper_end.value(), 17.3);
  EXPECT_LE(result.upper_end.value() / result.limit.value(), 1.01);
  EXPECT_THAT(loads_of(found),
              ElementsAre(64, 8, 22.63, 13.46, 17.45, 15.33, 16.36, 16.9, 17.17, 17.31));
}

TEST(the_search, says_that_its_probes_are_used) {
  const search_result found =
      carried_out({.lo = 1, .hi = 64, .probes = 5}, fails_above(17.3)).result();
  EXPECT_EQ(found.why, conclusion::probes_used);
  EXPECT_EQ(found.limit, 13.455);
  EXPECT_EQ(found.upper_end, 17.45);
}

TEST(an_undecided_load, counts_as_not_passed) {
  const auto outcome = [](double load) {
    return load > 60 ? verdict::failed : load > 40 ? verdict::undecided : verdict::passed;
  };
  const search_result found = carried_out(whole(1, 128, 30), outcome).result();
  EXPECT_EQ(found.limit, 40);
  EXPECT_EQ(found.undecided.front(), 41);
}

TEST(probes_that_are_left_over, tighten_the_upper_end) {
  const auto outcome = [](double load) {
    return load > 60 ? verdict::failed : load > 40 ? verdict::undecided : verdict::passed;
  };
  const search found = carried_out(whole(1, 128, 30), outcome);
  EXPECT_EQ(found.result().upper_end, 61);
  EXPECT_EQ(found.result().undecided.back(), 60);
  EXPECT_LT(found.tried().size(), 30U);
  // The limit comes first if the probes are few.
  const search_result few = carried_out(whole(1, 128, 9), outcome).result();
  EXPECT_EQ(few.limit, 40);
}

TEST(an_undecided_load_next_to_the_limit, has_a_second_probe) {
  int probes = 0;
  const auto outcome = [&](double load) {
    if (load == 41) return ++probes == 1 ? verdict::undecided : verdict::passed;
    return load > 41 ? verdict::failed : verdict::passed;
  };
  const search_result found = carried_out(whole(1, 128, 30), outcome).result();
  EXPECT_EQ(probes, 2);
  EXPECT_EQ(found.limit, 41);
  EXPECT_EQ(found.upper_end, 42);
  EXPECT_TRUE(found.undecided.empty());
}

TEST(the_search, names_all_loads_undecided_if_nothing_is_decided) {
  const search_result found =
      carried_out(whole(1, 100), [](double) { return verdict::undecided; }).result();
  EXPECT_EQ(found.why, conclusion::nothing_passed);
  EXPECT_EQ(found.upper_end, std::nullopt);
  EXPECT_THAT(found.undecided, ElementsAre(1, 3, 10, 100));
}

TEST(the_last_probe, is_for_the_lowest_load_if_nothing_passed) {
  EXPECT_THAT(loads_of(carried_out(whole(1, 100, 2), fails_above(0))), ElementsAre(100, 1));
  EXPECT_EQ(carried_out(whole(1, 100, 1), fails_above(0)).result().why, conclusion::probes_used);
}

TEST(a_load_with_two_probes_without_a_verdict, is_named_once) {
  const auto outcome = [](double load) {
    return load > 41 ? verdict::failed : load > 40 ? verdict::undecided : verdict::passed;
  };
  const search_result found = carried_out(whole(1, 128, 30), outcome).result();
  EXPECT_EQ(found.limit, 40);
  EXPECT_THAT(found.undecided, ElementsAre(41));
}

TEST(a_search_that_is_resumed, goes_on_where_it_ended) {
  const search whole_search = carried_out({.lo = 1, .hi = 64}, fails_above(17.3));
  search resumed({.lo = 1, .hi = 64});
  for (const probed_load& each : whole_search.tried()) {
    ASSERT_EQ(resumed.next(), each.load);
    resumed.add(each.load, each.outcome);
  }
  EXPECT_EQ(resumed.next(), std::nullopt);
}

TEST(a_load_that_passes_above_a_load_that_failed, is_not_the_limit) {
  search contradictory(whole(1, 100));
  contradictory.add(100, verdict::failed);
  contradictory.add(10, verdict::passed);
  contradictory.add(20, verdict::failed);
  contradictory.add(30, verdict::passed);
  EXPECT_EQ(contradictory.result().limit, 10);
  EXPECT_EQ(contradictory.result().upper_end, 20);
}

TEST(settings_without_a_meaning, are_refused) {
  EXPECT_THROW(search({.lo = 0, .hi = 2}), base::error);
  EXPECT_THROW(search({.lo = 2, .hi = 2}), base::error);
  EXPECT_THROW(search({.lo = 3, .hi = 2}), base::error);
  EXPECT_THROW(search({.lo = 1, .hi = std::numeric_limits<double>::infinity()}), base::error);
  EXPECT_THROW(search({.lo = 1, .hi = std::numeric_limits<double>::quiet_NaN()}), base::error);
  EXPECT_THROW(search({.lo = 1.5, .hi = 4, .whole = true}), base::error);
  EXPECT_THROW(search({.lo = 1, .hi = 4, .precision = 0}), base::error);
  EXPECT_THROW(search({.lo = 1, .hi = 4, .probes = 0}), base::error);
}

TEST(the_names_of_conclusions, are_the_words_of_the_result) {
  EXPECT_EQ(name_of(conclusion::open), "open");
  EXPECT_EQ(name_of(conclusion::exact), "exact");
  EXPECT_EQ(name_of(conclusion::hi_passed), "hi_passed");
  EXPECT_EQ(name_of(conclusion::nothing_passed), "nothing_passed");
  EXPECT_EQ(name_of(conclusion::probes_used), "probes_used");
}

}  // namespace
}  // namespace inferbench::limit
