// A flight that an engine performs: passes the sample to the engine and collects the engine's
// reports, which may come on any thread. Every event is stamped on arrival, unless the engine gives
// its time. The worker lands the flight when the engine has reported the end and submit has
// returned.
//
// Events after the end are ignored, and so are events after the worker has given up the request;
// the worker then continues to wait for the end.
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
  /// All references must outlive the flight. `threads`: nullptr for an engine that does not block;
  /// the worker's thread calls submit in this case.
  engine_flight(const backend& shared, engine_port& port, engine_threads* threads,
                transport::event_loop& loop, flight_owner& owner);

  [[nodiscard]] readiness prepare() override;
  void launch(std::uint64_t now) override;
  [[nodiscard]] record land() override;

  /// [worker's thread, or a thread of engine_threads if the engine blocks] Passes the request to
  /// the engine. Returns true if the request has ended; the caller must then call announce().
  [[nodiscard]] bool submit();
  /// [any thread] Asks the worker to call look(). After this call the calling thread must not
  /// access the flight.
  void announce() { port_.announce(*this); }
  /// [worker's thread] Call this once for each announce(). Lands the flight if the request has
  /// ended. Cancels the request if its record has reached the limit.
  void look();

  /// Tells the engine to cancel the call, unless the engine has not handed out the call yet or was
  /// told already.
  void cancel_call();
  [[nodiscard]] bool was_told() const noexcept { return told_; }

 private:
  /// The output that the engine reports to. The requests of one flight use several tickets in turn,
  /// so that a late event is not mistaken for an event of the next request.
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

    /// The request was submitted at `at`. From now on the engine's threads take the stamps.
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
  bool told_ = false;         // the engine was told to cancel; used on the worker's thread only

  std::mutex mutex_;  // guards the members below while the request is in flight
  collected work_;
  ticket* current_ = nullptr;  // nullptr: no request is in flight
  std::uint64_t heard_ns_ = 0;
  unsigned announced_ = 0;  // number of calls of announce() that were made or will be made and that
                            // look() has not handled
  bool begun_ = false;      // an event has arrived
  bool ended_ = false;      // the engine has reported the end
  bool returned_ = false;   // submit has returned
  bool made_ = false;       // submit has made a call, which land() must release
  bool given_up_ = false;   // the worker has given up the request: the record is complete
  bool too_long_ = false;   // the record reached its limit, which the worker has not handled yet
};

}  // namespace inferbench::client
