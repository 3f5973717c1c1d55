#include "reporters/pages/request_columns.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace {

using reporters::column;
using reporters::request_columns;
using reporters::request_row;
using testing::ElementsAre;

request_row row_with(std::uint64_t sequence, std::int64_t start, std::uint64_t last) {
  request_row row;
  row[column::sequence] = sequence;
  row[column::start] = static_cast<std::uint64_t>(start);
  row[column::last] = last;
  return row;
}

request_columns three_rows() {
  request_columns out;
  out.add(row_with(2, 500, 0));
  out.add(row_with(0, -3, 7));
  out.add(row_with(1, 400, 1'000'000'000'000));
  return out;
}

std::string bytes_of(const request_columns& columns, const std::vector<std::uint32_t>& order) {
  std::string out;
  columns.write(order, [&](std::string_view bytes) { out += bytes; });
  return out;
}

TEST(request_columns, values_come_back_in_the_order_in_which_they_came) {
  const request_columns columns = three_rows();
  EXPECT_EQ(columns.size(), 3U);
  EXPECT_THAT(columns.values(column::sequence), ElementsAre(2, 0, 1));
  EXPECT_THAT(columns.values(column::start),
              ElementsAre(500, static_cast<std::uint64_t>(std::int64_t{-3}), 400));
  EXPECT_THAT(columns.values(column::last), ElementsAre(0, 7, 1'000'000'000'000));
}

TEST(request_columns, the_bytes_are_columns_with_the_rows_in_the_given_order) {
  const std::string bytes = bytes_of(three_rows(), {1, 2, 0});
  // sequence 0, 1, 2 and start -3, 400, 500 as differences
  EXPECT_EQ(bytes.substr(0, 8), std::string("\x00\x02\x02\x05\xA6\x06\xC8\x01", 8));
  EXPECT_EQ(bytes.size(), 8U + 3 * 5 + (1 + 6 + 1) + 3 * 18);
}

TEST(request_columns, some_columns_are_differences_from_an_earlier_column) {
  request_row row;
  row[column::first_byte] = 1 + 1000;
  row[column::first] = 1 + 1003;
  row[column::first_text] = 1 + 998;
  row[column::last] = 0;
  row[column::end] = 1 + 5;
  request_columns columns;
  columns.add(row);
  // sequence, start, due, sent; 1001; +3; -5; no last; +5 from the last that is missing
  EXPECT_EQ(bytes_of(columns, {0}).substr(0, 10),
            std::string("\0\0\0\0\xE9\x07\x07\x0A\0\x0B", 10));
}

TEST(request_columns, rows_that_are_not_wanted_are_gone) {
  request_columns columns = three_rows();
  columns.keep_only({true, false, true});
  EXPECT_EQ(columns.size(), 2U);
  EXPECT_THAT(columns.values(column::start), ElementsAre(500, 400));
  columns.add(row_with(9, 600, 1));
  EXPECT_THAT(columns.values(column::sequence), ElementsAre(2, 1, 9));
}

TEST(request_columns, every_column_has_a_name_and_a_type) {
  for (const auto& each : reporters::column_formats()) {
    EXPECT_NE(std::string(each.name), "");
    EXPECT_NE(std::string(reporters::name_of(each.type)), "");
  }
}

TEST(request_columns, without_rows_there_are_no_bytes) {
  EXPECT_EQ(bytes_of(request_columns(), {}), "");
}

}  // namespace
