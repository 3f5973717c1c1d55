// The judged signals of a client's health, and possible causes of its lateness: the limits, and
// the figures that are compared with them. docs/client-health.md is the same for users.
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

// Remedies that both a judged signal and a possible cause advise.
inline constexpr const char* more_workers = "use more --workers, or a machine with more free cores";
inline constexpr const char* free_cores =
    "keep other programs off this machine, or use fewer --workers";

/// A figure above `suspect` makes a run SUSPECT, above `invalid` INVALID.
struct rule {
  const char* name;
  const char* unit;  // of figure * scale, for people
  double scale;
  double suspect;
  double invalid;  // infinity: never
  const char* remedy;
};

struct signal {
  const rule* limits;
  double figure;        // milliseconds, a share, or a number
  std::string finding;  // "the client's event loop was busy for 3.1 ms at P99"
};

/// The signals that this run has data for, in a fixed order. The worst of several workers counts,
/// since its answers are in the figures. The event loop's lag and its standstills are judged only
/// if there are answers with stamps of unknown lateness; otherwise they may be causes.
[[nodiscard]] std::vector<signal> signals_of(const client_health& of);

/// A figure above `told` is reported as a possible cause.
struct hint {
  const char* name;
  double told;
  const char* remedy;
};

struct sign {
  const hint* kind;
  double figure;  // milliseconds or a share
  std::string finding;
  bool always;  // reported of a valid run, too
};

/// Possible causes of a late client, also those below their limit: health_signs.cpp.
[[nodiscard]] std::vector<sign> signs_of(const client_health& of);

/// The answers with stamps of unknown lateness, of the figure that has most of them.
[[nodiscard]] std::uint64_t answers_without_bound(std::span<const error_bound> of) noexcept;

/// The worker with the largest figure.
struct worst {
  std::size_t worker = 0;
  double figure = 0;
};
/// By `figure(item)`; none of an empty list.
template <typename list, typename function>
[[nodiscard]] std::optional<worst> worst_of(const list& items, function&& figure) {
  std::optional<worst> out;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (const double f = figure(items[i]); !out || f > out->figure) out = {i, f};
  return out;
}
/// "worker 3"; "the client" if there is one worker.
[[nodiscard]] std::string worker_text(const client_health& of, std::size_t worker);

/// 0 without a standstill.
[[nodiscard]] double longest_standstill_ms(const client::worker_health& w) noexcept;
/// "the client did not look at its sockets for more than 10 ms 7 times, ..."
[[nodiscard]] std::string standstill_text(const client_health& of, const worst& found);

/// judged_p99() of nanoseconds, in ms.
[[nodiscard]] double p99_ms(const base::histogram& of);

/// 0 if the whole is 0.
[[nodiscard]] double share(std::uint64_t part, std::uint64_t whole) noexcept;

/// Three digits, without an exponent: "0.504", "12.3", "1234".
[[nodiscard]] std::string number_text(double value);

/// "1 request", "2 requests"
[[nodiscard]] std::string counted(std::uint64_t n, std::string_view what);

}  // namespace inferbench::metrics
