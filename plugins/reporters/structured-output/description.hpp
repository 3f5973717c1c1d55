// The description of a series of numbers as pandas has it: Series.describe(). Pure functions.
#pragma once

#include <string>
#include <vector>

namespace structured_output {

struct description {
  double count = 0;
  double mean = 0;
  double deviation = 0;  // of the sample
  double minimum = 0;
  double quarter = 0;  // percentiles, interpolated linearly between two neighbours
  double median = 0;
  double three_quarters = 0;
  double maximum = 0;
};

/// Without values everything but the count is not a number; with one value, the deviation.
[[nodiscard]] description describe(std::vector<double> values);

/// Appends the object that json.dumps(Series.describe().to_dict(), indent=4) writes at the second
/// level of a file: NaN is a number, as in Python.
void append_description(std::string& out, const description& of);

}  // namespace structured_output
