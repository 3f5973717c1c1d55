#include "offline/times.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pytext/python_text.hpp"

namespace inferbench::offline {
namespace {

using testing::ElementsAre;
using testing::Pair;

TEST(times, the_deviation_is_that_of_the_population) {
  const time_statistics found = statistics_of(std::vector<double>{1, 2, 3, 4});
  EXPECT_DOUBLE_EQ(found.mean, 2.5);
  EXPECT_DOUBLE_EQ(found.median, 2.5);
  EXPECT_DOUBLE_EQ(found.deviation, 1.118033988749895);
}

TEST(times, percentiles_are_interpolated_between_ranks) {
  const std::vector<double> values{40, 10, 20, 30, 50};
  const std::vector<double> wanted{0, 10, 50, 99, 100};
  const time_statistics found = statistics_of(values, wanted);
  EXPECT_THAT(found.percentiles, ElementsAre(Pair(0, 10), Pair(10, 14), Pair(50, 30),
                                             Pair(99, testing::DoubleEq(49.6)), Pair(100, 50)));
  EXPECT_THAT(values, ElementsAre(40, 10, 20, 30, 50));
}

TEST(times, one_value_is_all_its_statistics_and_no_value_is_0) {
  const time_statistics one = statistics_of(std::vector<double>{0.5});
  EXPECT_EQ(one.deviation, 0);
  for (const auto& [percentile, value] : one.percentiles)
    EXPECT_EQ(value, 0.5) << percentile;
  const time_statistics none = statistics_of(std::vector<double>{});
  EXPECT_EQ(none.mean, 0);
  EXPECT_EQ(none.percentiles.size(), 6U);
}

TEST(times, keys_of_percentiles_have_no_decimals_that_they_do_not_need) {
  EXPECT_EQ(percentile_label(99), "99");
  EXPECT_EQ(percentile_label(99.9), "99.9");
  const std::vector<double> wanted{10, 99.9};
  EXPECT_EQ(pytext::python_json(percentile_table(statistics_of(std::vector<double>{2}, wanted))),
            R"({"10": 2.0, "99.9": 2.0})");
}

}  // namespace
}  // namespace inferbench::offline
