// One reporter of a fanout, with its thread and its queue.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "report/fanout.hpp"

namespace inferbench::report {

/// The collector's thread calls the public functions. The lane's own thread calls the reporter.
class fanout::lane {
 public:
  lane(target reporter, base::log& log);
  lane(const lane&) = delete;
  lane& operator=(const lane&) = delete;
  ~lane() { stop(); }

  void begin(const ifb_run& run);  // call this before all other functions; see refusal()
  /// Adds a batch to the queue. `limit`: the bytes that may wait, including `records`; an empty
  /// queue accepts a batch of any size. Above the limit, this waits for room if `wait` is true, and
  /// otherwise drops the reporter.
  void records(std::shared_ptr<const batch> records, std::size_t limit, bool wait);
  /// Whether the reporter wants a snapshot with figures of the time `at_ns`: the first one an
  /// interval after the start of the run, and then one in each interval.
  [[nodiscard]] bool wants_snapshot(std::uint64_t at_ns) const;
  /// Replaces a snapshot that still waits, if the reporter wants one. `at_ns`: the time for which
  /// the figures hold.
  void snapshot(std::shared_ptr<const metrics::report> figures, std::uint64_t at_ns);
  /// Queues the reporter's last call. A snapshot that still waits is dropped, because it is out of
  /// date.
  void end(const ifb_summary& summary);

  /// Drops the queue, waits for the call in progress, and joins the thread. A second call does
  /// nothing.
  void stop();

  /// Waits until the queue is empty and its last call has returned, or the reporter was dropped.
  /// Returns false if `at_most` passed before that.
  bool wait_idle(std::chrono::milliseconds at_most);
  void wait_idle();

  [[nodiscard]] const std::string& name() const noexcept { return target_.name; }
  [[nodiscard]] bool wants_stamps() const noexcept { return target_.stamps; }
  /// IFB_REPORTER_LIVE.
  [[nodiscard]] bool live() const noexcept { return target_.live(); }
  [[nodiscard]] bool failed() const;
  /// The reason why begin failed, as an error. Call this only if begin failed. All other failures
  /// are logged.
  [[nodiscard]] plugin::refused refusal() const;
  /// The name of the call in progress or, if there is none, of the next call, for example "end".
  [[nodiscard]] const char* busy_with() const;

 private:
  struct live_figures {
    std::shared_ptr<const metrics::report> report;  // null: there are none
    std::uint64_t at_ns = 0;
  };
  struct task {
    const char* call;  // the name of the member of ifb_reporter, a string literal
    std::size_t bytes;
    std::function<ifb_status(ifb_error*)> run;
  };

  [[nodiscard]] ifb_status pass(const live_figures& figures, ifb_error* error) const;
  void push(task next);
  void work();
  void perform(task& next);
  void drop(const std::string& reason);  // logs a warning; the caller holds mutex_
  void forget();                         // does not log a warning; the caller holds mutex_

  target target_;
  base::log& log_;
  std::uint64_t next_ns_ = 0;  // when the next snapshot is due; the collector's thread only

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<task> queue_;
  live_figures newest_;            // a snapshot that is not yet delivered
  std::size_t waiting_bytes_ = 0;  // bytes of the queue and the call in progress
  const char* busy_with_ = nullptr;
  bool failed_ = false;
  std::string refusal_;
  int refused_option_ = -1;  // the index of the refused option, or -1
  ifb_status refused_status_ = IFB_OK;
  bool closed_ = false;
  std::thread thread_;  // last member: it uses all members above
};

}  // namespace inferbench::report
