// Makes the flights of one worker and owns the objects that these flights share. For a backend that
// speaks HTTP they are the connections, and the threads that serialise large requests. For an
// engine they are the port for its events and, if the engine blocks, the threads.
#pragma once

#include <memory>
#include <optional>

#include "client/backend.hpp"
#include "client/drain.hpp"
#include "client/engine_port.hpp"
#include "client/engine_threads.hpp"
#include "client/flight.hpp"
#include "client/headers.hpp"
#include "client/http_flight.hpp"
#include "client/serialiser.hpp"
#include "transport/event_loop.hpp"

namespace inferbench::client {

class fleet {
 public:
  /// All references must outlive the fleet. The fleet must outlive all use of its flights.
  fleet(const backend& shared, transport::event_loop& loop, flight_owner& owner);
  fleet(const fleet&) = delete;
  fleet& operator=(const fleet&) = delete;
  ~fleet() = default;

  [[nodiscard]] std::unique_ptr<flight> make();

  /// Handles the announcements of other threads. Call this when the event loop was woken.
  void collect() {
    if (port_) port_->collect();
    if (large_) large_->collect();
  }

  /// The pools of HTTP connections; empty if the backend is an engine.
  [[nodiscard]] const connection_pools& pools() const noexcept { return pools_; }
  /// Closes the connections and ends the threads. All flights must have landed, and none may be
  /// preparing().
  void close();

 private:
  const backend& shared_;
  transport::event_loop& loop_;
  flight_owner& owner_;
  head_writer heads_;
  connection_pools pools_;
  std::optional<drains> rests_;      // empty if the backend is an engine
  std::optional<serialiser> large_;  // empty if the backend is an engine
  std::optional<engine_port> port_;
  std::optional<engine_threads> threads_;  // declared last, so that the threads end before the port
                                           // is destroyed
};

}  // namespace inferbench::client
