// A flight that an engine performs: gives the sample to the engine and collects the engine's
// reports, on whatever thread they come. Every event is stamped on arrival, unless the engine gives
// its time. The worker lands the flight when the engine has reported the end and submit has
// returned.
//
// Events after the end are ignored, and so are events after the worker has given up the request;
// the worker then still waits for the end.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

#include "base/arena.hpp"
#include "client/engine_port.hpp"
#include "client/engine_threads.hpp"
#include "client/flight.hpp"

namespace inferbench::client {

class engine_flight final : public flight {
 public:
  /// All references outlive the flight. `threads`: nullptr for an engine that does not block; the
  /// worker calls submit then.
  engine_flight(const backend& shared, engine_port& port, engine_threads* threads,
                transport::event_loop& loop, flight_owner& owner);

  [[nodiscard]] bool prepare() override;
  void launch(std::uint64_t now) override;
  [[nodiscard]] record land() override;

  /// [thread of the call] Hands the request to the engine. True if the request is over; the caller
  /// then calls announce().
  [[nodiscard]] bool submit();
  /// [any thread] The last access of the calling thread to the flight.
  void announce() { port_.announce(*this); }
  /// Call this once for each announce(): lands the flight if it is over, cancels it if its
  /// record is full.
  void look();

  /// Tells the engine to cancel the call, if the call is known and was not cancelled before.
  void cancel_call();
  [[nodiscard]] bool was_told() const noexcept { return told_; }

 private:
  /// The output that the engine reports to. The calls of one flight use several tickets in turn, so
  /// that a late event is not taken for an event of the next request.
  struct ticket : ifb_output {
    engine_flight* flight = nullptr;
    std::uint64_t sequence = 0;
  };

  class collected final : public answer {
   public:
    explicit collected(const backend& shared) : answer(shared) {}
    using answer::begin;
    using answer::fail_once;
    using answer::kept_too_much;
    using answer::refuse;

    /// The request was submitted; the engine's threads take the stamps from now on.
    void sent(std::uint64_t at) noexcept;
    /// The next report arrived at `at`.
    void heard(std::uint64_t at) noexcept;
    void end(std::uint64_t at) noexcept { record_.end_ns = at; }
    [[nodiscard]] record take() { return std::move(record_); }
  };

  struct entry_points;  // the functions in the table that the engine calls

  [[nodiscard]] answer& work() noexcept override { return work_; }
  [[nodiscard]] life signs() override;
  void end_early(ifb_status status, std::string reason, std::uint64_t now) override;
  template <typename function>
  void hear(const ticket& from, const char* call, std::uint64_t at, bool last, function&& report);
  [[nodiscard]] bool over() const noexcept { return ended_ && returned_; }

  engine_port& port_;
  engine_threads* threads_;
  base::arena arena_;
  std::array<ticket, 16> tickets_;
  std::size_t next_ticket_ = 0;
  ifb_call* call_ = nullptr;  // written by submit; read as an atomic until submit has returned
  bool told_ = false;         // the engine was told to cancel; the worker's

  std::mutex mutex_;  // of the members below, while the request is under way
  collected work_;
  ticket* current_ = nullptr;  // nullptr: no request is under way
  std::uint64_t heard_ns_ = 0;
  unsigned announced_ = 0;  // calls of announce(), made or imminent, that look() has not handled
  bool begun_ = false;      // an event has arrived
  bool ended_ = false;      // the engine has reported the end
  bool returned_ = false;   // submit has returned
  bool made_ = false;       // submit has made a call, which is to be released
  bool given_up_ = false;   // the worker has given up the request: the record is complete
  bool too_long_ = false;   // the record reached its limit, which the worker has not handled yet
};

}  // namespace inferbench::client
