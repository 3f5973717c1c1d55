// The judged signals of a client's health, and possible causes of its lateness: the limits, and the
// figures that are compared with the limits. docs/client-health.md explains them for users.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/health.hpp"

namespace inferbench::metrics {

// Remedies for both judged signals and possible causes.
inline constexpr const char* more_workers = "use more --workers, or a machine with more free cores";
inline constexpr const char* free_cores =
    "keep other programs off this machine, or use fewer --workers";

/// A figure above `suspect` makes a run SUSPECT. A figure above `invalid` makes it INVALID.
struct rule {
  const char* name;
  const char* unit;  // unit of figure * scale, in messages
  double scale;
  double suspect;
  double invalid;  // infinity: a run never becomes INVALID by this figure
  const char* remedy;
};

struct signal {
  const rule* limits;
  double figure;        // in milliseconds, a share (0..1), or a count
  std::string finding;  // a sentence: "the client's event loop was busy for 3.1 ms at P99"
};

/// The signals that this run has data for, in a fixed order. The worker with the largest figure
/// counts, since its answers are in the figures of the run. The event loop's lag and its
/// standstills are judged only if there are answers with stamps of unknown lateness; otherwise they
/// may be causes.
[[nodiscard]] std::vector<signal> signals_of(const client_health& of);

/// A kind of possible cause. A figure above `told` is reported.
struct hint {
  const char* name;
  double told;
  const char* remedy;
};

struct sign {
  const hint* kind;
  double figure;  // in milliseconds, or a share (0..1)
  std::string finding;
  bool always;  // reported even if the run is valid
};

/// Possible causes of a late client, including causes with a figure below `told`. Defined in
/// health_signs.cpp.
[[nodiscard]] std::vector<sign> signs_of(const client_health& of);

/// The number of answers with stamps of unknown lateness, for the figure that has the most of them.
[[nodiscard]] std::uint64_t answers_without_bound(std::span<const error_bound> of) noexcept;

/// The worker with the largest figure.
struct worst {
  std::size_t worker = 0;
  double figure = 0;
};
/// Compares `figure(item)`. nullopt if the list is empty.
template <typename list, typename function>
[[nodiscard]] std::optional<worst> worst_of(const list& items, function&& figure) {
  std::optional<worst> out;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (const double f = figure(items[i]); !out || f > out->figure) out = {i, f};
  return out;
}
/// The name of a worker in messages: "worker 3", or "the client" if there is only one worker.
[[nodiscard]] std::string worker_text(const client_health& of, std::size_t worker);

/// The duration of the longest standstill; 0 if there was no standstill.
[[nodiscard]] double longest_standstill_ms(const client::worker_health& w) noexcept;
/// The sentence about standstills: "the client did not look at its sockets for more than 10 ms 7
/// times, ..."
[[nodiscard]] std::string standstill_text(const client_health& of, const worst& found);

/// judged_p99() in ms, for a histogram of nanoseconds.
[[nodiscard]] double p99_ms(const base::histogram& of);

/// part / whole; 0 if `whole` is 0.
[[nodiscard]] double share(std::uint64_t part, std::uint64_t whole) noexcept;

/// The number with three digits, without an exponent: "0.504", "12.3", "1234".
[[nodiscard]] std::string number_text(double value);

/// A number with its noun: "1 request", "2 requests".
[[nodiscard]] std::string counted(std::uint64_t n, std::string_view what);

}  // namespace inferbench::metrics
