// Reads the facts of a summary that reports share: goals, certainty and the verdict on the client.
// The views in the results point into the facts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json_value.hpp"

namespace reporters {

/// An element of the fact `thresholds`: a goal of the user and whether the run reached it.
struct goal_result {
  std::string_view goal;  // "ttft.p99<200ms"
  std::string_view figure;
  std::string_view statistic;
  std::string_view relation;
  std::string_view unit;
  std::string_view reason;
  double limit = 0;
  std::optional<double> value;  // nullopt: the run does not have the figure
  bool passed = false;
  bool certain = false;
  std::optional<double> count;
  std::optional<double> effective_count;
};

/// Whether the goal counts as passed. `certain`: --threshold-certain was given, so a goal that is
/// not certain fails.
[[nodiscard]] inline bool counts_as_passed(const goal_result& goal, bool certain) noexcept {
  return goal.passed && (goal.certain || !certain);
}
/// "certain" or "not certain", and if this is why the goal failed, the flag that makes it fail.
[[nodiscard]] std::string_view certain_text(const goal_result& goal, bool certain) noexcept;

/// Empty if the run has no goals.
[[nodiscard]] std::vector<goal_result> goals_of(const json_value& facts);

/// The fact `certainty` for one percentile of one figure.
struct certainty_of_percentile {
  bool known = false;           // the fact has this percentile
  std::optional<double> bound;  // upper bound; nullopt: the sample cannot certify the percentile
};
[[nodiscard]] certainty_of_percentile certainty_of(const json_value& facts, std::string_view figure,
                                                   double percentile);
/// The number of independent observations of a figure; nullopt if it is not known.
[[nodiscard]] std::optional<double> effective_count(const json_value& facts,
                                                    std::string_view figure);
/// The confidence of the bounds, such as 0.99; 0 if the run has no bounds.
[[nodiscard]] double confidence_of(const json_value& facts);

/// "VALID", "SUSPECT" or "INVALID"; empty if it is not known, as in the journal of a killed run.
[[nodiscard]] std::string_view client_verdict(const json_value& facts);
/// The sentences of `client.reasons`, the worst first.
[[nodiscard]] std::vector<std::string_view> client_reasons(const json_value& facts);

/// A kind of failure: an element of the fact `errors`.
struct failure_kind {
  std::string_view name;  // "remote"
  std::uint64_t http_status = 0;
  std::uint64_t count = 0;
  std::string_view first;
  bool others_differ = false;
};
[[nodiscard]] std::vector<failure_kind> failures_of(const json_value& facts);

/// Returns a number of the fact `accounting`, such as "sent"; nullopt if it is missing.
[[nodiscard]] std::optional<std::uint64_t> accounted(const json_value& facts,
                                                     std::string_view name);

/// What a damaged journal, or a journal without an end, still tells of the run.
struct recorded_part {
  bool damaged = false;
  std::uint64_t planned = 0;
  std::uint64_t known = 0;  // sent or never sent; of the other requests this is not recorded
};
/// nullopt if everything is recorded.
[[nodiscard]] std::optional<recorded_part> recorded_part_of(const json_value& facts);
/// "of 400 planned requests 199 are known; it is not recorded whether the other 201 were sent".
[[nodiscard]] std::string text_of(const recorded_part& of);

}  // namespace reporters
