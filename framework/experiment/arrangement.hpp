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

/// A parameter that has different values in an experiment: an axis of its table.
struct swept_parameter {
  /// The key. For max_concurrency and request_rate it is the spelling of results, also if the key
  /// is, for instance, load.max-concurrency. A name that an earlier axis has gets the prefix
  /// "serve." or "bench.".
  std::string name;
  std::string unit;   // the unit of the values if they are numbers; "1" if it is not known
  std::string title;  // the key if no better title is known
  /// Whether each value is a number or "inf", and at least one value is a finite number.
  bool numeric = false;
  bool of_server = false;  // true: a parameter of the server; false: of the benchmark
  std::string key;         // the key in the parameters
};

/// A combination of parameters, with its runs.
struct swept_point {
  sweep::item serve, bench;
  std::vector<std::size_t> runs;  // indices of the runs, ascending
  /// One line; empty if the point has none of the parameters that differ. Two points have the same
  /// label only if the texts of their parameters are equal, as for the number 1 and the text "1".
  std::string label;
  /// The name of each axis on which the point has a value, and the value as JSON.
  std::vector<std::pair<std::string, std::string>> axes;
};

struct arrangement {
  /// Parameters of the server, then of the benchmark, both in the order of the parameters; names of
  /// combinations last.
  std::vector<swept_parameter> axes;
  std::vector<swept_point> points;    // in the order of their first runs
  std::vector<std::size_t> point_of;  // for each run the index of its point
  std::vector<std::string> labels;    // for each run a unique label of one line
};

/// Arranges the runs of an experiment. A parameter is an axis if two points have different values
/// of it; a point that lacks it differs, too. If the axes do not tell all points apart, the names
/// of the combinations (`_benchmark_name`) are axes as well, if they differ. A point has no
/// value on a numeric axis if its value is infinite, because JSON has no such number.
[[nodiscard]] arrangement arranged(std::span<const finished_run> runs);

/// The JSON of a parameter's value. An infinite number becomes a text, and NaN becomes null.
[[nodiscard]] std::string parameter_json(const options::node& value);
/// The JSON object of an item's parameters.
[[nodiscard]] std::string parameter_json(const sweep::item& of);

}  // namespace inferbench::experiment
