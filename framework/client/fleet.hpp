// Makes the flights of one thread, and owns what they share: connections if the backend speaks
// HTTP; for an engine, the port for its events and, if the engine blocks, threads.
#pragma once

#include <memory>
#include <optional>

#include "client/backend.hpp"
#include "client/engine_port.hpp"
#include "client/engine_threads.hpp"
#include "client/flight.hpp"
#include "client/headers.hpp"
#include "client/http_flight.hpp"
#include "transport/event_loop.hpp"

namespace inferbench::client {

class fleet {
 public:
  /// All references outlive the fleet; the fleet outlives the use of its flights.
  fleet(const backend& shared, transport::event_loop& loop, flight_owner& owner);
  fleet(const fleet&) = delete;
  fleet& operator=(const fleet&) = delete;
  ~fleet() = default;

  [[nodiscard]] std::unique_ptr<flight> make();

  /// Call this when the loop was woken: handles the announcements of other threads.
  void collect() {
    if (port_) port_->collect();
  }

  /// Empty if the backend is an engine.
  [[nodiscard]] const connection_pools& pools() const noexcept { return pools_; }
  /// Closes the connections and ends the threads. No flight may be under way.
  void close();

 private:
  const backend& shared_;
  transport::event_loop& loop_;
  flight_owner& owner_;
  head_writer heads_;
  connection_pools pools_;
  std::optional<engine_port> port_;
  std::optional<engine_threads> threads_;  // declared last: ended before the port
};

}  // namespace inferbench::client
