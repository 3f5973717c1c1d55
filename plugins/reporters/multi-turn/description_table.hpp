// Tables of statistics as pandas describes and prints them. Pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace multi_turn {

/// The values of one quantity.
struct quantity {
  std::string name;
  std::vector<double> values;  // not a number: the request has no value
};

/// DataFrame.describe(percentiles=...).transpose(): a row for each quantity.
struct description_table {
  std::vector<std::string> columns;  // "count", "mean", "std", "min", "25%", ..., "max"
  std::vector<std::string> names;    // of the rows
  std::vector<std::vector<double>> rows;
};

/// "std" is the deviation of the sample; percentiles are interpolated; a statistic without enough
/// values is not a number. `samples`, the number of requests, decides the percentiles: 99% from 100
/// requests on, 99.9% from 1,000, 99.99% from 10,000.
[[nodiscard]] description_table describe(const std::vector<quantity>& of, std::size_t samples);

/// The table as pandas prints it with two decimals: the zeros that all values of a column end with
/// are left out down to one decimal, and a column with a value between 0 and 0.01, or with long
/// values above a million, is in scientific form. Ends with a line break.
[[nodiscard]] std::string table_text(const description_table& of);

}  // namespace multi_turn
