// The trade-off between the speed of one user and the throughput of one GPU. The frontier is the
// set of runs that no other run surpasses in both.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plot/run_table.hpp"

namespace inferbench::plot {

struct pareto_spec {
  std::string user_count_var = "max_concurrency";
  std::string gpu_count_var{};  // empty: from the keys of the run
  std::vector<std::string> label_by{"max_concurrency", "gpu_count"};
  /// The user named `label_by`. Otherwise the labels begin with _benchmark_name, if its values
  /// differ.
  bool labels_given = false;
  std::optional<double> gpu_price_per_hour{};  // in any currency
};

/// The keys that a point has in addition to those of its run.
inline constexpr std::array<std::string_view, 4> added_keys{"tokens_per_user", "tokens_per_gpu",
                                                            "user_count_estimate", "gpu_count"};

struct pareto_point {
  run_row row;
  double tokens_per_user = 0;  // output tokens per second for each user: x
  double tokens_per_gpu = 0;   // output tokens per second for each GPU: y
  double users = 0;
  double gpus = 1;
  std::optional<double> cost;  // of a million output tokens: price * gpus / 3600 / throughput * 1e6
  bool unstable = false;       // the server did not keep up
  bool peak = false;           // `users` is max_concurrent_requests, the peak of requests in flight
  std::string label;           // key=value lines
};

struct pareto_data {
  std::vector<pareto_point> points;   // in the order of the rows
  std::vector<std::size_t> frontier;  // places in `points`, x ascending
  std::size_t skipped = 0;            // runs without a number of users
  std::size_t uncompleted = 0;        // runs without a completed request
  std::vector<std::string> labels{};  // keys of the labels
  /// Parameters that tell points with equal labels apart.
  std::vector<std::string> unlabelled{};
};

/// Throws base::error, with file and run, for a run without `output_throughput` and for a value
/// that is not a number; and if no run is left.
[[nodiscard]] pareto_data pareto_of(const pareto_spec& spec, std::span<const run_row> rows);

/// The places of the points that no other point dominates, in the order of descending x. A point is
/// dominated by a point that is at least equal in both values and better in one of them, so exact
/// duplicates of a point of the frontier belong to it.
[[nodiscard]] std::vector<std::size_t> frontier_of(std::span<const pareto_point> points);

}  // namespace inferbench::plot
