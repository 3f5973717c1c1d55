// The interface between a search over levels (workload.hpp, sla_search.hpp) and the code that runs
// a level.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <inferbench/json_reader.hpp>

namespace inferbench::sweep {

/// The result of one benchmark run: the object of its file.
using run_object = std::shared_ptr<const ifb::json_document>;

/// The repetitions of one level, in order. `made` is false in a dry run and if the combination is
/// left out, and then `runs` is empty. `runs` is also empty if all repetitions failed.
struct level_runs {
  bool made = false;
  bool left_out = false;  // by --link-vars or an exclude
  std::vector<run_object> runs;
};

/// Prints a line to the user.
using tell_line = std::function<void(const std::string&)>;

/// The mean over the runs of a numeric field. Numbers may be texts ("inf"). Throws base::error that
/// names the field and the numeric fields of the run if a run lacks the field, and if there is no
/// run.
[[nodiscard]] double mean_of(const std::vector<run_object>& runs, const std::string& key);

/// The mean over the runs of the load that the server carried: request_throughput for request_rate,
/// request_throughput * mean_e2el_ms / 1000 for max_concurrency, which is Little's law: L = lambda
/// W. Throws base::error like mean_of(), and if the mean is not finite or beyond 1e15.
[[nodiscard]] double carried_load(const std::vector<run_object>& runs, const std::string& variable);

/// Whether the result says that no request was completed: `completed` is 0. Its latencies are 0 as
/// well, and say nothing about the server.
[[nodiscard]] bool completed_nothing(const ifb::json_value& run);

/// The number of requests that failed; 0 if the result does not say it.
[[nodiscard]] double failed_requests(const ifb::json_value& run);

/// The piece of a folder's name that stands for a level: "request_rate=16".
[[nodiscard]] std::string level_piece(const std::string& variable, std::int64_t level);

}  // namespace inferbench::sweep
