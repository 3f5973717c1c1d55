#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <inferbench/json_writer.hpp>

namespace {

std::string in_json(std::string_view text) {
  std::string out;
  ifb::append_json_string(out, text);
  return out;
}

std::string repr(double value) {
  std::string out;
  ifb::append_python_float(out, value);
  return out;
}

// The expected values of this file are the output of Python 3.11.

TEST(append_json_string, escapes_as_python_does) {
  EXPECT_EQ(in_json(""), "\"\"");
  EXPECT_EQ(in_json("plain /text ~"), "\"plain /text ~\"");
  EXPECT_EQ(in_json("\"\\\n\r\t\b\f"), R"("\"\\\n\r\t\b\f")");
  EXPECT_EQ(in_json(std::string_view("\0\x01\x1F\x7F", 4)), R"("\u0000\u0001\u001f\u007f")");
  EXPECT_EQ(in_json("\xC3\xA9\xE2\x82\xAC"), R"("\u00e9\u20ac")");
  EXPECT_EQ(in_json("\xF0\x9F\x98\x80"), R"("\ud83d\ude00")");
  EXPECT_EQ(in_json("\xF4\x8F\xBF\xBF"), R"("\udbff\udfff")");
}

TEST(append_json_string, bad_utf8_becomes_the_replacement_character) {
  // One U+FFFD for each longest valid prefix of a sequence, as with Python's errors="replace".
  const std::vector<std::pair<std::string, std::string>> cases{
      {"\x80", R"("\ufffd")"},
      {"a\xFF"
       "b",
       R"("a\ufffdb")"},
      {"\xC0\xAF", R"("\ufffd\ufffd")"},  // overlong
      {"\xE2\x82", R"("\ufffd")"},        // cut short
      {"\xE2\x82z", R"("\ufffdz")"},
      {"\xED\xA0\x80", R"("\ufffd\ufffd\ufffd")"},  // a surrogate
      {"\xF0\x9F\x98", R"("\ufffd")"},
      {"\xF4\x90\x80\x80", R"("\ufffd\ufffd\ufffd\ufffd")"},  // above U+10FFFF
  };
  for (const auto& [text, expected] : cases)
    EXPECT_EQ(in_json(text), expected);
}

TEST(append_python_float, agrees_with_repr) {
  const std::vector<std::pair<double, std::string>> cases{
      {0.0, "0.0"},
      {-0.0, "-0.0"},
      {1.0, "1.0"},
      {10.0, "10.0"},
      {-2.5, "-2.5"},
      {0.1, "0.1"},
      {0.1 + 0.2, "0.30000000000000004"},
      {1.0 / 3, "0.3333333333333333"},
      {100.0 / 3, "33.333333333333336"},
      {123456789.123, "123456789.123"},
      {0.0001, "0.0001"},
      {0.00012345, "0.00012345"},
      {0.00001, "1e-05"},
      {0.000012345, "1.2345e-05"},
      {1e15, "1000000000000000.0"},
      {123456789012345680.0, "1.2345678901234568e+17"},
      {9007199254740993.0, "9007199254740992.0"},
      {9999999999999998.0, "9999999999999998.0"},
      {1e16, "1e+16"},
      {1e22, "1e+22"},
      {1.5e300, "1.5e+300"},
      {5e-324, "5e-324"},
      {1.7976931348623157e308, "1.7976931348623157e+308"},
      {2.2250738585072014e-308, "2.2250738585072014e-308"},
      {std::numeric_limits<double>::infinity(), "inf"},
      {-std::numeric_limits<double>::infinity(), "-inf"},
      {std::numeric_limits<double>::quiet_NaN(), "nan"},
  };
  for (const auto& [value, expected] : cases)
    EXPECT_EQ(repr(value), expected);
}

TEST(append_python_float, reads_back_as_the_same_number) {
  std::uint64_t state = 1;
  for (int i = 0; i < 20'000; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    double value = 0;
    static_assert(sizeof value == sizeof state);
    std::memcpy(&value, &state, sizeof value);
    if (!std::isfinite(value)) continue;
    EXPECT_EQ(std::strtod(repr(value).c_str(), nullptr), value);
  }
}

TEST(json_writer, lays_out_as_json_dumps) {
  ifb::json_writer out;
  out.begin_object();
  out.member("name", "a");
  out.member("yes", true);
  out.member("count", std::uint64_t{18446744073709551615U});
  out.member("least", std::numeric_limits<std::int64_t>::min());
  out.member("real", 0.5);
  out.key("none");
  out.null();
  out.key("list");
  out.begin_array();
  out.integer(1);
  out.begin_array();
  out.end_array();
  out.begin_object();
  out.end_object();
  out.number(2);
  out.end_array();
  out.key("raw");
  out.raw("{\"a\":1}");
  out.end_object();
  EXPECT_EQ(out.text(), R"({"name": "a", "yes": true, "count": 18446744073709551615, )"
                        R"("least": -9223372036854775808, "real": 0.5, "none": null, )"
                        R"("list": [1, [], {}, 2.0], "raw": {"a":1}})");
}

TEST(json_writer, writes_only_valid_json) {
  ifb::json_writer out;
  out.begin_array();
  out.number(std::numeric_limits<double>::infinity());
  out.number(-std::numeric_limits<double>::infinity());
  out.number(std::numeric_limits<double>::quiet_NaN());
  out.end_array();
  EXPECT_EQ(out.text(), R"(["inf", "-inf", null])");
}

TEST(json_writer, take_leaves_it_ready_for_another_value) {
  ifb::json_writer out;
  out.begin_object();
  out.member("a", 1);
  out.end_object();
  EXPECT_EQ(out.take(), R"({"a": 1})");
  EXPECT_EQ(out.text(), "");
  out.string("b");
  EXPECT_EQ(out.take(), "\"b\"");
}

}  // namespace
