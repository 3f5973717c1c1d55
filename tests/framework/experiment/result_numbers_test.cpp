#include "experiment/result_numbers.hpp"

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "pytext/python_json.hpp"

namespace inferbench::experiment {
namespace {

TEST(result_numbers, are_numbers_and_the_texts_of_infinite_numbers) {
  const ifb::json_document all = pytext::read_json_document(
      R"({"a": 2, "b": -0.5, "c": "inf", "d": "-inf", "e": NaN, "f": "2", "g": null, "h": [1]})",
      "numbers");
  const auto number = [&](const char* name) { return number_in_result(ifb::find(all, name)); };
  EXPECT_EQ(number("a"), 2);
  EXPECT_EQ(number("b"), -0.5);
  EXPECT_EQ(number("c"), std::numeric_limits<double>::infinity());
  EXPECT_EQ(number("d"), -std::numeric_limits<double>::infinity());
  for (const char* name : {"e", "f", "g", "h", "absent"})
    EXPECT_EQ(number(name), std::nullopt) << name;
}

TEST(result_numbers, have_percentiles_from_0_to_100) {
  EXPECT_EQ(percentile_in_result("99.9"), 99.9);
  EXPECT_EQ(percentile_in_result("0"), 0);
  EXPECT_EQ(percentile_in_result("100"), 100);
  for (const char* text : {"", "x", "-1", "100.5", "nan", "inf"})
    EXPECT_EQ(percentile_in_result(text), std::nullopt) << text;
}

}  // namespace
}  // namespace inferbench::experiment
