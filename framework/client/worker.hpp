// One client thread: takes jobs, sends each job when it is due and a permit is free, and passes
// each record to the sink. Owns its event loop, connections and exchanges, or the calls of an
// engine and their threads. Shares only source and sink with other workers.
//
// Requests are serialised ahead of their due time; large requests on other threads
// (serialiser.hpp). Late requests are sent immediately and in order, so a request that is not
// serialised yet holds up the requests after it; no request is skipped. No request reaches a server
// twice. If the server has closed a reused connection, the request is sent again on a new
// connection, but only if the server's TCP has acknowledged no byte of the request. The record
// notes this.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "client/backend.hpp"
#include "client/fleet.hpp"
#include "client/flight.hpp"
#include "client/health.hpp"
#include "client/record.hpp"
#include "client/source.hpp"
#include "transport/event_loop.hpp"

namespace inferbench::client {

struct worker_settings {
  std::size_t max_in_flight = SIZE_MAX;  // permits of this worker
  std::size_t ahead = 32;                // number of requests that are serialised before they are
                                         // due, or being serialised
  /// Memory of these requests, bytes (flight::held_bytes). The last request may exceed it, so there
  /// is always one request. Before the first launch `first_bytes_ahead` applies if it is larger.
  std::size_t bytes_ahead = std::size_t{64} << 20U;
  std::size_t first_bytes_ahead = 0;
  /// Number of connections that open() makes. If it is not 0, connections are also opened during
  /// the run for requests that are due soon; if it is 0, no connection is opened ahead.
  std::size_t connections_ahead = 0;
  base::stamping stamping = base::stamping::client;
  std::function<void(const std::string& line)> warn{};  // shows a line to the user; called on the
                                                        // worker's thread
};

/// Read by other threads while the worker runs. A reader that loads `finished` with acquire before
/// `started` never sees a larger number in `finished` than in `started`.
struct worker_counters {
  std::atomic<std::uint64_t> started = 0;
  std::atomic<std::uint64_t> finished = 0;
  std::atomic<std::uint64_t> failed = 0;
};

class worker final : private flight_owner {
 public:
  using sink = std::function<void(record&&)>;  // called on the worker's thread

  /// All references must outlive the worker.
  worker(const base::clock& clock, const backend& shared, worker_settings settings, source& jobs,
         sink out);
  worker(const worker&) = delete;
  worker& operator=(const worker&) = delete;
  ~worker();

  /// Opens connections ahead. Returns when each connection is open or has failed. Call this before
  /// run(), on the same thread.
  void open();

  /// Sends the requests. Returns when the source has ended and every started request has its
  /// record. The connections are then closed, because their descriptors may be valid on this thread
  /// only.
  void run();

  /// [any thread] Sends no more requests and cancels the requests in flight.
  void stop() noexcept;

  [[nodiscard]] const worker_counters& counters() const noexcept { return counters_; }
  /// Valid after run().
  [[nodiscard]] const worker_health& health() const noexcept { return health_; }

 private:
  void on_prepared(flight& f, bool good) override;
  void on_landed(flight& f) override;
  void on_stalled(const flight& f, const silence& so_far) override;
  void on_heard(std::size_t bytes, std::uint64_t stamp) noexcept override;

  void on_shortage() noexcept override { ++health_.shortages; }
  bool tell(const std::string& line) override;

  void serve();
  [[nodiscard]] bool wants_more() const noexcept;
  void refill();
  [[nodiscard]] bool take_job();
  void no_longer_prepared(const flight& f) noexcept { prepared_bytes_ -= f.held_bytes; }
  void open_for_prepared();
  void pump();
  void launch(flight& f, std::uint64_t now);
  void refuse(flight& f);
  void drop(flight& f);
  void send_no_more();
  void cancel_all();
  void note_health() noexcept;
  [[nodiscard]] flight& take_flight();
  void on_due(std::uint64_t now);
  void on_refill(std::uint64_t now);
  void on_end_of_sending(std::uint64_t) { send_no_more(); }
  void on_wake();

  const backend& shared_;
  worker_settings settings_;
  source& jobs_;
  sink out_;

  transport::event_loop loop_;
  fleet fleet_;
  transport::timer due_;
  transport::timer refill_;
  transport::timer end_of_sending_;  // armed if source::ends_ns() is set

  std::vector<std::unique_ptr<flight>> flights_;
  std::vector<flight*> free_;
  std::deque<flight*> prepared_;     // prepared or preparing(); in the order of the schedule
  std::size_t prepared_bytes_ = 0;   // the sum of their held_bytes
  std::size_t most_prepared_bytes_;  // the limit of prepared_bytes_ now
  std::vector<flight*> flying_;
  std::uint64_t freed_ns_ = 0;       // time when the latest permit became free for which requests
                                     // waited
  std::vector<std::size_t> wanted_;  // used in open_for_prepared() only: number of wanted
                                     // connections for each pool
  bool hungry_ = false;              // the source had no data at the latest call
  bool waits_ = false;               // an answer may make the next job available
  bool ended_ = false;               // the source has ended
  bool sends_ = true;                // false: no further request is sent
  std::atomic<bool> stop_ = false;
  worker_counters counters_;
  worker_health health_;
};

}  // namespace inferbench::client
