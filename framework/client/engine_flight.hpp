// A flight that an engine performs: hands it the sample and collects what it reports, on
// whatever thread that comes. Every event is stamped when it comes in, unless the engine says
// when it was; the worker lands it when its end has been reported and submit has returned.
//
// What comes after the end is ignored, and so is what comes after the worker has given the
// request up; only the end is still waited for then.
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
  /// All references outlive it. `threads`: nullptr for an engine that does not block, whose
  /// submit is called by the worker.
  engine_flight(const backend& shared, engine_port& port, engine_threads* threads,
                transport::event_loop& loop, flight_owner& owner);

  [[nodiscard]] bool prepare() override;
  void launch(std::uint64_t now) override;
  [[nodiscard]] record land() override;

  /// [thread of the call] Hands the request to the engine. True: it is over, and announce()
  /// is next.
  [[nodiscard]] bool submit();
  /// [any thread] The last that its thread does with it.
  void announce() { port_.announce(*this); }
  /// It was announced, once: lands it where it is over, cancels it where its record is full.
  void look();

  /// Tells the engine to end it, if that is possible already and was not done.
  void cancel_call();
  [[nodiscard]] bool was_told() const noexcept { return told_; }

 private:
  /// What the engine is given to report to. Each call of one flight has another for a while,
  /// so that an event which comes late is not taken for one of the next request.
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

    /// It was submitted; the stamps of what follows are taken by the engine's threads.
    void sent(std::uint64_t at) noexcept;
    /// What is reported next was there at `at`.
    void heard(std::uint64_t at) noexcept;
    void end(std::uint64_t at) noexcept { record_.end_ns = at; }
    [[nodiscard]] record take() { return std::move(record_); }
  };

  struct entry_points;  // of the table that the engine calls

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
  ifb_call* call_ = nullptr;  // written by submit; until it has returned read as an atomic
  bool told_ = false;         // to cancel; the worker's

  std::mutex mutex_;  // of what follows, while it is under way
  collected work_;
  ticket* current_ = nullptr;  // none: it is not under way
  std::uint64_t heard_ns_ = 0;
  unsigned announced_ = 0;  // or about to be, and not looked at: some thread still knows it
  bool begun_ = false;      // an event has come
  bool ended_ = false;      // its end has
  bool returned_ = false;   // submit has
  bool made_ = false;       // by submit: a call to be released
  bool given_up_ = false;   // by the worker: the record is complete
  bool too_long_ = false;   // likewise, by its length
};

}  // namespace inferbench::client
