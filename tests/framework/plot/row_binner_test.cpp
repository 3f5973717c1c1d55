#include "plot/row_binner.hpp"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "framework/plot/runs_of.hpp"

namespace inferbench::plot {
namespace {

double binned(const std::string& value, const std::string& size) {
  const runs_of runs("[{\"v\": " + value + "}]");
  row_binner::parse("v%" + size).apply(runs.rows());
  return (*runs.rows()[0].object)["v"].GetDouble();
}

TEST(row_binner, rounds_down_to_multiples_of_the_size) {
  EXPECT_EQ(binned("7.9", "1"), 7.0);
  EXPECT_EQ(binned("7", "2.5"), 5.0);
  EXPECT_EQ(binned("-0.5", "1"), -1.0);
  EXPECT_EQ(binned("0", "10"), 0.0);
  EXPECT_EQ(binned("\"inf\"", "10"), INFINITY);
}

TEST(row_binner, a_missing_value_stays_missing) {
  const runs_of runs(R"([{"v": null}, {}])");
  row_binner::parse("v%1").apply(runs.rows());
  EXPECT_TRUE((*runs.rows()[0].object)["v"].IsNull());
}

TEST(row_binner, malformed_binners_and_texts_are_errors) {
  for (const char* text : {"v", "v%", "v%0", "v%-1", "v%x", "v%1%2", "v%inf", "v%nan"})
    EXPECT_THROW(static_cast<void>(row_binner::parse(text)), base::error) << text;
  const runs_of runs(R"([{"v": "x"}])");
  EXPECT_THROW(row_binner::parse("v%1").apply(runs.rows()), base::error);
}

TEST(row_binner, a_list_is_split_at_commas) {
  const auto two = parse_binners("a%1,b%0.5");
  ASSERT_EQ(two.size(), 2U);
  EXPECT_EQ(two[1].column(), "b");
  EXPECT_TRUE(parse_binners("").empty());
}

}  // namespace
}  // namespace inferbench::plot
