#include "datasets/tables/row_order.hpp"

#include <algorithm>
#include <numeric>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tables {
namespace {

using reach = row_order::reach;
using testing::ElementsAre;

/// Files with these numbers of rows; counts how many were opened.
struct file_counts {
  std::vector<std::uint64_t> rows;
  std::size_t opened = 0;

  next_file next() {
    return [this]() -> std::optional<row_range> {
      if (opened == rows.size()) return std::nullopt;
      const row_range out{opened, 0, rows[opened]};
      ++opened;
      return out;
    };
  }
};

/// The rows of an order as FILE * 1000 + ROW.
std::vector<std::uint64_t> all(row_order& order) {
  std::vector<std::uint64_t> out;
  while (const auto id = order.at(out.size(), reach::all_files))
    out.push_back(id->file * 1000 + id->row);
  return out;
}

// The expected orders are those of NumPy and of `datasets`.
TEST(row_orders, through_a_buffer_are_those_of_datasets) {
  file_counts one{{10}};
  EXPECT_THAT(all(*through_buffer(one.next(), ifb::numpy_pcg64(0), 4)),
              ElementsAre(3, 2, 5, 1, 7, 0, 8, 9, 4, 6));
}

TEST(row_orders, of_a_whole_data_set_are_those_of_datasets) {
  row_ranges ranges;
  ranges.add({0, 0, 10});
  EXPECT_THAT(all(*of_whole(ranges, ifb::numpy_pcg64(42))),
              ElementsAre(5, 6, 0, 7, 3, 2, 4, 9, 1, 8));
}

TEST(row_orders, of_one_small_file_are_equal_streamed_and_whole) {
  file_counts one{{900}};
  row_ranges ranges;
  ranges.add({0, 0, 900});
  EXPECT_EQ(all(*through_buffer(one.next(), ifb::numpy_pcg64(7))),
            all(*of_whole(ranges, ifb::numpy_pcg64(7))));
}

TEST(row_orders, through_a_buffer_have_each_row_once) {
  file_counts three{{700, 0, 900, 800}};
  auto order = through_buffer(three.next(), ifb::numpy_pcg64(1));
  auto found = all(*order);
  EXPECT_EQ(found.size(), 2400U);
  EXPECT_EQ(order->at(2400, reach::all_files), std::nullopt);
  std::ranges::sort(found);
  EXPECT_EQ(std::ranges::adjacent_find(found), found.end());
}

TEST(row_orders, keep_their_positions) {
  file_counts files{{1500, 1500}};
  auto order = through_buffer(files.next(), ifb::numpy_pcg64(3));
  const auto first = order->at(0, reach::all_files);
  const auto late = order->at(2000, reach::all_files);
  EXPECT_EQ(order->at(0, reach::all_files), first);
  EXPECT_EQ(order->at(2000, reach::all_files), late);
}

TEST(row_orders, without_shuffling_go_through_the_files) {
  file_counts files{{2, 0, 3}};
  EXPECT_THAT(all(*in_file_order(files.next())), ElementsAre(0, 1, 2000, 2001, 2002));
  row_ranges slices;
  slices.add({1, 5, 2});
  slices.add({0, 0, 0});
  slices.add({0, 3, 1});
  EXPECT_THAT(all(*of_whole(slices, std::nullopt)), ElementsAre(1005, 1006, 3));
}

TEST(row_orders, open_files_only_when_they_are_needed) {
  file_counts files{{1200, 1200, 1200}};
  auto order = through_buffer(files.next(), ifb::numpy_pcg64(3));
  EXPECT_EQ(order->at(0, reach::open_files), std::nullopt);
  EXPECT_EQ(files.opened, 0U);
  EXPECT_NE(order->at(0, reach::all_files), std::nullopt);
  EXPECT_NE(order->at(199, reach::open_files), std::nullopt);
  EXPECT_EQ(order->at(200, reach::open_files), std::nullopt);
  EXPECT_EQ(files.opened, 1U);
  EXPECT_NE(order->at(200, reach::all_files), std::nullopt);
  EXPECT_EQ(files.opened, 2U);
}

TEST(row_orders, of_no_rows_are_empty) {
  file_counts none{{}};
  EXPECT_TRUE(all(*through_buffer(none.next(), ifb::numpy_pcg64(0))).empty());
  file_counts empty{{0, 0}};
  EXPECT_TRUE(all(*in_file_order(empty.next())).empty());
  EXPECT_TRUE(all(*of_whole({}, ifb::numpy_pcg64(0))).empty());
}

}  // namespace
}  // namespace tables
