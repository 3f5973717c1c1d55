// The arrangement of the runs of an experiment in a table: points, axes and labels. Pure functions
// and values.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "experiment/experiment.hpp"
#include "options/node.hpp"

namespace inferbench::experiment {

/// A parameter that has different values in an experiment.
struct swept_parameter {
  std::string name;      // as in the parameters; max_concurrency and request_rate in this spelling
  std::string unit;      // of numbers; "1" if it is not known
  std::string title;     // the name if no better title is known
  bool numeric = false;  // all values are numbers
  bool of_server = false;
  std::string key;  // in the parameters
};

/// The runs with the same parameters.
struct swept_point {
  sweep::item serve, bench;
  std::vector<std::size_t> runs;  // indices, ascending
  std::string label;              // one line; not unique if items differ only in invisible details
  std::vector<std::pair<std::string, std::string>> axes;  // names of axes and values as JSON
};

struct arrangement {
  std::vector<swept_parameter> axes;  // the server's first, in the order of the parameters
  std::vector<swept_point> points;    // in the order of their first runs
  std::vector<std::size_t> point_of;  // of each run
  std::vector<std::string> labels;    // of each run: unique, one line
};

/// A parameter is an axis if two points have different values of it; a point that lacks it differs,
/// too. If the axes do not tell all points apart, the names of the combinations (`_benchmark_name`)
/// are axes as well. A number that is not finite is not a value of an axis, because JSON has no
/// such number.
[[nodiscard]] arrangement arranged(std::span<const finished_run> runs);

/// The JSON of a parameter's value. An infinite number becomes a text, and NaN becomes null.
[[nodiscard]] std::string parameter_json(const options::node& value);
/// The JSON object of an item's parameters.
[[nodiscard]] std::string parameter_json(const sweep::item& of);

}  // namespace inferbench::experiment
