// The whole comparison in memory: a section for each group. HTML and CSV are made from it. Pure
// functions.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "perf/compare_frame.hpp"
#include "perf/compare_input.hpp"
#include "perf/compare_options.hpp"
#include "perf/compare_summary.hpp"

namespace inferbench::perf {

/// One group: equal model, data set and lengths.
struct compared_group {
  std::string heading;                // Model : [ org/model ]  , Dataset Name : [ random ]  , ...
  std::string file;                   // perf_comparison_org-model_random_128_128.html
  std::string sheet;                  // model_128x128, for names of CSV files
  std::vector<compared_frame> parts;  // throughput, TTFT, TPOT; without rows: missing for the group
  std::vector<std::string> plots;     // SVG for each part; empty: no plot
  std::optional<concurrency_summary> summary;
};

struct comparison_report {
  std::string x_axis;
  bool names = false;  // the tables have the columns with names of tests
  compared_limits limits;
  std::vector<compared_group> groups;
  std::vector<std::string> notes;  // what the reader must know: repetitions, cells not read
};

/// `files` are labelled, and find_concurrency() was called for each. Plots are not drawn. Throws
/// base::error if a file does not have the column of the x axis.
[[nodiscard]] comparison_report compared(std::span<const compared_file> files,
                                         const compare_request& request);

}  // namespace inferbench::perf
