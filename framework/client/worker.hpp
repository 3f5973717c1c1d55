// One client thread: takes jobs, sends each when it is due and a permit is free,
// hands the record of each to its sink. Owns its event loop, connections and
// exchanges; shares nothing with other workers but source and sink.
//
// Requests are serialised ahead of their due time. Late ones leave at once and in
// order; none is skipped, none is sent twice but one: a request on a reused
// connection that the server has closed before any byte of the answer goes once
// more, on a fresh one, and its record says so.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <vector>

#include "base/clock.hpp"
#include "client/backend.hpp"
#include "client/record.hpp"
#include "client/source.hpp"
#include "transport/connection_pool.hpp"
#include "transport/event_loop.hpp"

namespace inferbench::client {

struct worker_settings {
  std::size_t max_in_flight = SIZE_MAX;  // permits of this worker
  std::size_t ahead = 32;                // requests kept serialised before their time
};

/// Read by other threads while the worker runs; `finished` with acquire, before
/// `started`, shows no more finished than started.
struct worker_counters {
  std::atomic<std::uint64_t> started = 0;
  std::atomic<std::uint64_t> finished = 0;
  std::atomic<std::uint64_t> failed = 0;
};

class worker {
 public:
  using sink = std::function<void(record&&)>;  // called on the worker's thread

  /// All references must outlive the worker.
  worker(const base::clock& clock, const backend& shared, const worker_settings& settings,
         source& jobs, sink out);
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;
  ~worker();

  /// Returns when the source has ended and every request that started has its record.
  void run();

  /// [any thread] Sends nothing more and cancels what is in flight.
  void stop() noexcept;

  [[nodiscard]] const worker_counters& counters() const noexcept { return counters_; }
  /// After run().
  [[nodiscard]] const transport::connection_counters& connections() const noexcept {
    return pool_.counters();
  }

 private:
  class slot;

  void refill();
  void pump();
  void launch(slot& s);
  void finish(slot& s, bool release_connection);
  void cancel_all();
  [[nodiscard]] slot& take_slot();
  void on_due(std::uint64_t now);
  void on_refill(std::uint64_t now);
  void on_wake();
  [[nodiscard]] std::uint64_t deadline(std::uint64_t from, std::uint64_t limit) const noexcept;

  const backend& shared_;
  worker_settings settings_;
  source& jobs_;
  sink out_;

  transport::event_loop loop_;
  transport::connection_pool pool_;
  transport::timer due_;
  transport::timer refill_;

  std::vector<std::unique_ptr<slot>> slots_;
  std::vector<slot*> free_;
  std::deque<slot*> prepared_;  // in the order of the schedule
  std::vector<slot*> flying_;
  bool ended_ = false;  // the source
  std::atomic<bool> stop_ = false;
  worker_counters counters_;
};

}  // namespace inferbench::client
