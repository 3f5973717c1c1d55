// Compares the main figures of several runs of one benchmark (--num-runs): mean and standard
// deviation. Does no I/O.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "metrics/report.hpp"

namespace inferbench::run {

class comparison {
 public:
  /// Adds the figures of one run. All runs must have the same plan.
  void add(const metrics::report& figures);

  /// A table with the mean and the sample standard deviation of each figure. The divisor of the
  /// deviation is n - 1, where n is the number of runs that have the figure. Each line ends with a
  /// newline. Empty for fewer than two runs.
  [[nodiscard]] std::string table() const;

 private:
  struct row {
    std::string label;
    std::vector<double> values;  // one for each run that has this figure
  };
  void add(const std::string& label, double value);

  std::size_t runs_ = 0;
  std::vector<row> rows_;
};

}  // namespace inferbench::run
