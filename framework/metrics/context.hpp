// The data that figures need in addition to the records: the options of the user and the duration
// of the traffic. The run fills in this struct. `report JOURNAL` reads it from the journal.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inferbench/run_description.hpp>

#include "metrics/table.hpp"

namespace inferbench::metrics {

/// The description of the run, and the values that are known only at its end.
struct context : ifb::run_description {
  context() = default;
  explicit context(ifb::run_description about) : ifb::run_description(std::move(about)) {}

  bool live = false;             // live figures contain running summaries
  bool broken_off = false;       // the run was killed or the journal is damaged: some records are
                                 // missing
  double duration_s = 0;         // from just before the first request until the last request ended
  std::uint64_t started_ns = 0;  // when traffic began, ns of the host clock: bounded figures count
                                 // seconds from here

  // Figures that records do not contain: the results of probes and the server's own counters.
  std::vector<std::pair<metric, double>> beside;
  // Why no answer has a score, a clause; empty: an answer has a score, or the run has no scorer.
  std::string no_score;
  // Members that are added to the facts without a change, each as name and JSON value. "client"
  // reports whether the client kept up (to_json() of health.hpp), and "calibration" its error
  // against the built-in simulator. Further names are "rps_change_events", "spec_decode" and
  // others.
  std::vector<std::pair<std::string, std::string>> facts;

  /// Replaces or adds a fact.
  void set_fact(std::string_view name, std::string json);
};

}  // namespace inferbench::metrics
