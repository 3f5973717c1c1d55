// A judge of a run that may end the traffic before all requests are sent, because the requests so
// far answer its question. `inferbench find` judges each of its runs in this way.
#pragma once

#include <cstdint>

#include "client/record.hpp"
#include "metrics/context.hpp"

namespace inferbench::run {

class traffic_judge {
 public:
  traffic_judge() = default;
  traffic_judge(const traffic_judge&) = delete;
  traffic_judge& operator=(const traffic_judge&) = delete;
  virtual ~traffic_judge() = default;

  /// Gets each record after metrics::resolve(), in the order in which the requests ended. The
  /// collector's thread calls it.
  virtual void take(const client::record& record) = 0;
  /// Whether the traffic shall end now, `elapsed_ns` after its start. Requests in flight are then
  /// cancelled. The main thread calls it several times a second while the collector calls take().
  [[nodiscard]] virtual bool has_enough(std::uint64_t elapsed_ns) = 0;
  /// The traffic is over: adds facts to the run. `stopped`: the user stopped the run. The main
  /// thread calls it once, after the last take().
  virtual void end(bool stopped, metrics::context& into) = 0;
};

}  // namespace inferbench::run
