// The inputs of a run's figures besides its records: the options of the user and the
// duration of the traffic. The run fills it in; `report JOURNAL` reads it back.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "metrics/table.hpp"

namespace inferbench::metrics {

struct context {
  bool pooling = false;      // one answer instead of a stream: embeddings, rerank
  bool tokenizer = true;     // false: upstream reports no TTFT, TPOT and ITL statistics
  std::int64_t planned = 0;  // requests of the schedule, sent or not
  bool broken_off = false;   // a run that died or a damaged journal: some records are missing
  double duration_s = 0;     // from just before the first request until the last one ended

  bool bounded = false;          // figures from histograms instead of from every value
  std::uint64_t started_ns = 0;  // when traffic began: bounded figures count seconds from here

  std::vector<std::string> selected = {"ttft", "tpot", "itl"};  // names of summaries
  std::vector<double> percentiles = {99};               // each in 0..100, in the order asked for
  std::vector<std::pair<std::string, double>> goodput;  // ttft, tpot or e2el; limit in ms

  std::optional<std::int64_t> max_concurrency;
  // Infinite, too, where another schedule takes its place: a traffic pattern, the times of a trace.
  double request_rate = std::numeric_limits<double>::infinity();
  bool other_schedule = false;  // one does
  /// Whether requests are due one after the other. Otherwise all are due at once.
  [[nodiscard]] bool paced() const noexcept {
    return other_schedule || std::isfinite(request_rate);
  }

  bool cached_tokens = false;  // --report-cached-tokens: total_cached_tokens is a figure

  struct {
    bool wanted = true;                          // false for another schedule, too
    double threshold = 0.95;                     // of max_concurrency
    std::optional<std::uint64_t> min_window_ns;  // none: max(10 s, a tenth of duration_s)
  } steady_state;

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
