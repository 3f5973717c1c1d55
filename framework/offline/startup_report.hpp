// The report of `inferbench startup`. Pure functions.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "offline/result_file.hpp"
#include "options/node.hpp"

namespace inferbench::offline {

/// Times of the iterations of one phase in seconds, in order.
struct startup_times {
  std::vector<double> startup;      // until the engine is ready
  std::vector<double> compilation;  // part of it; 0: not known; empty: not reported
  std::vector<double> encoder;      // compilation of the encoder; 0: there is none
};

/// Plain data.
struct startup_result {
  startup_times cold;  // with empty caches
  startup_times warm;
};

[[nodiscard]] std::string startup_text(const startup_result& result);
/// The members of --output-json. Those of the encoder are there if any iteration compiled it.
[[nodiscard]] options::node startup_json(const startup_result& result);
/// Metrics and the keys of their files (pytorch_path()): each metric has a file of its own.
[[nodiscard]] std::vector<std::pair<std::string, pytorch_metric>> startup_metrics(
    const startup_result& result);

}  // namespace inferbench::offline
