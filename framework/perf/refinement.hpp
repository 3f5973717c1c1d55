// The search for the largest concurrency within limits of latency, after the points that a test
// definition lists. Pure functions, except for the calls of `probe`. The search says at which
// points single runs passed; it makes no claim about errors (`inferbench find` does).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include <inferbench/json_reader.hpp>

#include "perf/run_request.hpp"

namespace inferbench::perf {

enum class point_verdict : std::uint8_t { passed, failed, unknown };

/// Whether the result of a serving benchmark is within the limits, both included. Each latency is
/// its 99th percentile, and without that its mean: p99_ttft_ms, mean_ttft_ms, p99_tpot_ms,
/// mean_tpot_ms, and for the second latency mean_itl_ms at last. Members `p99` and `mean` of
/// objects ttft_ms, tpot_ms and itl_ms count like these, and all of them may lie in an object
/// `metrics`. Unknown if a latency is missing or is not a finite number, and if `completed` is 0:
/// the latencies of a run without a completed request are 0.
[[nodiscard]] point_verdict judged(const ifb::json_value& result, const latency_limits& limits);

struct judged_point {
  std::int64_t concurrency = 0;
  point_verdict verdict = point_verdict::unknown;
};

/// The largest concurrency that passed before the first failure after it, and that failure.
struct passing_range {
  std::optional<std::int64_t> last_pass;
  std::optional<std::int64_t> first_fail;
};

/// The range of the points, which are sorted by concurrency. A failure before the first pass does
/// not count, an unknown point neither.
[[nodiscard]] passing_range range_of(std::span<const judged_point> points);

/// Narrows the range of the points by at most `rule.probes` calls of `probe`. Without a pass it
/// calls nothing. Between a pass and a failure it bisects until they are adjacent. Without a
/// failure it goes up from the largest point, at first by the difference of the last two points (of
/// a single point: by its concurrency), then by twice the step after each pass, to at most
/// `rule.largest_concurrency`, and bisects after a failure. An unknown verdict ends the search.
[[nodiscard]] passing_range refined(std::span<const judged_point> points,
                                    const refinement_rule& rule,
                                    const std::function<point_verdict(std::int64_t)>& probe);

/// The end of the name of a search's file, after the test and the rate.
inline constexpr const char* search_file_ending = "_sla_summary.json";

/// The file of a search: a JSON object in lines, with a line end.
[[nodiscard]] std::string summary_text(const std::string& test, const std::string& rate,
                                       const latency_limits& limits, const passing_range& listed,
                                       const passing_range& found);

}  // namespace inferbench::perf
