#include "base/units.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inferbench::base {
namespace {

using testing::Optional;

TEST(units, a_duration_has_a_unit_or_counts_seconds) {
  EXPECT_THAT(parse_duration("30s"), Optional(30'000'000'000));
  EXPECT_THAT(parse_duration("1.5ms"), Optional(1'500'000));
  EXPECT_THAT(parse_duration("2m"), Optional(120'000'000'000));
  EXPECT_THAT(parse_duration("6h"), Optional(21'600'000'000'000));
  EXPECT_THAT(parse_duration("250us"), Optional(250'000));
  EXPECT_THAT(parse_duration("10ns"), Optional(10));
  EXPECT_THAT(parse_duration("600"), Optional(600'000'000'000));
  EXPECT_THAT(parse_duration("0.25"), Optional(250'000'000));
  EXPECT_THAT(parse_duration(" 3 s "), Optional(3'000'000'000));
  EXPECT_THAT(parse_duration("-1s"), Optional(-1'000'000'000));
}

TEST(units, a_text_that_is_not_a_duration_is_rejected) {
  for (const char* text :
       {"", "s", "ms", "1x", "1 2s", "inf", "nans", "1e30", "9999999999999h", "--1s"})
    EXPECT_EQ(parse_duration(text), std::nullopt) << text;
}

TEST(units, a_size_counts_in_thousands_or_1024s) {
  EXPECT_THAT(parse_size("64KiB"), Optional(65536));
  EXPECT_THAT(parse_size("64Ki"), Optional(65536));
  EXPECT_THAT(parse_size("1.5MB"), Optional(1'500'000));
  EXPECT_THAT(parse_size("2G"), Optional(2'000'000'000));
  EXPECT_THAT(parse_size("1TiB"), Optional(std::int64_t{1} << 40));
  EXPECT_THAT(parse_size("10B"), Optional(10));
  EXPECT_THAT(parse_size("10"), Optional(10));
  EXPECT_THAT(parse_size("1e3 B"), Optional(1000));
  EXPECT_THAT(parse_size("0.3KiB"), Optional(307));
}

TEST(units, a_text_that_is_not_a_size_is_rejected) {
  for (const char* text :
       {"", "B", "KiB", "1 KiBB", "1b", "99999999TiB", "inf", "nanKiB", "1.5", "0.4B"})
    EXPECT_EQ(parse_size(text), std::nullopt) << text;
  EXPECT_EQ(size_of_bytes(1.5), std::nullopt);
}

TEST(units, the_text_of_a_value_reads_back_as_the_value) {
  for (const std::int64_t ns : {std::int64_t{0}, std::int64_t{1}, std::int64_t{1'500'000},
                                std::int64_t{600'000'000'000}, INT64_MAX, std::int64_t{-5}})
    EXPECT_THAT(parse_duration(duration_text(ns)), Optional(ns)) << duration_text(ns);
  for (const std::int64_t bytes :
       {std::int64_t{0}, std::int64_t{1000}, std::int64_t{65536}, std::int64_t{1} << 40, INT64_MAX})
    EXPECT_THAT(parse_size(size_text(bytes)), Optional(bytes)) << size_text(bytes);
  EXPECT_EQ(duration_text(600'000'000'000), "600s");
  EXPECT_EQ(duration_text(1'500'000), "1500us");
  EXPECT_EQ(size_text(65536), "64KiB");
}

TEST(units, numbers_are_read_as_in_python) {
  for (const auto& [text, value] : {std::pair{".5", 0.5},
                                    {"5.", 5.0},
                                    {" 1e3\n", 1000.0},
                                    {"+.5e-1", 0.05},
                                    {"-0.5", -0.5},
                                    {"1_000.2_5", 1000.25},
                                    {"1e400", INFINITY},
                                    {"-1e400", -INFINITY},
                                    {"1e-400", 0.0},
                                    {"inf", INFINITY},
                                    {"Infinity", INFINITY},
                                    {"-INF", -INFINITY},
                                    {"007", 7.0}})
    EXPECT_THAT(parse_number(text), Optional(value)) << text;
  for (const char* text : {"nan", "NaN", "-nan", "+nan"})
    EXPECT_TRUE(parse_number(text).has_value() && std::isnan(*parse_number(text))) << text;
  for (const char* text : {"", " ", ".", "_1", "1_", "1__0", "1_.5", "1 0", "0x10", "1,5", "nan(1)",
                           "1e", "e5", "--5", "+-5", "infinite", "1f"})
    EXPECT_EQ(parse_number(text), std::nullopt) << text;
}

TEST(units, whole_numbers_are_read_as_in_python) {
  for (const auto& [text, value] :
       {std::pair<const char*, std::int64_t>{"5", 5}, {" +5 ", 5}, {"-1_000", -1000}, {"007", 7}})
    EXPECT_THAT(parse_whole(text), Optional(value)) << text;
  for (const char* text : {"", "1.0", "1e3", "1_", "0x1", "99999999999999999999", "+-1"})
    EXPECT_EQ(parse_whole(text), std::nullopt) << text;
}

TEST(units, suffixes_of_dotted_values_follow_upstream) {
  EXPECT_THAT(parse_suffixed_int("1.5k"), Optional(1500));
  EXPECT_THAT(parse_suffixed_int("2K"), Optional(2048));
  EXPECT_THAT(parse_suffixed_int("1T"), Optional(std::int64_t{1} << 40));
  EXPECT_THAT(parse_suffixed_int("3t"), Optional(3'000'000'000'000));
  EXPECT_THAT(parse_suffixed_int("7"), Optional(7));
  for (const char* text : {"1.5K", "k", "", "x", "1kk"})
    EXPECT_EQ(parse_suffixed_int(text), std::nullopt) << text;
}

}  // namespace
}  // namespace inferbench::base
