// Makes the flights (flight.hpp: one request in progress) of one worker, and owns the objects that
// they share. For an HTTP backend these are the connections. For an engine (a backend that performs
// its requests itself) these are the engine_port and, if its calls block, the threads that run the
// calls.
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
  /// All references must outlive the fleet. The fleet must outlive all use of its flights.
  fleet(const backend& shared, transport::event_loop& loop, flight_owner& owner);
  fleet(const fleet&) = delete;
  fleet& operator=(const fleet&) = delete;
  ~fleet() = default;

  [[nodiscard]] std::unique_ptr<flight> make();

  /// Processes the events that other threads reported with engine_port::announce() and fault().
  /// Does nothing if the backend is not an engine. Call this when the event loop was woken.
  void collect() {
    if (port_) port_->collect();
  }

  /// The pools of HTTP connections; empty if the backend is an engine.
  [[nodiscard]] const connection_pools& pools() const noexcept { return pools_; }
  /// Closes the connections and ends the threads. No request may be in flight: on_landed() was
  /// called for every flight.
  void close();

 private:
  const backend& shared_;
  transport::event_loop& loop_;
  flight_owner& owner_;
  head_writer heads_;
  connection_pools pools_;
  std::optional<engine_port> port_;
  std::optional<engine_threads> threads_;  // declared last, so that the threads end before the port
                                           // is destroyed
};

}  // namespace inferbench::client
