#include "perf/result_column.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "base/error.hpp"

namespace inferbench::perf {

namespace {

using options::node;

node not_a_number() { return node::of(std::numeric_limits<double>::quiet_NaN()); }

bool is_whole(const std::optional<node>& cell) { return cell && cell->is(node::kind::integer); }

/// Whether the cell fits into a column of floating-point numbers.
bool is_numeric_or_gap(const std::optional<node>& cell) {
  return !cell || cell->is(node::kind::null) || cell->is(node::kind::integer) ||
         cell->is(node::kind::real);
}

bool is_number(const std::optional<node>& cell) {
  return cell && (cell->is(node::kind::integer) || cell->is(node::kind::real));
}

bool is_number_or_gap(const std::optional<node>& cell) { return !cell || is_number(cell); }

node as_real(const std::optional<node>& cell) {
  if (!is_number(cell)) return not_a_number();
  return node::of(cell->is(node::kind::real) ? cell->real : static_cast<double>(cell->integer));
}

}  // namespace

std::vector<node> typed_cells(std::vector<std::optional<node>> cells) {
  const bool whole = std::ranges::all_of(cells, is_whole);
  // A column of nulls only is no column of numbers; a gap is one, since it is NaN.
  const bool numeric = !whole && std::ranges::all_of(cells, is_numeric_or_gap) &&
                       std::ranges::any_of(cells, is_number_or_gap);
  std::vector<node> out;
  for (std::optional<node>& each : cells) {
    if (numeric)
      out.push_back(as_real(each));
    else
      out.push_back(each ? std::move(*each) : not_a_number());
  }
  return out;
}

std::vector<result_column> columns_of(std::span<const result_record> records,
                                      std::span<const column_title> titles, bool required) {
  std::vector<result_column> out;
  if (records.empty()) return out;
  for (const column_title& each : titles) {
    std::vector<std::optional<node>> cells;
    bool found = false;
    for (const result_record& record : records) {
      const auto at = record.find(each.key);
      found = found || at != record.end();
      cells.push_back(at == record.end() ? std::nullopt : std::optional(at->second));
    }
    if (!found && required)
      throw base::error("no result has the value " + std::string(each.key) + " for the column " +
                            std::string(each.title),
                        "see whether the files are results of a benchmark of their kind");
    if (found) out.push_back({std::string(each.title), typed_cells(std::move(cells))});
  }
  return out;
}

void sort_rows(std::vector<result_column>& columns) {
  if (columns.empty()) return;
  std::vector<std::size_t> order(columns.front().cells.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::vector<node> names = columns.front().cells;
  std::ranges::stable_sort(
      order, [&](std::size_t a, std::size_t b) { return names[a].text < names[b].text; });
  for (result_column& column : columns) {
    std::vector<node> sorted;
    for (const std::size_t at : order)
      sorted.push_back(std::move(column.cells[at]));
    column.cells = std::move(sorted);
  }
}

void count_devices(std::vector<result_column>& columns, std::string_view title) {
  const auto column = std::ranges::find(columns, title, &result_column::title);
  if (column == columns.end()) return;
  for (node& cell : column->cells) {
    if (!cell.is(node::kind::text)) continue;
    const auto lines = std::ranges::count(cell.text, '\n') + 1;
    cell = node::of(std::to_string(lines) + "x" + cell.text.substr(0, cell.text.find('\n')));
  }
}

std::vector<node> rows_of(const std::vector<result_column>& columns) {
  std::vector<node> out;
  if (columns.empty()) return out;
  for (std::size_t row = 0; row < columns.front().cells.size(); ++row) {
    node table = node::table();
    for (const result_column& column : columns)
      table.set(column.title, column.cells[row]);
    out.push_back(std::move(table));
  }
  return out;
}

node by_columns(const std::vector<result_column>& columns) {
  node out = node::table();
  for (const result_column& column : columns) {
    node cells = node::table();
    for (std::size_t row = 0; row < column.cells.size(); ++row)
      cells.set(std::to_string(row), column.cells[row]);
    out.set(column.title, std::move(cells));
  }
  return out;
}

}  // namespace inferbench::perf
