// The health of the client: whether the client kept up, so that the figures of the run describe the
// server. Contains the largest possible error of each figure, the observations of the client, the
// verdict with its reasons, and all of these as JSON. Upstream has no equivalent, so they are kept
// separate from upstream's figures.
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
  double busiest_second = 0;  // the largest share of one core that the worker used in any second,
                              // 0..1
  double longest_wait = 0;    // the largest share of any second in which the worker was ready and
                              // waited for a core, 0..1
};

/// The CPU time that the system refused to the cgroup of this process during the traffic: the
/// number of throttled periods, and the throttled time.
struct throttling {
  std::uint64_t periods = 0;
  std::uint64_t ns = 0;
};

struct client_health {
  std::vector<client::worker_health> workers;
  std::vector<worker_load> loads;    // one for each worker
  std::vector<std::string> servers;  // base URLs, in the order of client::worker_health::servers
  std::uint64_t process_cpu_ns = 0;  // CPU time of all threads during the traffic
  std::uint64_t wall_ns = 0;         // duration of the traffic
  std::optional<throttling> cgroup;  // empty: no cgroup reports throttling
  base::stamping stamping = base::stamping::automatic;
  std::vector<error_bound> bounds;   // the result of accumulator::bounds()
  std::uint64_t local_failures = 0;  // connections that failed because this machine lacked ports or
                                     // descriptors
  // The members below are not caused by the client, but they make figures doubtful.
  std::uint64_t answers = 0;    // streamed answers that count as successful
  std::uint64_t unmarked = 0;   // streamed answers without an end mark
  std::uint64_t cut_short = 0;  // streamed answers that are shorter than the length asked for
};

enum class validity : std::uint8_t { valid, suspect, invalid };

/// The level as text: "VALID", "SUSPECT" or "INVALID".
[[nodiscard]] std::string_view name_of(validity v) noexcept;

struct verdict {
  validity level = validity::valid;
  std::vector<std::string> reasons;  // a sentence each, worst first; empty when valid
  /// A sentence for each observation that may explain why the client was late. Causes do not change
  /// the level; a valid run may have causes, too.
  std::vector<std::string> causes;
};

/// The P99 by which a distribution is judged: at most one value in a hundred exceeds it. If there
/// are fewer than 200 values, exactly one value exceeds it. So a single outlier never decides the
/// verdict, even for a short run. The result is 0 for fewer than two values.
[[nodiscard]] double judged_p99(const base::histogram& of);

/// The verdict on the client. docs/client-health.md lists the limits and the reason for each.
[[nodiscard]] verdict judge(const client_health& of);

/// One JSON object: `verdict`, `reasons`, `causes`, `error_bound_ms`, `limits` (the judged signals
/// with their figures), `signs` (the possible causes), and the observations. All numbers in it are
/// finite.
[[nodiscard]] std::string to_json(const client_health& of, const verdict& found);

/// The part that needs only records and has no verdict: the members `error_bound_ms`,
/// `answers_without_bound` and `worst_error_bound`.
[[nodiscard]] std::string to_json(std::span<const error_bound> bounds);

}  // namespace inferbench::metrics
