// Makes the runs of combinations, or finds their results, and prints what it does. It decides what
// a failed run means, and writes summary.json.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "experiment/combination.hpp"
#include "experiment/experiment.hpp"
#include "experiment/experiment_folder.hpp"
#include "experiment/server.hpp"
#include "experiment/sweep_console.hpp"
#include "experiment/sweep_failures.hpp"
#include "experiment/sweep_progress.hpp"
#include "experiment/trial.hpp"
#include "sweep/request.hpp"

namespace inferbench::experiment {

/// Used by one thread. The parameters of the constructor are borrowed.
class run_series {
 public:
  run_series(const sweep::plan& plan, experiment_folder& folder, sweep_console& console,
             sweep_progress& progress, const std::atomic<bool>& stop)
      : plan_(plan), folder_(folder), console_(console), progress_(progress), stop_(stop) {}

  /// From now on runs can be made, with this server; nullptr: the server is not ours.
  void open(server* with);
  /// From now on runs cannot be made, only found.
  void close() noexcept { open_ = false; }

  /// The result of a run that was made before; nullptr if there is none. Prints nothing except that
  /// parameters have changed.
  [[nodiscard]] sweep::run_object found(const combination& what, int run_number);

  /// Prints the block of a run, and finds its result or makes it. nullopt in a dry run, and if the
  /// run failed and plan::continue_on_error is set. Before the first run of a combination that is
  /// made, the combination is warmed up if the plan says so. A run during which the server ended
  /// has no result, also if the benchmark wrote one. A line names a result without a completed
  /// request. Throws failed_run, failed_server,
  /// stopped_sweep, and base::error.
  std::optional<finished_run> run(const combination& what, int run_number,
                                  const sweep_position& at);

  /// All repetitions of a combination have been tried: writes summary.json with the runs that there
  /// are. Does nothing in a dry run.
  void conclude(const combination& what, const std::vector<sweep::run_object>& runs);

  /// True until a run has failed.
  [[nodiscard]] bool all_made() const noexcept { return all_made_; }

 private:
  void print_block(const trial& of);
  /// Says once that an experiment has more runs than the plan.
  void tell_ignored_runs(const combination& what);
  /// nullptr: the run failed, and the sweep continues.
  [[nodiscard]] sweep::run_object made(const trial& what, const sweep_position& at);
  void warm_up(const combination& what, sweep_position at);
  void require_server(std::chrono::milliseconds grace = {});
  void reset_caches();
  void after_bench();
  void after_failure() noexcept;
  void note_failure(const trial& of, const failed_run& why);
  [[nodiscard]] command_surroundings surroundings();

  const sweep::plan& plan_;
  experiment_folder& folder_;
  sweep_console& console_;
  sweep_progress& progress_;
  const std::atomic<bool>& stop_;
  bool open_ = false;
  server* server_ = nullptr;
  std::set<std::string> warm_;  // the folders that this server has been warmed up with
  bool all_made_ = true;
  bool told_ignored_runs_ = false;
};

}  // namespace inferbench::experiment
