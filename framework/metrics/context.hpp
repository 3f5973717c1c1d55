// What the figures of a run depend on besides its records: what was asked for and
// how long the traffic took. The run fills it in; `report JOURNAL` reads it back.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace inferbench::metrics {

struct context {
  bool pooling = false;      // one answer instead of a stream: embeddings, rerank
  bool tokenizer = true;     // false: upstream reports no TTFT, TPOT and ITL statistics
  std::int64_t planned = 0;  // requests of the schedule, sent or not
  double duration_s = 0;     // from just before the first request until the last one ended

  bool bounded = false;          // figures from histograms instead of from every value
  std::uint64_t started_ns = 0;  // when traffic began: bounded figures count seconds from here

  std::vector<std::string> selected = {"ttft", "tpot", "itl"};  // names of summaries
  std::vector<double> percentiles = {99};               // each in 0..100, in the order asked for
  std::vector<std::pair<std::string, double>> goodput;  // ttft, tpot or e2el; limit in ms

  std::optional<std::int64_t> max_concurrency;
  double request_rate = std::numeric_limits<double>::infinity();  // 0: a trace has none

  // Each a whole JSON object, or empty; facts repeat them as `client` and `calibration`.
  std::string client_json;       // whether the client kept up: to_json() of health.hpp
  std::string calibration_json;  // this client's error against the built-in simulator
};

}  // namespace inferbench::metrics
