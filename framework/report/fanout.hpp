// Hands the records, snapshots and summary of a run to its reporters. Each reporter has a thread
// and a queue of its own, so a slow reporter delays neither the others nor the collector.
//
// Full queues: the records that wait are bounded by `queue_bytes` for each reporter (a batch is
// shared, so all reporters together hold hardly more). During the traffic a reporter that falls
// behind further is dropped, as if it had failed: measuring goes on, memory stays bounded, and
// the journal holds every record, so that `inferbench report` can make the lost report. After
// the traffic (wait_when_full(true)), and if the source is a journal, nothing is measured, so
// records() waits for room instead.
//
// Snapshots never queue up: a newer snapshot takes the place of one that is not yet delivered.
//
// A reporter that fails is dropped with one warning that names the reporter and its reason; it
// gets no further call. A reporter that never returns holds up finish(), which says so.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <inferbench/abi.h>

#include "base/log.hpp"
#include "metrics/report.hpp"
#include "plugin/operations.hpp"
#include "report/batch.hpp"

namespace inferbench::plugin {
class instance;
}

namespace inferbench::report {

/// A reporter as the fanout calls it. `self` must outlive the fanout.
struct target {
  std::string name;  // "console", for messages
  ifb_instance* self = nullptr;
  plugin::reporter calls;
  bool stamps = true;  // it reads ifb_record.token_ns
};

/// Throws base::error when the instance is not a reporter that this host can use.
[[nodiscard]] target target_of(const plugin::instance& reporter);

/// All functions belong to one thread, the collector's.
class fanout {
 public:
  struct limits {
    std::size_t queue_bytes = std::size_t{256} << 20U;  // records that may wait, each reporter
    /// After this time finish() names the reporters that it waits for.
    std::chrono::milliseconds patience{10'000};
  };

  /// Starts a thread for each target.
  fanout(std::vector<target> targets, base::log& log, limits bounds);
  fanout(std::vector<target> targets, base::log& log) : fanout(std::move(targets), log, limits{}) {}
  fanout(const fanout&) = delete;
  fanout& operator=(const fanout&) = delete;
  /// If finish() was not called: lets the calls in progress return, and makes no more.
  ~fanout();

  /// Returns when every reporter has begun. Throws base::error with the reason when a
  /// reporter refuses: a result that cannot be written is reported before the run and not
  /// after it. `run` is borrowed for the call.
  void begin(const ifb_run& run);

  /// Whether any reporter that was not dropped reads the stamps of a batch.
  [[nodiscard]] bool wants_stamps() const;
  void records(const std::shared_ptr<const batch>& records);
  void snapshot(const std::shared_ptr<const metrics::report>& figures);

  /// Whether records() waits for room: see the top of this file.
  void wait_when_full(bool wait) noexcept { wait_when_full_ = wait; }

  /// Waits until each reporter has got its records, but no longer than `at_most`. Snapshots may
  /// still be in the queue.
  void wait_idle(std::chrono::milliseconds at_most);

  /// The last call, made once: hands every reporter the summary after all its records, waits
  /// until they are done and joins their threads. False: a reporter failed. `summary` is
  /// borrowed for the call.
  [[nodiscard]] bool finish(const ifb_summary& summary);

  /// Names of the reporters that were dropped so far, in the order of the targets.
  [[nodiscard]] std::vector<std::string> failed() const;

 private:
  class lane;

  base::log& log_;
  limits limits_;
  bool wait_when_full_ = false;
  std::vector<std::unique_ptr<lane>> lanes_;
};

}  // namespace inferbench::report
