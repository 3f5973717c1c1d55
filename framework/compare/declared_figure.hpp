// The figures that a comparison declares, and the names under which the runs of every benchmark
// have their figures: a number of the whole run by its name ("output_throughput"), a statistic of a
// summary as FIGURE.STATISTIC ("ttft.p99", "tpot.mean"). docs/compare.md lists them. Pure
// functions.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/abi.h>

namespace inferbench::compare {

/// The figures of a run by their names. Values that the run does not have are missing.
using figure_values = std::map<std::string, double, std::less<>>;

/// The benchmark that a run belongs to. Runs of different benchmarks have different figures.
enum class benchmark : std::uint8_t { server, pooling, throughput, latency };

/// "serve", "serve (pooling)", "throughput" or "latency".
[[nodiscard]] std::string_view name_of(benchmark which) noexcept;

struct declared_figure {
  std::string name;   // "ttft.p99"
  std::string title;  // "P99 TTFT"
  std::string unit;   // "ms"
  bool higher_is_better = false;
};

/// The figure that a text names: "ttft.p99", "p99_ttft_ms" as in result files, "output_throughput",
/// and of the benchmarks without a server "requests_per_second", "tokens_per_second",
/// "elapsed_time", "avg_latency" and "latency.p99". Throws options::usage_error with the position
/// --metric for a text that names no figure, and for a figure that is better neither if it is
/// higher nor if it is lower, such as total_input_tokens.
[[nodiscard]] declared_figure figure_of(std::string_view text);

/// The percentile of a figure of a run with a server, such as 99 for "ttft.p99"; nullopt for other
/// figures, also for "latency.p99".
[[nodiscard]] std::optional<double> percentile_of(const declared_figure& of);

/// The figures that are compared unless the user declares others, at most four: a correction for
/// each declared figure makes every difference harder to prove.
[[nodiscard]] std::vector<declared_figure> usual_figures(benchmark which);

/// All figures of a run from the form that reporters receive.
[[nodiscard]] figure_values values_of(std::span<const ifb_metric> from);

/// The names of the figures that figure_of() accepts, for messages: "output_throughput, ttft.mean".
[[nodiscard]] std::string comparable_names(const figure_values& of);

}  // namespace inferbench::compare
