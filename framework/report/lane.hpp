// One reporter of a fanout, with its thread and its queue.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "report/fanout.hpp"

namespace inferbench::report {

/// The public functions belong to the collector's thread; the reporter is called on the lane's
/// own thread.
class fanout::lane {
 public:
  lane(target reporter, base::log& log);
  lane(const lane&) = delete;
  lane& operator=(const lane&) = delete;
  ~lane() { stop(); }

  void begin(const ifb_run& run);  // before all other calls; see refusal()
  /// `limit`: bytes that may wait, `records` included; an empty queue takes a batch of any
  /// size. Beyond the limit it waits for room, or drops the reporter.
  void records(std::shared_ptr<const batch> records, std::size_t limit, bool wait);
  void snapshot(std::shared_ptr<const metrics::report> figures);
  /// The last call of all. A snapshot that still waits is dropped: it is out of date.
  void end(const ifb_summary& summary);

  /// Drops the queue, lets the call in progress return, and joins the thread. A second call
  /// does nothing.
  void stop();

  /// Waits until the queue is done or the reporter was dropped; false: the time was up first.
  bool wait_idle(std::chrono::milliseconds at_most);
  void wait_idle();

  [[nodiscard]] const std::string& name() const noexcept { return target_.name; }
  [[nodiscard]] bool wants_stamps() const noexcept { return target_.stamps; }
  [[nodiscard]] bool failed() const;
  /// Why begin failed, the only failure that is not logged; else empty.
  [[nodiscard]] std::string refusal() const;
  /// The call in progress, as "end".
  [[nodiscard]] const char* busy_with() const;

 private:
  struct task {
    const char* call;  // the member of ifb_reporter, a literal
    std::size_t bytes;
    std::function<ifb_status(ifb_error*)> run;
  };

  void push(task next);
  void work();
  void perform(task& next);
  void drop(const std::string& reason);  // with a warning; mutex_ is held
  void forget();                         // without a warning; mutex_ is held

  target target_;
  base::log& log_;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<task> queue_;
  std::shared_ptr<const metrics::report> newest_;  // a snapshot that waits
  std::size_t waiting_bytes_ = 0;                  // of the queue and the call in progress
  const char* busy_with_ = nullptr;
  bool failed_ = false;
  std::string refusal_;
  bool closed_ = false;
  std::thread thread_;  // the last member: it uses all others
};

}  // namespace inferbench::report
