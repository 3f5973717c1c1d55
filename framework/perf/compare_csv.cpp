#include "perf/compare_csv.hpp"

#include <cstddef>
#include <optional>
#include <utility>
#include <variant>

#include "base/csv.hpp"
#include "base/text.hpp"
#include "perf/compare_names.hpp"
#include "perf/compare_table.hpp"

namespace inferbench::perf {

namespace {

/// Keys are whole numbers where they can be; values are means, and so numbers with a point.
std::string field_of(const compared_cell& cell, compared_kind kind) {
  if (std::holds_alternative<std::monostate>(cell)) return {};
  const auto* const number = std::get_if<double>(&cell);
  if (number != nullptr && (kind == compared_kind::value || kind == compared_kind::ratio))
    return base::shortest(*number);
  return text_of_cell(cell);
}

std::string metric_csv(const compared_frame& part, bool names) {
  const std::vector<compared_column> columns = columns_of(part, names);
  std::vector<std::string> fields;
  for (const compared_column& column : columns)
    fields.push_back(column.title);
  std::string out = base::csv_line(fields);
  for (std::size_t row = 0; row < part.rows.size(); ++row) {
    fields.clear();
    for (const compared_column& column : columns)
      fields.push_back(field_of(column.cells[row], column.kind));
    out += base::csv_line(fields);
  }
  return out;
}

std::string summary_table(const concurrency_summary& summary) {
  std::string out = base::csv_line(summary.titles);
  for (const valid_concurrency& row : summary.rows) {
    std::vector<std::string> fields{row.configuration};
    const std::vector<std::optional<double>> cells = cells_of(row);
    // The first three are levels.
    for (std::size_t i = 0; i < cells.size(); ++i)
      fields.push_back(!cells[i] ? std::string()
                       : i < 3   ? base::whole_or_shortest(*cells[i])
                                 : base::shortest(*cells[i]));
    out += base::csv_line(fields);
  }
  return out;
}

}  // namespace

std::vector<csv_table> csv_tables(const comparison_report& all) {
  std::vector<csv_table> out;
  for (const compared_group& group : all.groups) {
    const std::string begin = group.sheet + "__";
    for (const compared_frame& part : group.parts)
      if (!part.rows.empty())
        out.push_back({plain_name(begin + part.metric) + ".csv", metric_csv(part, all.names)});
    if (group.summary)
      out.push_back({plain_name(begin + "Valid_Max_Concurrency_Summary") + ".csv",
                     summary_table(*group.summary)});
  }
  return out;
}

}  // namespace inferbench::perf
