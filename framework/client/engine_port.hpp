// The part that the calls of an engine share on one worker: wakes the worker for events that come
// on other threads, keeps the cancelled calls that have not ended, and warns the user of an engine
// that breaks the contract.
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

/// For the worker's thread, except announce() and fault().
class engine_port {
 public:
  /// All references outlive the port.
  engine_port(const backend& shared, transport::event_loop& loop, flight_owner& owner);
  engine_port(const engine_port&) = delete;
  engine_port& operator=(const engine_port&) = delete;
  ~engine_port() = default;

  /// [any thread] Wakes the worker, which then calls which.look().
  void announce(engine_flight& which);
  /// [any thread] The engine broke the contract in request `sequence`; the message is `before`, the
  /// number and `behind`.
  void fault(std::string_view before, std::uint64_t sequence, std::string_view behind);
  /// Calls look() of the announced flights. Call this when the loop was woken.
  void collect();

  /// `which` has been cancelled: the user is warned if ended() does not follow in time.
  void cancelled(engine_flight& which, std::uint64_t now);
  void ended(const engine_flight& which) noexcept;

 private:
  struct unending {
    engine_flight* which = nullptr;
    std::uint64_t since_ns = 0;
  };

  void on_patience(std::uint64_t now);
  /// Time of the next warning about calls that do not end; there is at least one such call.
  [[nodiscard]] std::uint64_t next_line() const noexcept;
  void arm(std::uint64_t now);
  [[nodiscard]] std::string called() const;

  const backend& shared_;
  transport::event_loop& loop_;
  flight_owner& owner_;
  std::vector<engine_flight*> looking_;  // collect(): a member to reuse its memory
  std::vector<unending> cancelled_;      // the oldest first
  std::uint64_t told_ns_ = 0;            // time of the latest warning about calls that do not end
  transport::timer patience_;

  std::mutex mutex_;  // of the members below
  std::vector<engine_flight*> announced_;
  std::string fault_;  // a message that the user has not got yet
};

}  // namespace inferbench::client
