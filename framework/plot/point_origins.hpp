// Which runs lie behind the points of a figure: whether a point mixes combinations, and whether the
// repetitions of a combination became one point.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "plot/figure_data.hpp"

namespace inferbench::plot {

class point_origins {
 public:
  explicit point_origins(const figure_spec& spec);

  /// The runs that follow are those of another curve or facet.
  void begin_curve();
  void add(double x, const run_row& row);

  /// Fills `mixed`, `repetitions_apart` and `parameters`. The keys of axes and groups are not
  /// named.
  void finish(figure_data& out);

 private:
  void append_new(const std::vector<std::string>& keys, std::vector<std::string>& to) const;

  std::vector<std::string> known_;  // keys of axes and groups
  std::vector<run_row> all_;
  std::map<double, std::vector<run_row>> points_;  // of the curve
  std::set<const std::string*> files_;             // of the curve
  std::vector<std::string> mixed_;
  bool repeated_ = false, joined_ = false;
};

}  // namespace inferbench::plot
