// The visit of the combinations of one server by `sweep serve` and `sweep startup`: every benchmark
// item, each run as often as the plan says, in the order of the plan.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "experiment/combination.hpp"
#include "experiment/experiment.hpp"
#include "experiment/level_visit.hpp"
#include "sweep/item.hpp"

namespace inferbench::experiment {

class grid_visit {
 public:
  /// `benches`: the items of the combinations that run. `before`: how many combinations earlier
  /// servers have; `of_all`: how many all servers have. Looks for the results that there are.
  grid_visit(visit_tools with, const sweep::item& serve,
             const std::vector<const sweep::item*>& benches, std::size_t before,
             std::size_t of_all);

  /// The number of runs that are to be made, with warm-ups.
  [[nodiscard]] std::size_t missing() const noexcept { return missing_; }

  /// Makes the missing runs and prints the blocks of all runs. `server`: the index of the server,
  /// for a random order. Throws what run_series::run() throws; the results so far are kept.
  void carry_out(std::size_t server);

  /// After failed_server: takes the results of earlier processes, and writes summary.json of the
  /// combinations that have a result.
  void keep_found();

  /// The results, by combination and number of the run.
  [[nodiscard]] std::vector<finished_run> take_runs();

 private:
  struct row {
    combination what;
    std::vector<std::optional<finished_run>> runs;  // by number
    int open = 0;                                   // repetitions that have not been tried
  };

  void conclude(const row& of);

  visit_tools with_;
  std::size_t before_;
  std::size_t of_all_;
  std::vector<row> rows_;
  std::size_t missing_ = 0;
};

}  // namespace inferbench::experiment
