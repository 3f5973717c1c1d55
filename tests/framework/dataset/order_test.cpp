#include "dataset/order.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"

namespace {

using inferbench::dataset::order;
using inferbench::dataset::repetition;
using ::testing::ElementsAre;

std::vector<std::uint64_t> all(const order& from) {
  std::vector<std::uint64_t> out;
  while (const auto row = from.row(out.size()))
    out.push_back(*row);
  return out;
}

TEST(order, natural_counts_up_to_the_number_of_rows) {
  EXPECT_THAT(all(order::natural(3)), ElementsAre(0, 1, 2));
  EXPECT_THAT(all(order::natural(0)), ElementsAre());
}

TEST(order, natural_has_no_end_where_the_number_is_unknown) {
  EXPECT_EQ(order::natural(-1).row(std::uint64_t{1} << 40), std::uint64_t{1} << 40);
}

TEST(order, shuffled_is_random_shuffle_after_random_seed) {
  EXPECT_THAT(all(order::shuffled(10, 0)), ElementsAre(7, 8, 1, 5, 3, 4, 2, 0, 9, 6));
  EXPECT_THAT(all(order::shuffled(1, 9)), ElementsAre(0));
  EXPECT_THAT(all(order::shuffled(0, 9)), ElementsAre());
}

TEST(order, more_rows_than_can_be_kept_are_refused_with_a_way_out) {
  try {
    (void)order::shuffled(std::int64_t{1} << 40, 0);
    FAIL() << "not refused";
  } catch (const inferbench::base::error& e) {
    EXPECT_EQ(e.remedy(), "give --disable-shuffle");
  }
}

TEST(repetition, picks_are_random_choice_after_random_seed) {
  repetition picks(0);
  const std::vector<std::uint64_t> rows = {100, 101, 102};
  std::vector<std::uint64_t> out;
  for (int i = 0; i < 4; ++i)
    out.push_back(picks.next(rows));
  EXPECT_THAT(out, ElementsAre(101, 101, 100, 101));
}

}  // namespace
