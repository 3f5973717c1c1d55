// Runs with known differences, for the error rates of a comparison. Values for each run, in the
// order of time A B B A A B B A ..., are exp(common of the block + noise of the run + effect) times
// the drift. The noise of a run has the standard deviation of a block: D is half the sum of four.
// Used by the tests and by bench/paired_comparison.cpp.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "comparison/comparison.hpp"

namespace inferbench::comparison {

/// The form of the noise; each has the mean 0 and the same standard deviation.
enum class noise_form : std::uint8_t { normal, heavy_tails, skewed };

struct simulated_session {
  std::size_t metrics = 4;
  std::size_t blocks = 8;
  double deviation = 0.015;    // of blocks
  double common = 0.03;        // the deviation of the part that all runs of a block share
  double candidate_noise = 1;  // the deviation of runs of the candidate, relative to the base
  double correlation = 0.6;    // of the noise of two metrics
  double drift = 0;            // the relative growth from the first run to the last
  noise_form form = noise_form::normal;
  std::vector<double> effects;  // the logarithm of candidate / base for each metric; missing: 0
  comparison_settings settings;
  bool paired = true;  // false: the same runs without their blocks
};

/// Makes sessions with fixed pseudo-random numbers. Used by one thread.
class session_source {
 public:
  explicit session_source(std::uint64_t seed) : random_(seed) {}

  [[nodiscard]] comparison_input next(const simulated_session& of) {
    comparison_input out;
    out.settings = of.settings;
    for (std::size_t m = 0; m < of.metrics; ++m) {
      const std::string name = "m" + std::to_string(m);
      out.metrics.push_back({name, name, "ms", false});
    }
    out.base.name = "base";
    compared_candidate& candidate = out.candidates.emplace_back();
    candidate.group.name = "new";
    const double last = static_cast<double>(4 * of.blocks - 1);
    for (std::size_t block = 0; block < of.blocks; ++block) {
      const double common = of.common * normal_(random_);
      for (std::size_t place = 0; place < 4; ++place) {
        const bool is_candidate = place == 1 || place == 2;
        const double at = static_cast<double>(4 * block + place) / last;
        compared_run run{"run", {}};
        const double shared = noise(of.form);
        for (std::size_t m = 0; m < of.metrics; ++m) {
          const double own = noise(of.form);
          const double sum =
              std::sqrt(of.correlation) * shared + std::sqrt(1 - of.correlation) * own;
          const double deviation = of.deviation * (is_candidate ? of.candidate_noise : 1);
          const double effect = is_candidate && m < of.effects.size() ? of.effects[m] : 0;
          run.values.push_back((1 + of.drift * at) * std::exp(common + deviation * sum + effect));
        }
        (is_candidate ? candidate.group : out.base).runs.push_back(run);
      }
      const std::size_t first = 2 * block;
      if (of.paired) candidate.blocks.push_back({{first, first + 1}, {first, first + 1}});
    }
    return out;
  }

 private:
  /// Noise with the mean 0 and the variance 1.
  double noise(noise_form form) {
    constexpr double degrees = 5;
    if (form == noise_form::heavy_tails)
      return student_(random_) / std::sqrt(degrees / (degrees - 2));
    if (form == noise_form::skewed) return exponential_(random_) - 1;
    return normal_(random_);
  }

  std::mt19937_64 random_;
  std::normal_distribution<double> normal_;
  std::student_t_distribution<double> student_{5};
  std::exponential_distribution<double> exponential_{1};
};

/// The number of times that verdicts were given in simulated comparisons.
struct verdict_counts {
  std::size_t trials = 0;
  std::size_t any_difference = 0;    // trials with a "faster" or "slower" on any metric
  std::size_t other_difference = 0;  // the same on any metric but the first
  std::size_t first_slower = 0;      // trials with a "slower" on the first metric
  std::size_t first_same = 0;        // trials with "same" on the first metric
  std::size_t any_same = 0;          // trials with "same" on any metric
  std::size_t all_same = 0;          // trials with the conclusion "same"
  std::size_t first_faster = 0;      // trials with a "faster" on the first metric

  void add(const candidate_result& of) {
    bool other = false, same = false;
    const verdict first = of.metrics.front().outcome;
    for (const metric_result& metric : of.metrics) {
      same = same || metric.outcome == verdict::same;
      if (&metric != of.metrics.data()) other = other || is_difference(metric.outcome);
    }
    ++trials;
    any_difference += other || is_difference(first) ? 1U : 0U;
    other_difference += other ? 1U : 0U;
    first_slower += first == verdict::slower ? 1U : 0U;
    first_faster += first == verdict::faster ? 1U : 0U;
    first_same += first == verdict::same ? 1U : 0U;
    any_same += same ? 1U : 0U;
    all_same += of.outcome == conclusion::same ? 1U : 0U;
  }
  [[nodiscard]] double share(std::size_t number) const {
    return static_cast<double>(number) / static_cast<double>(trials);
  }

 private:
  static bool is_difference(verdict value) {
    return value == verdict::faster || value == verdict::slower;
  }
};

inline verdict_counts count_verdicts(const simulated_session& session, std::size_t trials,
                                     std::uint64_t seed) {
  session_source source(seed);
  verdict_counts out;
  for (std::size_t i = 0; i < trials; ++i)
    out.add(verdicts_of(source.next(session)).candidates.front());
  return out;
}

}  // namespace inferbench::comparison
