#include "plot/row_binner.hpp"

#include <cmath>

#include "base/error.hpp"
#include "base/text.hpp"
#include "plot/run_values.hpp"
#include "pytext/python_number.hpp"

namespace inferbench::plot {

namespace {

const base::source_position binner_flag{"--bin-by", 0, 0};

}  // namespace

row_binner row_binner::parse(std::string_view text) {
  row_binner out;
  out.text_ = text;
  const auto parts = base::split(text, '%');
  if (parts.size() != 2)
    throw base::error("\"" + out.text_ + "\" is not a column and a size", "write COLUMN%SIZE",
                      binner_flag);
  out.column_ = parts[0];
  const auto size = pytext::python_float(parts[1]);
  if (!size || !std::isfinite(*size) || *size <= 0)
    throw base::error("the size in \"" + out.text_ + "\" is not a number above 0", {}, binner_flag);
  out.size_ = *size;
  return out;
}

void row_binner::apply(std::span<const run_row> rows) const {
  for (const run_row& row : rows) {
    const base::json_value* const value = value_of(row, column_);
    if (value == nullptr) continue;
    const auto number = number_of(value);
    if (!number)
      throw base::error(
          place_of(row) + ": " + column_ + " is \"" + text_of_value(value) + "\" and not a number",
          {}, binner_flag);
    // In the memory of the run_table; the last of several members with the same name counts.
    const_cast<base::json_value*>(value)->SetDouble(std::floor(*number / size_) * size_);
  }
}

std::vector<row_binner> parse_binners(std::string_view list) {
  std::vector<row_binner> out;
  if (list.empty()) return out;
  for (const std::string_view text : base::split(list, ','))
    out.push_back(row_binner::parse(text));
  return out;
}

}  // namespace inferbench::plot
