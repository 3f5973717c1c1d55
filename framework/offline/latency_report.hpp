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
  std::string model;                // as the engine names it
};

/// "Avg latency: 0.5123 seconds", the standard deviation and the percentiles, each with a line
/// break. Numbers have as many digits as Python prints.
[[nodiscard]] std::string latency_text(const latency_result& result);
/// The members of --output-json.
[[nodiscard]] options::node latency_json(const latency_result& result);
[[nodiscard]] std::vector<pytorch_metric> latency_metrics(const latency_result& result);

}  // namespace inferbench::offline
