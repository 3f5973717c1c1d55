// --bin-by: values that are rounded down, so that neighbouring points become one.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plot/run_table.hpp"

namespace inferbench::plot {

class row_binner {
 public:
  /// "request_throughput%0.5". Throws base::error with --bin-by as position.
  [[nodiscard]] static row_binner parse(std::string_view text);

  [[nodiscard]] const std::string& column() const noexcept { return column_; }

  /// Replaces the value of each row by floor(value / size) * size, rounded towards minus infinity.
  /// Rows without a value stay as they are. Throws base::error if a value is not a number.
  void apply(std::span<const run_row> rows) const;

 private:
  std::string text_, column_;
  double size_ = 1;
};

/// The binners of a comma-separated list; none for an empty text.
[[nodiscard]] std::vector<row_binner> parse_binners(std::string_view list);

}  // namespace inferbench::plot
