// Several runs side by side in Markdown: figures with ratios to the first run, points with their
// intervals, and the settings that differ. It names no winner.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inferbench/table_reporter.hpp>

#include "reporters/common/differences.hpp"

namespace reporters {

/// Copies what it needs from each call. For one thread.
class markdown_comparison {
 public:
  markdown_comparison(const ifb_table& table, std::string title);

  void add(const ifb_table_run& run);
  /// Returns the whole text.
  [[nodiscard]] std::string text(const ifb_table_end& end) const;

 private:
  struct figure {
    std::string name;   // statistic_name(): "ttft_p99"
    std::string label;  // "TTFT P99 (ms)"
    double value = 0;
    std::uint64_t count = 0;  // of a summary: the number of its values
    std::string interval;  // "[1.50, 2.50] at 95 %", "(<= 2.50)", "(not certified)"; may be empty
  };
  struct side {
    std::string label, source, verdict;
    std::vector<std::pair<std::string, std::string>> axes;  // name, JSON
    std::vector<figure> figures;
    std::string completed, failed;
    std::string remarks;    // " (stopped early)"
    double confidence = 0;  // of the bounds; 0: there are none
  };

  static void add_figures(side& to, const ifb_summary& summary);
  static void add_intervals(side& to, const ifb_table_run& run);
  [[nodiscard]] std::string overview() const;
  [[nodiscard]] std::string figure_table() const;
  [[nodiscard]] std::string differences() const;

  std::string name_, command_, title_;
  std::vector<side> sides_;
  std::vector<run_settings> settings_;  // of each side
};

}  // namespace reporters
