// Hands what a run yields to its reporters: each has a thread and a queue of its
// own, so a slow one delays neither the others nor the collector.
//
// When a queue is full. Records that wait are bounded by `queue_bytes` for each
// reporter (a batch is shared, so all reporters together hold hardly more). While
// there is traffic a reporter that falls behind further than that is dropped, as if
// it had failed: measuring goes on, memory stays bounded, and the journal holds
// every record, from which `inferbench report` makes what was lost. Once the traffic
// is over (wait_when_full(true)), or when the source is a journal from the start,
// nothing is in a hurry and records() waits for room instead.
//
// Snapshots never queue up: a newer one takes the place of one not yet delivered.
//
// A reporter that fails is dropped with one warning that names it and its reason;
// it gets no further call. One that never returns holds up finish(), which says so.
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
  bool stamps = true;  // reads ifb_record.token_ns
};

/// Throws base::error when the instance is no reporter that this host can use.
[[nodiscard]] target target_of(const plugin::instance& reporter);

/// All functions belong to one thread, the collector's.
class fanout {
 public:
  struct limits {
    std::size_t queue_bytes = std::size_t{256} << 20U;  // records that may wait, each reporter
    std::chrono::milliseconds patience{10'000};         // before finish() names whom it waits for
  };

  /// Starts a thread for each target.
  fanout(std::vector<target> targets, base::log& log, limits bounds);
  fanout(std::vector<target> targets, base::log& log) : fanout(std::move(targets), log, limits{}) {}
  fanout(const fanout&) = delete;
  fanout& operator=(const fanout&) = delete;
  /// Without finish() before: lets the calls in progress return, and makes no more.
  ~fanout();

  /// Returns when every reporter has begun. Throws base::error with the reason when one
  /// refuses: that a result cannot be written is better known before the run than after
  /// it. `run` is borrowed for the call.
  void begin(const ifb_run& run);

  /// Whether any reporter that is still there reads the stamps of a batch.
  [[nodiscard]] bool wants_stamps() const;
  void records(const std::shared_ptr<const batch>& records);
  void snapshot(const std::shared_ptr<const metrics::report>& figures);

  /// See the top of this file.
  void wait_when_full(bool wait) noexcept { wait_when_full_ = wait; }

  /// Until each has had the records that it was given, or that long. A snapshot may still wait.
  void wait_idle(std::chrono::milliseconds at_most);

  /// Last, once: hands every reporter the summary after all its records, waits until
  /// they are done and joins their threads. False: some reporter failed. `summary` is
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
