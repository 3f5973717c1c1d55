// The report of `inferbench latency`. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "offline/result_file.hpp"
#include "options/node.hpp"

namespace inferbench::offline {

/// Plain data.
struct latency_result {
  std::vector<double> latencies_s;  // of the timed iterations, in order
  std::string model;                // as the engine names it; empty: null in the JSON
};

/// "Avg latency: 0.5123 seconds", the standard deviation and the percentiles (times.hpp), each with
/// a line break. Numbers are in seconds, with the fewest digits that read back to the same number,
/// as in Python.
[[nodiscard]] std::string latency_text(const latency_result& result);
/// The content of --output-json: the statistics and all latencies in seconds, and the model.
[[nodiscard]] options::node latency_json(const latency_result& result);
/// The metric "latency", in seconds, for the file of PyTorch's benchmark dashboard.
[[nodiscard]] std::vector<pytorch_metric> latency_metrics(const latency_result& result);

}  // namespace inferbench::offline
