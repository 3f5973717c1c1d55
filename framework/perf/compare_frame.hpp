// The table of one metric: the rows of all files, aligned by what was measured, and their ratios.
// Pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "perf/compare_input.hpp"

namespace inferbench::perf {

/// A cell of a key: missing, a number that is not NaN, or a text.
using compared_cell = std::variant<std::monostate, double, std::string>;

/// Orders cells: numbers, then texts, then missing cells, which are equal to each other.
[[nodiscard]] bool cell_less(const compared_cell& a, const compared_cell& b);
[[nodiscard]] bool key_less(std::span<const compared_cell> a, std::span<const compared_cell> b);

/// The text of a cell in headings and names of files: 128, 0.5, inf, org/model; "nan" if missing.
[[nodiscard]] std::string text_of_cell(const compared_cell& cell);

/// The titles of the columns that tell what a row measured.
[[nodiscard]] std::span<const std::string_view> comparison_info_columns() noexcept;
/// The first columns of these make the groups of a report.
inline constexpr std::size_t group_columns = 4;
[[nodiscard]] bool is_numeric_info(std::string_view title) noexcept;

enum class metric_role : std::uint8_t { throughput, ttft, tpot };
inline constexpr std::array metric_roles{metric_role::throughput, metric_role::ttft,
                                         metric_role::tpot};

/// The column of benchmark_results.json with the metric. The titles of TPOT are "P99" and "Median".
[[nodiscard]] std::string_view metric_title(metric_role role, bool medians) noexcept;

/// The rows of all files with one key.
struct compared_row {
  /// The values of one file for the key.
  struct entry {
    std::optional<double> value;  // the mean of its rows; never NaN
    std::size_t averaged = 0;     // the number of rows in the mean
    std::string name;             // of the first test
  };
  std::vector<compared_cell> key;  // a cell for each key column
  std::vector<entry> entries;      // an entry for each file
};

struct compared_frame {
  metric_role role = metric_role::throughput;
  std::string metric;                    // the title of the column
  std::vector<std::string> key_columns;  // in the order of comparison_info_columns()
  std::size_t groups = 0;                // the number of key columns that make the group
  std::vector<std::string> labels;       // of the files
  std::vector<compared_row> rows;        // in ascending order of the keys
  std::vector<std::string> notes;        // cells that were not read, for the user

  /// The place of a key column.
  [[nodiscard]] std::optional<std::size_t> place_of(std::string_view title) const;
  /// Above 1: file `file` (from 1) is better than file 0. Latency is base / current, throughput is
  /// current / base. Missing if a value is missing or the base is 0.
  [[nodiscard]] std::optional<double> ratio(const compared_row& row, std::size_t file) const;
};

/// Aligns the rows of the files by the info columns that all files have. Rows of one file with the
/// same key are averaged; a cell that is no number counts as missing. Rows without a "P99" cell are
/// left out of the latency metrics if the file has this column. `files` is not empty, and
/// find_concurrency() was called for each.
[[nodiscard]] compared_frame frame_of(metric_role role, bool medians,
                                      std::span<const compared_file> files);

/// The keys of the groups of all frames, in ascending order.
[[nodiscard]] std::vector<std::vector<compared_cell>> groups_of(
    std::span<const compared_frame> frames);

/// The rows of a group, in ascending order of the x axis, which is a key column.
[[nodiscard]] compared_frame part_of(const compared_frame& whole,
                                     std::span<const compared_cell> group, std::string_view x_axis);

}  // namespace inferbench::perf
