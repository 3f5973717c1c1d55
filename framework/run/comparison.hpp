// Several runs of one benchmark side by side (--num-runs): how far their main figures
// agree. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "metrics/report.hpp"

namespace inferbench::run {

class comparison {
 public:
  /// The figures of one run; all are of one plan.
  void add(const metrics::report& figures);

  /// Mean and standard deviation (that of a sample: divided by runs - 1) of each figure,
  /// with line ends; empty for fewer than two runs.
  [[nodiscard]] std::string table() const;

 private:
  struct row {
    std::string label;
    std::vector<double> values;  // of the runs that have it
  };
  void add(const std::string& label, double value);

  std::size_t runs_ = 0;
  std::vector<row> rows_;
};

}  // namespace inferbench::run
