// Whether the client kept up, and so whether the run's figures are the server's: the most that the
// client can have changed them, the observations of it, the verdict with its reasons, and all of
// this as JSON. Upstream has nothing like it, so it stands apart from upstream's figures.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hpp"
#include "client/health.hpp"
#include "metrics/bounds.hpp"

namespace inferbench::metrics {

/// The system's measurements of one worker, sampled once a second from another thread.
struct worker_load {
  double busiest_second = 0;  // most of one core that it used in any second, 0..1
  double longest_wait = 0;    // most of any second that it was ready and waited for a core, 0..1
};

/// CPU time that the cgroup of this process was denied during the traffic.
struct throttling {
  std::uint64_t periods = 0;
  std::uint64_t ns = 0;
};

struct client_health {
  std::vector<client::worker_health> workers;
  std::vector<worker_load> loads;    // one for each worker
  std::vector<std::string> servers;  // base URLs, as client::worker_health::servers
  std::uint64_t process_cpu_ns = 0;  // all threads, during the traffic
  std::uint64_t wall_ns = 0;         // of the traffic
  std::optional<throttling> cgroup;  // none: no cgroup reports it
  base::stamping stamping = base::stamping::automatic;
  std::vector<error_bound> bounds;   // accumulator::bounds()
  std::uint64_t local_failures = 0;  // connections not made for want of ports or descriptors
  // Not caused by the client, but figures become doubtful by it.
  std::uint64_t answers = 0;    // streamed answers that count as good
  std::uint64_t unmarked = 0;   // those without an end mark
  std::uint64_t cut_short = 0;  // those shorter than the server was told
};

enum class validity : std::uint8_t { valid, suspect, invalid };

[[nodiscard]] std::string_view name_of(validity v) noexcept;  // "VALID", "SUSPECT", "INVALID"

struct verdict {
  validity level = validity::valid;
  std::vector<std::string> reasons;  // a sentence each, worst first; empty when valid
  /// A sentence for each observation that may explain a late client. They do not change the level;
  /// a valid run may have some, too.
  std::vector<std::string> causes;
};

/// The P99 by which a distribution is judged: at most one value in a hundred exceeds it, and
/// exactly one where there are less than two hundred. So a single outlier never decides over a run,
/// however short. 0 of less than two values.
[[nodiscard]] double judged_p99(const base::histogram& of);

/// docs/client-health.md gives the limits and the reason for each.
[[nodiscard]] verdict judge(const client_health& of);

/// One JSON object: `verdict`, `reasons`, `causes`, `error_bound_ms`, `limits` (what was judged,
/// with its figure), `signs` (what may be a cause), and what was observed. It holds no numbers but
/// finite ones.
[[nodiscard]] std::string to_json(const client_health& of, const verdict& found);

/// The part that can be made from records alone, without a verdict: the members `error_bound_ms`,
/// `answers_without_bound` and `worst_error_bound`.
[[nodiscard]] std::string to_json(std::span<const error_bound> bounds);

}  // namespace inferbench::metrics
