// Several runs of one command, each with another load (--sweep-max-concurrency,
// --sweep-request-rate): the plan of each run, and the summary of all. Pure functions.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "config/plan.hpp"
#include "metrics/report.hpp"

namespace inferbench::run {

/// `of` with the load of `point` and without further points.
[[nodiscard]] config::plan at_point(const config::plan& of, const config::load_point& point);

/// The line before the run at position `number`, from 1, of `all` runs.
[[nodiscard]] std::string point_title(std::size_t number, std::size_t all,
                                      const config::load_point& point);

class load_sweep {
 public:
  /// `percentiles`: 0 to 100, the columns of the latencies.
  explicit load_sweep(std::vector<double> percentiles) : percentiles_(std::move(percentiles)) {}

  /// Adds the figures of the run `label`.
  void add(const std::string& label, const metrics::report& figures);

  /// A table with a row for each run, and a line that names the run with the highest request
  /// throughput. A column that no run has is left out; a cell that the run does not have is "-".
  /// Columns that begin with "SS" are the throughputs of the steady state. Empty without runs.
  [[nodiscard]] std::string table() const;

 private:
  struct line {
    std::string label;
    std::map<std::string, double, std::less<>> values;  // by the title of the column
  };
  [[nodiscard]] std::vector<std::string> columns() const;

  std::vector<double> percentiles_;
  std::vector<line> lines_;
};

}  // namespace inferbench::run
