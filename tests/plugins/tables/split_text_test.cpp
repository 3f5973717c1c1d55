#include "datasets/tables/split_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/guard.hpp>

namespace tables {
namespace {

using testing::HasSubstr;

std::pair<std::uint64_t, std::uint64_t> bounds(std::string_view text, std::uint64_t rows) {
  const slice_bounds found = bounds_of(parse_split_text(text).at(0), rows);
  return {found.first, found.count};
}
using pair = std::pair<std::uint64_t, std::uint64_t>;

std::string refusal(std::string_view text) {
  try {
    (void)parse_split_text(text);
  } catch (const ifb::failure& e) {
    EXPECT_EQ(e.option(), "hf-split");
    return e.message();
  }
  ADD_FAILURE() << text << " was not refused";
  return {};
}

TEST(split_text, names_a_split) {
  for (const char* name : {"train", "train.clean.100", "test_2", "a-b"}) {
    const auto slices = parse_split_text(name);
    ASSERT_EQ(slices.size(), 1U);
    EXPECT_EQ(slices[0].split, name);
    EXPECT_FALSE(slices[0].is_sliced);
  }
  EXPECT_EQ(bounds("train", 7), pair(0, 7));
}

TEST(split_text, slices_count_from_both_ends) {
  EXPECT_EQ(bounds("train[:100]", 250), pair(0, 100));
  EXPECT_EQ(bounds("train[100:]", 250), pair(100, 150));
  EXPECT_EQ(bounds("train[10:30]", 250), pair(10, 20));
  EXPECT_EQ(bounds("train[-10:]", 250), pair(240, 10));
  EXPECT_EQ(bounds("train[:-10]", 250), pair(0, 240));
  EXPECT_EQ(bounds("train[1_0:2_0]", 250), pair(10, 10));
  EXPECT_EQ(bounds("train[:]", 250), pair(0, 250));
}

TEST(split_text, slices_end_where_the_split_ends) {
  EXPECT_EQ(bounds("train[:100]", 7), pair(0, 7));
  EXPECT_EQ(bounds("train[-100:]", 7), pair(0, 7));
  EXPECT_EQ(bounds("train[100:]", 7), pair(7, 0));
  EXPECT_EQ(bounds("train[5:3]", 7), pair(5, 0));
}

TEST(split_text, percentages_are_rounded_to_the_nearest_row_and_halves_to_even) {
  EXPECT_EQ(bounds("train[:10%]", 1000), pair(0, 100));
  EXPECT_EQ(bounds("train[50%:]", 1001), pair(500, 501));
  EXPECT_EQ(bounds("train[50%:]", 1003), pair(502, 501));
  EXPECT_EQ(bounds("train[-10%:]", 1000), pair(900, 100));
  EXPECT_EQ(bounds("train[:1%]", 199), pair(0, 2));
  EXPECT_EQ(bounds("train[:1%](closest)", 199), pair(0, 2));
  EXPECT_EQ(bounds("train[:1%](pct1_dropremainder)", 199), pair(0, 1));
}

TEST(split_text, adds_splits) {
  const auto slices = parse_split_text("train[:10] + test");
  ASSERT_EQ(slices.size(), 2U);
  EXPECT_EQ(slices[0].split, "train");
  EXPECT_TRUE(slices[0].is_sliced);
  EXPECT_EQ(slices[1].split, "test");
}

TEST(split_text, of_another_form_is_refused) {
  EXPECT_THAT(refusal(""), HasSubstr("a name of letters"));
  EXPECT_THAT(refusal("train+"), HasSubstr("a name of letters"));
  EXPECT_THAT(refusal("../x"), HasSubstr("\"../x\" is no split"));
  EXPECT_THAT(refusal("train[10]"), HasSubstr("[FROM:TO]"));
  EXPECT_THAT(refusal("train[a:]"), HasSubstr("\"a\" is no number of rows"));
  EXPECT_THAT(refusal("train[:99999999999999999999]"), HasSubstr("no number of rows"));
  EXPECT_THAT(refusal("train[:101%]"), HasSubstr("between -100 and 100"));
  EXPECT_THAT(refusal("train[10:20%]"), HasSubstr("both bounds"));
}

}  // namespace
}  // namespace tables
