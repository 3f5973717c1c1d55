// The columns of a dashboard's tables. Pure functions.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "options/node.hpp"

namespace inferbench::perf {

/// The values of one result that can become cells, by the names of upstream's record.
using result_record = std::map<std::string, options::node, std::less<>>;

/// A column of a table: its key in the records and its title.
struct column_title {
  std::string_view key;
  std::string_view title;
};

struct result_column {
  std::string title;
  std::vector<options::node> cells;  // one for each row; a missing cell is the number NaN
};

/// The cells of a column with the types that a column of pandas has: whole numbers stay whole only
/// if all cells are whole, numbers with gaps and nulls become floating-point numbers, and cells of
/// other or mixed types stay as they are. `cells`: nullopt for a missing cell.
[[nodiscard]] std::vector<options::node> typed_cells(
    std::vector<std::optional<options::node>> cells);

/// The columns of the records. A column that no record has is left out if it is not `required`;
/// otherwise throws base::error. No records: no columns.
[[nodiscard]] std::vector<result_column> columns_of(std::span<const result_record> records,
                                                    std::span<const column_title> titles,
                                                    bool required);

/// Sorts the rows by the texts of the first column.
void sort_rows(std::vector<result_column>& columns);

/// "A\nA\nA" in the column with the title becomes "3xA": the lines of a text are counted at line
/// ends, and the first is the name. Without such a column does nothing.
void count_devices(std::vector<result_column>& columns, std::string_view title);

/// The rows as tables with the titles as keys.
[[nodiscard]] std::vector<options::node> rows_of(const std::vector<result_column>& columns);

/// A table: title -> table: number of the row from 0 as text -> cell.
[[nodiscard]] options::node by_columns(const std::vector<result_column>& columns);

}  // namespace inferbench::perf
