// What the calls of an engine share on one worker: the way back to it for events that come
// on other threads, the calls that were cancelled and have not ended, and what the user is
// told of an engine that breaks the contract.
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

/// The worker's thread, but for announce() and fault().
class engine_port {
 public:
  /// All references outlive it.
  engine_port(const backend& shared, transport::event_loop& loop, flight_owner& owner);
  engine_port(const engine_port&) = delete;
  engine_port& operator=(const engine_port&) = delete;
  ~engine_port() = default;

  /// [any thread] The worker is to look at `which`, and is woken for it.
  void announce(engine_flight& which);
  /// [any thread] It broke the contract in a request; how, `before` and `behind` its number say.
  void fault(std::string_view before, std::uint64_t sequence, std::string_view behind);
  /// Lets those look who were announced. When the loop was woken.
  void collect();

  /// `which` has been cancelled: until ended(), those that take long are told of.
  void cancelled(engine_flight& which, std::uint64_t now);
  void ended(const engine_flight& which) noexcept;

 private:
  struct unending {
    engine_flight* which = nullptr;
    std::uint64_t since_ns = 0;
  };

  void on_patience(std::uint64_t now);
  /// When the user is to hear of those that do not end; there are some.
  [[nodiscard]] std::uint64_t next_line() const noexcept;
  void arm(std::uint64_t now);
  [[nodiscard]] std::string called() const;

  const backend& shared_;
  transport::event_loop& loop_;
  flight_owner& owner_;
  std::vector<engine_flight*> looking_;  // collect(): kept for its memory
  std::vector<unending> cancelled_;      // the oldest first
  std::uint64_t told_ns_ = 0;            // of those that do not end
  transport::timer patience_;

  std::mutex mutex_;  // of what follows
  std::vector<engine_flight*> announced_;
  std::string fault_;  // to be told
};

}  // namespace inferbench::client
