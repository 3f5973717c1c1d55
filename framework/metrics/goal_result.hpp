// Whether a run met a goal. A goal is passed or failed by the figure itself, as the report shows
// it. It is in addition certain if the sample proves the same about the server: at the confidence
// confidence::level, with the dependence of neighbouring requests taken into account.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "confidence/batch_means.hpp"
#include "confidence/binomial.hpp"
#include "metrics/goal.hpp"

namespace ifb {
class json_writer;
}

namespace inferbench::metrics {

struct goal_result {
  std::string goal;  // goal::text(); the text of the user if it cannot be read
  std::string figure, statistic, relation, unit;
  double limit = 0;
  std::optional<double> value;  // in `unit`; nullopt: the run does not have it
  bool passed = false;
  bool certain = false;
  std::optional<std::uint64_t> count;     // values behind the figure
  std::optional<double> effective_count;  // independent values that say as much; nullopt: not known
  std::string reason;  // why it failed although there is no value, or why it is not certain
};

/// A result with the names of the goal. It is failed and not certain until it is decided.
[[nodiscard]] goal_result result_of(const goal& of);
/// The result of a text that parse_goal() refuses, with the reason.
[[nodiscard]] goal_result unreadable(const std::string& text, std::string reason);

/// Why there is no value of a figure that this run does not have, with the remedy if there is one.
[[nodiscard]] std::string missing_text(std::string_view figure);

/// Decides by the value alone. The result is not certain, for the given reason.
void decide(const goal& of, double value, std::string reason, goal_result& into);
/// Decides by the value, and by the sample whether this is certain.
void decide(const goal& of, double value, const confidence::exceedance& sample, goal_result& into);
/// The same for a mean of `count` values. `estimate` is nullopt if the values do not give one.
void decide_mean(const goal& of, double value, std::uint64_t count,
                 const std::optional<confidence::mean_estimate>& estimate, goal_result& into);

/// Whether a result counts as failed. `certain`: --threshold-certain was given.
[[nodiscard]] bool any_fails(std::span<const goal_result> results, bool certain) noexcept;
/// The goals that count as failed, as a clause: "1 goal failed: ttft.p99<200ms".
[[nodiscard]] std::string failed_text(std::span<const goal_result> results, bool certain);

/// Writes the value of the fact `thresholds`: a list.
void write(ifb::json_writer& out, std::span<const goal_result> results);

}  // namespace inferbench::metrics
