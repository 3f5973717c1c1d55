#include "comparison/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "comparison/design.hpp"
#include "comparison/difference.hpp"
#include "comparison/holm.hpp"
#include "comparison/input_check.hpp"
#include "comparison/log_values.hpp"
#include "comparison/sign_flip.hpp"

namespace inferbench::comparison {
namespace {

double geometric_mean(std::span<const double> logs) {
  return std::exp(std::accumulate(logs.begin(), logs.end(), 0.0) /
                  static_cast<double>(logs.size()));
}

/// A metric of a candidate on its way to its result.
struct metric_test {
  std::size_t metric = 0;
  metric_result* result = nullptr;
  log_values values;
  log_difference difference;
};

std::optional<log_difference> difference_of(const log_values& values, bool paired) {
  return paired ? difference_of_blocks(values.blocks)
                : difference_of_groups(values.base, values.other);
}

void write_difference(const log_difference& difference, const comparison_settings& settings,
                      metric_result& to) {
  to.ratio = std::exp(difference.mean);
  const double half = difference.half_width(settings.error_rate);
  to.low = std::exp(difference.mean - half);
  to.high = std::exp(difference.mean + half);
  to.deviation = difference.deviation();
  to.p = difference.p();
  to.p_same = difference.p_same(std::log1p(settings.same_within));
}

/// The result of a metric up to the correction for several tests. Appends the test if there is one.
void test_metric(const comparison_input& input, const compared_candidate& candidate,
                 std::size_t metric, candidate_result& of, std::vector<metric_test>& tests) {
  metric_result& to = of.metrics[metric];
  log_values values = log_values_of(input.base, candidate, metric);
  if (!values.problem.empty()) {
    to.untested = values.problem;
    return;
  }
  to.base_value = geometric_mean(values.base);
  to.other_value = geometric_mean(values.other);
  to.ratio = *to.other_value / *to.base_value;
  const auto difference = difference_of(values, !candidate.blocks.empty());
  if (!difference) {
    to.untested = of.reason_of_description(input.base.name);
    return;
  }
  write_difference(*difference, input.settings, to);
  tests.push_back({metric, &to, std::move(values), *difference});
}

verdict verdict_of(const metric_result& result, bool higher_is_better,
                   const comparison_settings& settings) {
  if (*result.p_same <= settings.same_error_rate) return verdict::same;
  if (*result.p_holm > settings.error_rate) return verdict::cannot_tell;
  return (*result.ratio > 1) == higher_is_better ? verdict::faster : verdict::slower;
}

conclusion conclusion_of(std::span<const metric_result> metrics) {
  const auto has = [&](verdict value) {
    return std::ranges::find(metrics, value, &metric_result::outcome) != metrics.end();
  };
  const bool faster = has(verdict::faster), slower = has(verdict::slower);
  if (faster && slower) return conclusion::mixed;
  if (slower) return conclusion::slower;
  if (faster) return conclusion::faster;
  return has(verdict::cannot_tell) ? conclusion::cannot_tell : conclusion::same;
}

candidate_result empty_result(const comparison_input& input, const compared_candidate& candidate) {
  candidate_result out;
  out.name = candidate.group.name;
  out.blocks = candidate.blocks.size();
  out.base_runs = out.paired() ? 2 * out.blocks : input.base.runs.size();
  out.other_runs = out.paired() ? 2 * out.blocks : candidate.group.runs.size();
  out.metrics.resize(input.metrics.size());
  return out;
}

/// The results with their verdicts. `tests` points into the results.
comparison_result tested(const comparison_input& input, std::vector<metric_test>& tests) {
  check_input(input);
  comparison_result out;
  out.metrics = input.metrics;
  out.base = input.base.name;
  out.settings = input.settings;
  // All results are there before a test points at one of them.
  for (const compared_candidate& candidate : input.candidates)
    out.candidates.push_back(empty_result(input, candidate));
  for (std::size_t c = 0; c < out.candidates.size(); ++c)
    for (std::size_t m = 0; m < out.metrics.size(); ++m)
      test_metric(input, input.candidates[c], m, out.candidates[c], tests);
  std::vector<double> p;
  for (const metric_test& test : tests)
    p.push_back(*test.result->p);
  const std::vector<double> corrected = holm(p, out.tests());
  for (std::size_t i = 0; i < tests.size(); ++i) {
    metric_result& result = *tests[i].result;
    result.p_holm = corrected[i];
    result.outcome =
        verdict_of(result, out.metrics[tests[i].metric].higher_is_better, out.settings);
  }
  for (candidate_result& candidate : out.candidates)
    candidate.outcome = conclusion_of(candidate.metrics);
  return out;
}

/// The chance of finding a difference for which the needed number of blocks is computed.
constexpr double usual_power = 0.8;

/// The number of blocks, or of runs in each group, from which constant values are told.
std::optional<std::size_t> needed_for_constants(const design& of, double chance) {
  for (std::size_t number = 2; number <= most_needed; ++number)
    if (chance_of_order(of.with(number)) <= chance) return number;
  return std::nullopt;
}

void write_power(const metric_test& test, const comparison_result& all) {
  metric_result& to = *test.result;
  const log_difference& difference = test.difference;
  const decision at = first_decision(all.settings, all.tests());
  const bool untold = to.outcome == verdict::cannot_tell;
  if (difference.constant_chance) {
    const bool inside = std::abs(difference.mean) < at.margin;
    if (untold)
      to.needed = needed_for_constants(difference.plan, inside ? at.same_alpha : at.alpha / 2);
    return;
  }
  to.found_80 = found_with(difference.plan, at, usual_power);
  to.found_90 = found_with(difference.plan, at, 0.9);
  if (untold)
    to.needed = needed_to_tell(difference.plan, difference.mean, at, usual_power, most_needed);
}

}  // namespace

bool candidate_result::descriptive() const noexcept {
  return paired() ? blocks < 2 : std::min(base_runs, other_runs) < 2;
}

std::string candidate_result::reason_of_description(const std::string& base_name) const {
  if (!descriptive()) return "";
  if (paired()) return "there is only one block";
  if (base_runs < 2 && other_runs < 2) return "each group has one run only";
  return (base_runs < 2 ? base_name : name) + " has one run only";
}

comparison_result verdicts_of(const comparison_input& input) {
  std::vector<metric_test> tests;
  return tested(input, tests);
}

comparison_result compare(const comparison_input& input) {
  std::vector<metric_test> tests;
  comparison_result out = tested(input, tests);
  for (const metric_test& test : tests) {
    test.result->p_sign_flip = sign_flip_p(test.values.blocks);
    write_power(test, out);
  }
  return out;
}

int gate_status(const comparison_result& result) noexcept {
  constexpr int status_slower = 5, status_cannot_tell = 6;
  bool untold = false;
  for (const candidate_result& candidate : result.candidates)
    for (const metric_result& metric : candidate.metrics) {
      if (metric.outcome == verdict::slower) return status_slower;
      untold = untold || metric.outcome == verdict::cannot_tell;
    }
  return untold ? status_cannot_tell : 0;
}

}  // namespace inferbench::comparison
