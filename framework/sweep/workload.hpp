// `sweep serve_workload`: the levels between serial and batch inference.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sweep/item.hpp"
#include "sweep/level.hpp"

namespace inferbench::sweep {

/// The number of requests that the item or the command states, as dataset_size() reads it; nullopt
/// if neither does. Throws base::error like dataset_size().
[[nodiscard]] std::optional<std::int64_t> stated_size(const item& bench,
                                                      const std::vector<std::string>& command);

/// The number of requests of a benchmark: `num_prompts` of the item in either spelling, otherwise
/// the last --num-prompts of the command, otherwise 1000. Throws base::error if this is no whole
/// number or less than 1.
[[nodiscard]] std::int64_t dataset_size(const item& bench, const std::vector<std::string>& command);

/// The whole levels between `low` and `high` that divide the range into `iterations` (at least 2)
/// equally spaced points, without the first and the last point: rounded half to even, at least 1,
/// unique, ascending. `high` may be less than `low`.
[[nodiscard]] std::vector<std::int64_t> levels_between(std::int64_t low, std::int64_t high,
                                                       int iterations);

struct workload_search {
  std::string variable;  // "request_rate" or "max_concurrency"
  int iterations = 10;   // at least 2
  std::int64_t dataset_size = 0;
};

/// A level that explore_workload() wants to run. The name of its folder has the pieces "WL-" and
/// level_piece(variable, value) after those of the item `named`.
struct workload_level {
  item bench;  // with the variable, and at the two ends with max_concurrency
  item named;  // without the variable, except if an end's max_concurrency is the variable
  std::int64_t value = 1;
};

/// Runs the serial level, the batch level and the levels between, and prints what it does. `run`
/// runs all repetitions of a level. Returns the runs in the order of the summary: serial, levels
/// ascending, batch; nothing in a dry run and if the combination is left out. Throws base::error if
/// no load follows from the results of serial or batch level: carried_load().
[[nodiscard]] std::vector<run_object> explore_workload(
    const workload_search& search, const item& serve, const item& bench,
    const std::function<level_runs(const workload_level& level)>& run, const tell_line& tell);

}  // namespace inferbench::sweep
