// Passes the records, snapshots and summary of a run to its reporters. Each reporter has its own
// thread and queue, so a slow reporter does not delay other reporters or the collector.
//
// A reporter is called in this order: begin once, then records and snapshot in any number, then end
// once. Each of several runs (--num-runs) has its own instances. The collector passes records on
// after 0.1 s or 256 finished requests, whichever comes first, in one call for all of them; a
// journal is read in batches of 256. Snapshots come once per second during the traffic, and four
// times per second for a reporter with IFB_REPORTER_LIVE, whose end also comes first. All times of
// records and snapshots are on the clock of ifb_run.started_ns. A reporter that needs a date
// adds ifb_run.started_unix_ns - ifb_run.started_ns to a time. This also holds for the times of a
// journal, which are not of the clock of this process (IFB_RUN_REPLAYED).
//
// Full queues: for each reporter, the waiting records may take `queue_bytes` of memory. Reporters
// share batches, so all reporters together need hardly more. During the traffic, a reporter that
// exceeds this limit is dropped, as if it had failed. So the measurement continues and memory stays
// bounded. The journal contains every record, so that `inferbench report` can make the lost report.
// If the records come from a journal, nothing is being measured, and records() waits for room
// (wait_when_full(true)).
//
// At most one snapshot waits: a newer snapshot replaces a snapshot that is not yet delivered.
//
// A reporter that fails is dropped: it is not called again, and a warning names the reporter and
// the reason. If a reporter never returns, begin() and finish() never return; they log for which
// reporter they wait.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <inferbench/abi.h>

#include "base/log.hpp"
#include "metrics/report.hpp"
#include "plugin/instance.hpp"
#include "plugin/operations.hpp"
#include "report/batch.hpp"

namespace inferbench::report {

/// A reporter that the fanout can call. `self` must outlive the fanout.
struct target {
  std::string name;  // the name in messages: "console"
  ifb_instance* self = nullptr;
  plugin::reporter calls{};
  bool stamps = true;  // the reporter reads ifb_record.token_ns
  /// Adds the line or flag that set the refused option to a refusal of begin. May be empty.
  std::function<plugin::refused(const plugin::refused&)> explain{};
  const char* last_call = "end";  // the plugin's name of the call end(), for messages

  [[nodiscard]] bool live() const noexcept { return (calls.flags & IFB_REPORTER_LIVE) != 0; }
};

/// Throws base::error if the reporter offers only the interface that shows several runs side by
/// side. Creates nothing.
void require_single_run(const plugin::loaded& reporter);

/// Throws base::error if the instance is not a reporter that this host can use, and the error of
/// require_single_run().
[[nodiscard]] target target_of(const plugin::instance& reporter);

/// Only the collector's thread calls these functions.
class fanout {
 public:
  struct limits {
    std::size_t queue_bytes = std::size_t{256} << 20U;  // memory of the waiting records of each
                                                        // reporter
    /// After this time, begin() and finish() log the names of the reporters for which they wait.
    std::chrono::milliseconds patience{10'000};
  };

  /// Starts a thread for each target.
  fanout(std::vector<target> targets, base::log& log, limits bounds);
  fanout(std::vector<target> targets, base::log& log) : fanout(std::move(targets), log, limits{}) {}
  fanout(const fanout&) = delete;
  fanout& operator=(const fanout&) = delete;
  /// If finish() was not called: waits for the calls in progress, and makes no further calls.
  ~fanout();

  /// Calls the begin() function of every reporter and waits until all calls have returned. Throws
  /// plugin::refused with the reason if a reporter refuses, so that a result that cannot be written
  /// is reported before the run. `run` is used only during the call.
  void begin(const ifb_run& run);

  /// Whether at least one reporter that was not dropped reads the stamps of a batch.
  [[nodiscard]] bool wants_stamps() const;
  void records(const std::shared_ptr<const batch>& records);
  /// Whether a reporter wants live figures of the time `at_ns`, on the clock of the records.
  [[nodiscard]] bool wants_snapshot(std::uint64_t at_ns) const;
  /// Passes `figures` to the reporters that want live figures.
  void snapshot(const std::shared_ptr<const metrics::report>& figures, std::uint64_t at_ns);

  /// Sets whether records() waits for room in a full queue: see the top of this file.
  void wait_when_full(bool wait) noexcept { wait_when_full_ = wait; }

  /// Waits until each reporter has processed its records, but no longer than `at_most`. Snapshots
  /// may still wait.
  void wait_idle(std::chrono::milliseconds at_most);

  /// The last call; call it once. Passes the summary to every reporter after all its records, waits
  /// until all reporters have finished and joins their threads. Returns false if a reporter failed.
  /// Reporters with IFB_REPORTER_LIVE end first; then `live_ended` is called, and then the others
  /// end. `summary` is used only during the call.
  [[nodiscard]] bool finish(const ifb_summary& summary,
                            const std::function<void()>& live_ended = {});

  /// Names of the reporters that have been dropped so far, in the order of the targets.
  [[nodiscard]] std::vector<std::string> failed() const;

 private:
  class lane;

  /// Waits until the lane is idle. If this takes long, logs what the reporter is doing.
  void wait_for(lane& one) const;

  base::log& log_;
  limits limits_;
  bool wait_when_full_ = false;
  std::vector<std::unique_ptr<lane>> lanes_;
};

}  // namespace inferbench::report
