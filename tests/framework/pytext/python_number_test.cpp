#include "pytext/python_number.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace inferbench::pytext {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

TEST(python_number, a_float_has_the_forms_of_python) {
  EXPECT_EQ(python_float("300"), 300.0);
  EXPECT_EQ(python_float(" \t300.5\n"), 300.5);
  EXPECT_EQ(python_float("+.5"), 0.5);
  EXPECT_EQ(python_float("-5."), -5.0);
  EXPECT_EQ(python_float("1e3"), 1000.0);
  EXPECT_EQ(python_float("1E-2"), 0.01);
  EXPECT_EQ(python_float("1_000.2_5e1_0"), 1000.25e10);
  EXPECT_EQ(python_float("0_0"), 0.0);
}

TEST(python_number, infinite_numbers_and_nan_are_read_in_any_case) {
  for (const char* text : {"inf", "Infinity", "+INF", " infinity "})
    EXPECT_EQ(python_float(text), infinite) << text;
  EXPECT_EQ(python_float("-iNf"), -infinite);
  EXPECT_TRUE(std::isnan(*python_float("NaN")));
  EXPECT_TRUE(std::isnan(*python_float("-nan")));
}

TEST(python_number, a_number_beyond_a_double_is_infinite_or_zero) {
  EXPECT_EQ(python_float("1e400"), infinite);
  EXPECT_EQ(python_float("-1e400"), -infinite);
  EXPECT_EQ(python_float("1e-400"), 0.0);
}

TEST(python_number, any_other_text_is_no_float) {
  for (const char* text : {"",     " ",   "+",   ".",     "e5",    "1e",      "1 2",    "0x10",
                           "1__0", "_1",  "1_",  "1_.5",  "1._5",  "1e_5",    "nan(1)", "infin",
                           "--1",  "+-1", "1,5", "300ms", "= 300", "\xC2\xA0"})
    EXPECT_FALSE(python_float(text)) << text;
}

TEST(python_number, an_int_has_the_forms_of_python) {
  EXPECT_EQ(python_int("1000"), 1000);
  EXPECT_EQ(python_int(" +1_000 "), 1000);
  EXPECT_EQ(python_int("-5"), -5);
  for (const char* text : {"", "4.0", "1e3", "1__0", "_1", "99999999999999999999", "+-5", "four"})
    EXPECT_FALSE(python_int(text)) << text;
}

}  // namespace
}  // namespace inferbench::pytext
