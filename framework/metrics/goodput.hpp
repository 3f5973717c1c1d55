// The limits of --goodput, and whether a request met all of them. Pure values.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "metrics/table.hpp"

namespace inferbench::metrics {

using limits = std::vector<std::pair<std::string, double>>;  // like context::goodput

class good_request {
 public:
  /// `from` are the figures; `goodput` names some of them, with limits in ms.
  good_request(definitions from, const limits& goodput);

  /// Whether a request that succeeded met every limit. A request without a value (for example TPOT,
  /// if the answer has one token) meets any limit.
  [[nodiscard]] bool meets(const request_times& f) const;

 private:
  std::vector<std::pair<of_request, double>> limits_;
};

}  // namespace inferbench::metrics
