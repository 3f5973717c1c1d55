// Makes the flights of one thread, and owns what they share: connections where the backend
// speaks HTTP; where it is an engine, threads for one that blocks and the way back from its
// own.
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
  /// All references outlive it, and it outlives its flights' use.
  fleet(const backend& shared, transport::event_loop& loop, flight_owner& owner);
  fleet(const fleet&) = delete;
  fleet& operator=(const fleet&) = delete;
  ~fleet() = default;

  [[nodiscard]] std::unique_ptr<flight> make();

  /// To be called when the loop was woken: what other threads have told of flights.
  void collect() {
    if (port_) port_->collect();
  }

  /// Empty where the backend is an engine.
  [[nodiscard]] const connection_pools& pools() const noexcept { return pools_; }
  /// No flight is under way any more: closes the connections, ends the threads.
  void close();

 private:
  const backend& shared_;
  transport::event_loop& loop_;
  flight_owner& owner_;
  head_writer heads_;
  connection_pools pools_;
  std::optional<engine_port> port_;
  std::optional<engine_threads> threads_;  // ended before the port goes
};

}  // namespace inferbench::client
