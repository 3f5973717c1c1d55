// The inputs of a run's figures besides its records: the options of the user and the
// duration of the traffic. The run fills it in; `report JOURNAL` reads it back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inferbench/run_description.hpp>

#include "metrics/table.hpp"

namespace inferbench::metrics {

/// The description of the run, and what only its end knows.
struct context : ifb::run_description {
  context() = default;
  explicit context(ifb::run_description about) : ifb::run_description(std::move(about)) {}

  bool broken_off = false;       // a run that died or a damaged journal: some records are missing
  double duration_s = 0;         // from just before the first request until the last one ended
  std::uint64_t started_ns = 0;  // when traffic began: bounded figures count seconds from here

  // Figures that no record holds: probes, the server's own counters.
  std::vector<std::pair<metric, double>> beside;
  // Members that are added to the facts as they are: name, JSON value. "client": whether the client
  // kept up, to_json() of health.hpp; "calibration": its error against the built-in simulator;
  // "rps_change_events", "spec_decode", ...
  std::vector<std::pair<std::string, std::string>> facts;

  /// Replaces or adds a fact.
  void set_fact(std::string_view name, std::string json);
};

}  // namespace inferbench::metrics
