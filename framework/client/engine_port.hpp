// Shared by the calls of an engine on one worker. Wakes the worker for events that come on other
// threads, keeps a list of the cancelled calls that have not ended, and warns the user if the
// engine breaks the contract.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "client/backend.hpp"
#include "client/flight.hpp"
#include "transport/event_loop.hpp"

namespace inferbench::client {

class engine_flight;

/// Only announce() and fault() may be called on other threads than the worker's.
class engine_port {
 public:
  /// All references must outlive the port.
  engine_port(const backend& shared, transport::event_loop& loop, flight_owner& owner);
  engine_port(const engine_port&) = delete;
  engine_port& operator=(const engine_port&) = delete;
  ~engine_port() = default;

  /// [any thread] Wakes the worker, which then calls which.look().
  void announce(engine_flight& which);
  /// [any thread] Reports that the engine broke the contract in request `sequence`. The message
  /// consists of `before`, the number of the request, and `behind`.
  void fault(std::string_view before, std::uint64_t sequence, std::string_view behind);
  /// Calls look() of the announced flights, and gives the user the message of fault(). Call this
  /// when the event loop was woken.
  void collect();

  /// Call this when the request of `which` was cancelled: the user is warned if ended() is not
  /// called in time.
  void cancelled(engine_flight& which, std::uint64_t now);
  void ended(const engine_flight& which) noexcept;

 private:
  struct unending {
    engine_flight* which = nullptr;
    std::uint64_t since_ns = 0;
  };

  void on_patience(std::uint64_t now);
  /// Time of the next warning about cancelled calls that do not end. There must be at least one
  /// cancelled call.
  [[nodiscard]] std::uint64_t next_line() const noexcept;
  void arm(std::uint64_t now);
  [[nodiscard]] std::string called() const;

  const backend& shared_;
  transport::event_loop& loop_;
  flight_owner& owner_;
  std::vector<engine_flight*> looking_;  // used in collect() only; a member, so that its memory is
                                         // reused
  std::vector<unending> cancelled_;      // in the order of cancellation
  std::uint64_t told_ns_ = 0;            // time of the latest warning about calls that do not end
  transport::timer patience_;

  std::mutex mutex_;  // guards the members below
  std::vector<engine_flight*> announced_;
  std::string fault_;  // a message that the user has not got yet
};

}  // namespace inferbench::client
