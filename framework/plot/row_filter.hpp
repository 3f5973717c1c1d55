// --filter-by: which runs are drawn.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plot/run_table.hpp"

namespace inferbench::plot {

class row_filter {
 public:
  /// "request_rate<=10". The operators are tried in the order ==, !=, <=, >=, <, >; the first that
  /// the text contains is used. Throws base::error with --filter-by as position.
  [[nodiscard]] static row_filter parse(std::string_view text);

  [[nodiscard]] const std::string& column() const noexcept { return column_; }
  [[nodiscard]] const std::string& text() const noexcept { return text_; }

  /// The rows that pass. A value compares as a number if it is written as a number, as a boolean if
  /// the column has only booleans and it is written true or false, and otherwise as a text. A row
  /// without a value passes != and no other operator. Throws base::error if a text is compared with
  /// <, <=, > or >=.
  [[nodiscard]] std::vector<run_row> passing(const std::vector<run_row>& rows) const;

 private:
  enum class sign : std::uint8_t { equal, unequal, at_most, at_least, below, above };
  [[nodiscard]] bool passes(const run_row& row, std::optional<bool> truth) const;
  [[nodiscard]] bool equals(const base::json_value& value, std::optional<bool> truth) const;

  std::string text_, column_, value_;
  sign sign_ = sign::equal;
  std::optional<double> number_;
};

/// The filters of a comma-separated list; none for an empty text.
[[nodiscard]] std::vector<row_filter> parse_filters(std::string_view list);

}  // namespace inferbench::plot
