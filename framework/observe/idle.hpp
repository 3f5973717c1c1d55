// Waits until the servers under test have nothing left to do, so that a measurement does not begin
// with the rest of the load before it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "services/target.hpp"

namespace inferbench::observe {

/// The requests that a server works on.
struct occupancy {
  double running = 0;
  double waiting = 0;
};

/// The occupancy on a metrics page, by the names of ready_names.hpp. nullopt: the page does not
/// tell the running requests. A page without waiting requests counts as 0 of them.
[[nodiscard]] std::optional<occupancy> read_occupancy(std::string_view page);

/// The knowledge of the servers at the end of the wait.
enum class idleness : std::uint8_t {
  told,     // every server tells that nothing is running and nothing is waiting
  settled,  // a server does not tell; the settling time is over
  busy,     // a server still works after the patience
  stopped   // `stop` returned true
};

struct idle_wait {
  std::uint64_t settle_ns = 2 * base::ns_per_s;      // for servers that do not tell their occupancy
  std::uint64_t patience_ns = 120 * base::ns_per_s;  // for servers that tell it
  std::uint64_t interval_ns = base::ns_per_s / 5;    // between two readings
  std::function<bool(std::uint64_t ns)> pause;  // waits so long; true: the user stops the program
};

/// Reads /metrics of all servers until they are idle. The caller has no request in flight. Waits on
/// the calling thread. `with.pause` must be set.
[[nodiscard]] idleness wait_until_idle(const services::target& servers, const base::clock& clock,
                                       const idle_wait& with);

/// How a server answers a request for /metrics.
enum class reply : std::uint8_t {
  none,
  gateway,  // with status 502, 503 or 504, as a proxy does whose server is gone
  own       // with another status
};

/// The worst reply of the servers; asks each once. Before a measurement it says what to expect
/// after it: a proxy may have no way to /metrics at all.
[[nodiscard]] reply worst_reply(const services::target& servers);

/// Whether each server gives the reply `expected` or a better one; no reply is never enough. A
/// server with too much load answers again some time after its requests were cancelled, so it is
/// asked again for five times `with.settle_ns`. Waits as wait_until_idle(). False also if the user
/// stops the program.
[[nodiscard]] bool all_answer(const services::target& servers, const base::clock& clock,
                              const idle_wait& with, reply expected);

}  // namespace inferbench::observe
