// Compares groups of runs, metric by metric, with known rates of error. Pure functions.
//
// A block A B B A of four runs gives D = (ln B1 + ln B2 - ln A1 - ln A2) / 2; the mean of D over
// the blocks is the logarithm of the ratio candidate / base, with Student's t for its interval and
// its p-value. Runs without blocks give the difference of the mean logarithms with Welch's t ("The
// generalization of Student's problem", Biometrika 1947). The verdicts, in this order:
// 1. same: two one-sided tests (TOST; Schuirmann 1987), each at the error rate of "same", show that
//    the ratio is inside the margin, even if the difference is significant;
// 2. faster or slower: the p-value is at most the error rate of differences after Holm's correction
// ("A simple
//    sequentially rejective multiple test procedure", 1979) over all metrics of all candidates;
// 3. cannot tell.
// docs/comparison-method.md has the error rates, measured.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "comparison/input.hpp"
#include "comparison/verdict.hpp"

namespace inferbench::comparison {

struct metric_result {
  verdict outcome = verdict::cannot_tell;
  /// Why the metric has no test, as a clause: "new has one run only". Empty if it was tested.
  std::string untested;

  std::optional<double> base_value, other_value;  // geometric means of the runs
  std::optional<double> ratio;                    // candidate / base
  // All of the following are nullopt if the metric was not tested.
  std::optional<double> low, high;  // of the ratio: the interval of the confidence 1 - error rate
  /// The standard deviation of the logarithms: of blocks, or of the runs within a group.
  std::optional<double> deviation;
  std::optional<double> p;            // that the ratio is 1, two-sided
  std::optional<double> p_holm;       // corrected; the verdict uses this value
  std::optional<double> p_same;       // TOST, the larger p-value of both tests
  std::optional<double> p_sign_flip;  // a check of p without normal distribution (sign_flip.hpp)
  /// A true difference, as a share (0.02 is 2 %), that a comparison like this, with this deviation,
  /// finds with a chance of 80 % and of 90 %, as the first of all tests in Holm's correction. A
  /// difference that is shown to be inside the margin is not found, but the same.
  std::optional<double> found_80, found_90;
  /// With "cannot tell": the blocks (or the runs of each group) in all with which a comparison has
  /// a chance of 80 % to tell, if ratio and deviation are those of this comparison. nullopt if more
  /// than most_needed are needed.
  std::optional<std::size_t> needed;
};

/// The comparison of a candidate with the base.
struct candidate_result {
  std::string name;
  std::size_t blocks = 0;                     // 0: nothing is paired
  std::size_t base_runs = 0, other_runs = 0;  // that were used
  std::vector<metric_result> metrics;         // in the order of the declared metrics
  conclusion outcome = conclusion::cannot_tell;

  [[nodiscard]] bool paired() const noexcept { return blocks > 0; }
  /// Whether no metric was tested because a group has one run only, or there is only one block.
  [[nodiscard]] bool descriptive() const noexcept;
  /// The reason why it is descriptive, as a clause: "new has one run only". Empty if it is not.
  [[nodiscard]] std::string reason_of_description(const std::string& base_name) const;
};

struct comparison_result {
  std::vector<compared_metric> metrics;
  std::string base;
  comparison_settings settings;
  std::vector<candidate_result> candidates;  // in the order of the input

  /// The number of tests in Holm's correction: metrics times candidates.
  [[nodiscard]] std::size_t tests() const noexcept { return metrics.size() * candidates.size(); }
};

/// The largest number of blocks that metric_result::needed has.
inline constexpr std::size_t most_needed = 10'000;

/// Throws base::error if there is no metric or no candidate, if a run has another number of values
/// than there are metrics, if a block has a run that does not exist or that another block has, and
/// if a setting is outside its range.
[[nodiscard]] comparison_result compare(const comparison_input& input);

/// The same without p_sign_flip, found_80, found_90 and needed, which take most of the time. For
/// simulations.
[[nodiscard]] comparison_result verdicts_of(const comparison_input& input);

/// The exit status of `--gate`: 5 if a metric of a candidate is slower, also if others are faster;
/// else 6 if the verdict on a metric of a candidate is "cannot tell"; else 0. So 0 says that every
/// declared metric was told, and none is slower.
[[nodiscard]] int gate_status(const comparison_result& result) noexcept;

}  // namespace inferbench::comparison
