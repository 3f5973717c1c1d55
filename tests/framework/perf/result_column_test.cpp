#include "perf/result_column.hpp"

#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pytext/python_text.hpp"
#include "support/error_text.hpp"

namespace inferbench::perf {
namespace {

using options::node;
using testing::HasSubstr;
using testing::IsEmpty;

node whole_cell(std::int64_t value) { return node::of(value); }
node real_cell(double value) { return node::of(value); }
node text_cell(const char* value) { return node::of(std::string(value)); }

/// The cells as json.dumps writes them.
std::string typed(std::vector<std::optional<node>> cells) {
  node list = node::list();
  list.items = typed_cells(std::move(cells));
  return pytext::python_json(list);
}

TEST(the_cells_of_a_column, stay_whole_if_all_are_whole) {
  EXPECT_EQ(typed({whole_cell(128), whole_cell(2)}), "[128, 2]");
}

TEST(the_cells_of_a_column, become_real_with_a_fraction_a_gap_or_a_null) {
  EXPECT_EQ(typed({whole_cell(128), real_cell(0.5)}), "[128.0, 0.5]");
  EXPECT_EQ(typed({whole_cell(128), std::nullopt}), "[128.0, NaN]");
  EXPECT_EQ(typed({whole_cell(128), node{}}), "[128.0, NaN]");
  EXPECT_EQ(typed({node{}, std::nullopt}), "[NaN, NaN]");
}

TEST(the_cells_of_a_column, keep_their_types_if_the_types_are_mixed) {
  EXPECT_EQ(typed({whole_cell(1), text_cell("inf"), std::nullopt}), R"([1, "inf", NaN])");
  EXPECT_EQ(typed({node::of(true), whole_cell(1)}), "[true, 1]");
  EXPECT_EQ(typed({node{}, node{}}), "[null, null]");
}

TEST(columns, have_the_order_of_their_titles_and_gaps) {
  const std::vector<result_record> records{{{"a", whole_cell(1)}, {"b", text_cell("x")}},
                                           {{"a", whole_cell(2)}}};
  constexpr column_title titles[] = {{"b", "B"}, {"c", "C"}, {"a", "A"}};
  const auto columns = columns_of(records, titles, false);
  ASSERT_EQ(columns.size(), 2U);
  EXPECT_EQ(pytext::python_json(by_columns(columns)),
            R"({"B": {"0": "x", "1": NaN}, "A": {"0": 1, "1": 2}})");
  EXPECT_THAT(support::error_text([&] { return columns_of(records, titles, true); }),
              HasSubstr("no result has the value c for the column C"));
  EXPECT_THAT(columns_of({}, titles, true), IsEmpty());
}

TEST(rows, are_sorted_by_the_first_column) {
  std::vector<result_column> columns{
      {"Test name", {text_cell("b_10"), text_cell("a"), text_cell("b_2")}},
      {"x", {whole_cell(1), whole_cell(2), whole_cell(3)}}};
  sort_rows(columns);
  node rows = node::list();
  rows.items = rows_of(columns);
  EXPECT_EQ(pytext::python_json(rows),
            R"([{"Test name": "a", "x": 2}, {"Test name": "b_10", "x": 1}, )"
            R"({"Test name": "b_2", "x": 3}])");
  std::vector<result_column> none;
  sort_rows(none);
  EXPECT_THAT(rows_of(none), IsEmpty());
}

TEST(devices, are_counted_by_their_lines) {
  std::vector<result_column> columns{
      {"GPU",
       {text_cell("A\nA\nA"), text_cell("A"), text_cell("A\n"), text_cell(""), real_cell(1)}}};
  count_devices(columns, "GPU");
  EXPECT_EQ(pytext::python_json(by_columns(columns)),
            R"({"GPU": {"0": "3xA", "1": "1xA", "2": "2xA", "3": "1x", "4": 1.0}})");
  count_devices(columns, "no such title");
}

}  // namespace
}  // namespace inferbench::perf
