// The table of `sweep boundary`: how far latencies grow with concurrency, per group of runs.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plot/figure_data.hpp"
#include "plot/run_table.hpp"

namespace inferbench::plot {

struct boundary_spec {
  std::vector<std::string> group_by{"_benchmark_name"};
  bool group_given = false;  // the user named the keys, so some run must have each of them
  std::string concurrency_var = "max_concurrency";
};

/// The runs of a group with one concurrency. Latencies are in milliseconds. A figure that no run
/// has is missing.
struct boundary_row {
  group_key group;
  double concurrency = 0;
  std::size_t repetitions = 0;
  double completed = 0, failed = 0;         // requests, summed over the repetitions
  std::optional<double> output_throughput;  // tokens per second; this and the next: means over the
                                            // repetitions that completed a request
  std::optional<double> p50_ttft_ms, p95_ttft_ms, p50_e2el_ms, p95_e2el_ms;
  /// p95_e2el_ms divided by that of the same repetition at the lowest concurrency of the group,
  /// averaged over the repetitions that have both. If several runs of the lowest concurrency have
  /// the number of the repetition, their mean is the divisor.
  std::optional<double> multiplier;
  std::size_t multiplier_repetitions = 0;
};

struct boundary_data {
  std::vector<boundary_row> rows;  // groups in the order of their first appearance, concurrency
                                   // ascending
  std::size_t skipped = 0;         // runs without a concurrency
  std::size_t uncompleted = 0;     // runs in the rows without a completed request
  bool mixed = false;              // a row has a repetition twice, so it mixes combinations
};

/// Throws base::error, with file and run, for values that are not numbers; and if every run was
/// skipped or no run has a key that the user named.
[[nodiscard]] boundary_data boundary_of(const boundary_spec& spec, std::span<const run_row> rows);

/// The table as CSV: a header and a line for each row; a missing figure is an empty field.
[[nodiscard]] std::string boundary_csv(const boundary_spec& spec, const boundary_data& data);

/// The table in aligned columns, for the console; a missing figure is "-".
[[nodiscard]] std::string boundary_text(const boundary_spec& spec, const boundary_data& data);

}  // namespace inferbench::plot
