// The report on the terminal about several runs side by side.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <inferbench/table_reporter.hpp>

#include "reporters/common/differences.hpp"

namespace reporters {

/// Collects runs and prints them as columns of one table. Keeps some hundred numbers of each run.
class side_by_side {
 public:
  /// Takes the figures, the settings and the state of a run. `run.summary` must be set.
  void add(const ifb_table_run& run);

  /// Returns the report: the runs, their figures with the ratio to the first run, the settings that
  /// differ, and what the number of runs allows to say. Each line ends with a newline.
  [[nodiscard]] std::string text(const ifb_table_end& end) const;

 private:
  struct figure {
    std::string row;  // "P99 TTFT (ms)"
    double value = 0;
    bool whole = false;        // a count
    bool uncertified = false;  // a percentile that the run has too few observations to certify
  };
  struct side {
    std::string label, source;
    std::vector<std::string> remarks;                   // what the run lacks
    std::vector<figure> figures;                        // in the order of the report
    std::string requests, observations, client, goals;  // cells of the rows without a ratio
    double confidence = 0;                              // of `uncertified`
    run_settings settings;
  };

  [[nodiscard]] std::string runs_text() const;
  [[nodiscard]] std::string figures_text(const std::vector<std::size_t>& columns) const;
  [[nodiscard]] std::string uncertified_text() const;
  [[nodiscard]] std::string differences_text() const;
  [[nodiscard]] std::string evidence_text(const ifb_table_end& end) const;

  std::vector<side> sides_;
};

}  // namespace reporters
