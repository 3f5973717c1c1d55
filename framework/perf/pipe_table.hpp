// Tables in Markdown, in the layout of the Python package `tabulate` with the format "pipe", which
// upstream's converter uses. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "perf/result_column.hpp"

namespace inferbench::perf {

/// The table without a line end; empty if there is no column.
///
/// A column whose cells are all numbers, texts of numbers included, is aligned at the decimal point
/// and to the right. If one of them has a fraction, an exponent, or is inf or nan, all cells have
/// at most six significant digits ("%g"). Other columns are aligned to the left and show cells as
/// Python prints them. A line end in a cell becomes a blank, since a row of Markdown is one line.
[[nodiscard]] std::string pipe_table(const std::vector<result_column>& columns);

}  // namespace inferbench::perf
