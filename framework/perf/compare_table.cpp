#include "perf/compare_table.hpp"

#include <cstddef>
#include <optional>
#include <utility>

namespace inferbench::perf {

namespace {

compared_cell cell_of_number(const std::optional<double>& value) {
  return value ? compared_cell(*value) : compared_cell();
}

}  // namespace

std::vector<compared_column> columns_of(const compared_frame& frame, bool names) {
  std::vector<compared_column> out;
  const auto add = [&](std::string title, compared_kind kind, auto&& cell) {
    compared_column& column = out.emplace_back();
    column.title = std::move(title);
    column.kind = kind;
    for (const compared_row& row : frame.rows)
      column.cells.push_back(cell(row));
  };
  for (std::size_t i = 0; i < frame.key_columns.size(); ++i)
    add(frame.key_columns[i], i < frame.groups ? compared_kind::group : compared_kind::key,
        [&](const compared_row& row) { return row.key[i]; });
  for (std::size_t file = 0; file < frame.labels.size(); ++file) {
    if (names)
      add(frame.labels[file] + "_name", compared_kind::name, [&](const compared_row& row) {
        const std::string& name = row.entries[file].name;
        return name.empty() ? compared_cell() : compared_cell(name);
      });
    add(frame.labels[file], compared_kind::value,
        [&](const compared_row& row) { return cell_of_number(row.entries[file].value); });
    if (file > 0)
      add("Ratio 1 vs " + std::to_string(file + 1), compared_kind::ratio,
          [&](const compared_row& row) { return cell_of_number(frame.ratio(row, file)); });
  }
  return out;
}

}  // namespace inferbench::perf
