// The figures of the runs of one group, and their means with 95 % intervals, in the form that
// reporters of several runs receive for a point.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <inferbench/abi.h>

#include "report/intervals.hpp"

namespace inferbench::experiment {

/// Used by one thread.
class figure_means {
 public:
  /// Adds the figures of a run. Values that are not numbers are left out.
  void add(std::span<const ifb_metric> of_run);
  /// The mean of each figure over the runs that have it, with the interval of
  /// confidence/repetitions.hpp; of one run the limits are infinite and the confidence is 0.
  [[nodiscard]] report::interval_list means() const;

 private:
  struct repeated_figure {
    std::string name, statistic, unit;
    std::vector<double> values;
  };
  std::map<std::string, std::size_t> places_;  // by name and statistic
  std::vector<repeated_figure> figures_;
};

}  // namespace inferbench::experiment
