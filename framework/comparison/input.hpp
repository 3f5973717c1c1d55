// The figures of the runs that are compared. The run is the unit of every statement, never the
// request: requests of one run share a server, a cache and a moment, so their number does not make
// a difference between two servers more certain.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace inferbench::comparison {

/// A declared metric. Every declared metric counts in Holm's correction, also without values.
struct compared_metric {
  std::string name;   // "ttft.p99"
  std::string title;  // "P99 TTFT"
  std::string unit;   // "ms", or empty
  bool higher_is_better = false;
};

struct compared_run {
  std::string name;  // of the file, for messages
  /// In the order of the declared metrics. NaN for a value that the run does not have.
  std::vector<double> values;
};

struct compared_group {
  std::string name;  // unique
  std::vector<compared_run> runs;
};

/// Four runs in the order base, candidate, candidate, base (or the reverse of both): indices of
/// runs of the two groups. A drift that is linear in time cancels in such a block.
struct compared_block {
  std::array<std::size_t, 2> base{}, other{};

  friend bool operator==(const compared_block&, const compared_block&) = default;
};

/// A group that is compared with the base.
struct compared_candidate {
  compared_group group;
  /// No run is in two blocks. Runs that are in no block are not used. Empty: the runs of both
  /// groups were made in no order, and nothing is paired.
  std::vector<compared_block> blocks;
};

struct comparison_settings {
  /// The margin of the verdict "same", above 0: ratios between 1 / (1 + same_within) and
  /// 1 + same_within. This interval is the same with base and candidate exchanged.
  double same_within = 0.02;
  /// The chance of a wrong "faster" or "slower" on any metric of any candidate. The printed
  /// intervals have the confidence 1 - error_rate.
  double error_rate = 0.05;
  /// The chance of a wrong "same" of a metric, if the true ratio is at the end of the margin.
  /// "same" comes before "faster" and "slower", so a wrong "same" hides a difference: at 5 % it
  /// would hide one in twenty differences of the size of the margin that can be proved.
  double same_error_rate = 0.01;
};

struct comparison_input {
  std::vector<compared_metric> metrics;  // at least one
  compared_group base;
  std::vector<compared_candidate> candidates;  // at least one
  comparison_settings settings;
};

}  // namespace inferbench::comparison
