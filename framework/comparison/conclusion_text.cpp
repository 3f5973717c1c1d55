// The sentences of a conclusion: comparison_text.hpp declares the functions.
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/text.hpp"
#include "comparison/comparison_text.hpp"
#include "comparison/number_text.hpp"

namespace inferbench::comparison {
namespace {

std::string opening(const comparison_result& all, const candidate_result& of) {
  const std::string base = base::one_line(all.base), other = base::one_line(of.name);
  const std::string margin = share_text(all.settings.same_within);
  switch (of.outcome) {
    case conclusion::same:
      return fmt::format("{} is the same as {} within {}", other, base, margin);
    case conclusion::faster: return fmt::format("{} is faster than {}", other, base);
    case conclusion::slower: return fmt::format("{} is slower than {}", other, base);
    case conclusion::mixed:
      return fmt::format("Mixed: {} is faster than {} in some metrics and slower in others", other,
                         base);
    case conclusion::cannot_tell: break;
  }
  return fmt::format("Cannot tell whether {} or {} is faster", other, base);
}

/// "faster on P99 TTFT (-2.40 %), mean TPOT (-3.10 %)"; empty if no metric has the verdict.
std::string metrics_with(const comparison_result& all, const candidate_result& of, verdict value) {
  std::string out;
  for (std::size_t i = 0; i < of.metrics.size(); ++i) {
    const metric_result& metric = of.metrics[i];
    if (metric.outcome != value) continue;
    out += (out.empty() ? "" : ", ") + all.metrics[i].title;
    if (metric.ratio) out += " (" + change_text(*metric.ratio) + ")";
  }
  if (out.empty()) return out;
  return fmt::format("{} on {}", name_of(value), out);
}

/// The metric with the smallest or the largest value of found_80; nullptr if none has a value.
template <typename order>
const metric_result* extreme_of(const candidate_result& of, order&& before) {
  const metric_result* out = nullptr;
  for (const metric_result& metric : of.metrics)
    if (metric.found_80 && (out == nullptr || before(*metric.found_80, *out->found_80)))
      out = &metric;
  return out;
}

std::string title_of(const comparison_result& all, const candidate_result& of,
                     const metric_result* metric) {
  return all.metrics[static_cast<std::size_t>(metric - of.metrics.data())].title;
}

std::string missed_text(const comparison_result& all, const candidate_result& of) {
  const metric_result* least = extreme_of(of, [](double a, double b) { return a < b; });
  const metric_result* most = extreme_of(of, [](double a, double b) { return a > b; });
  if (least == nullptr) return "how small a difference they show is not known";
  if (least == most || share_text(*least->found_80) == share_text(*most->found_80))
    return fmt::format(
        "true differences of less than {} would have been missed in more than 20 % of such "
        "comparisons",
        share_text(*least->found_80));
  return fmt::format(
      "true differences of less than {} ({}) to {} ({}) would have been missed in more than 20 % "
      "of such "
      "comparisons",
      share_text(*least->found_80), title_of(all, of, least), share_text(*most->found_80),
      title_of(all, of, most));
}

std::string observations_text(const comparison_result& all, const candidate_result& of) {
  if (of.paired()) return fmt::format("{} of four runs", counted(of.blocks, "block"));
  return fmt::format("{} of {} and {} of {}", counted(of.base_runs, "run"),
                     base::one_line(all.base), of.other_runs, base::one_line(of.name));
}

/// The metrics of the first candidate that has such metrics, for the line of the gate.
std::string first_with(const comparison_result& result, verdict value) {
  for (const candidate_result& candidate : result.candidates)
    if (const std::string metrics = metrics_with(result, candidate, value); !metrics.empty())
      return fmt::format("{}: {}", base::one_line(candidate.name), metrics);
  return "";
}

}  // namespace

std::string conclusion_line(const comparison_result& result, const candidate_result& candidate) {
  if (candidate.descriptive())
    return fmt::format(
        "No verdict on {} against {}, because {}: the figures are a description, and "
        "how small a difference they show is not known. A verdict needs at least two {}.",
        base::one_line(candidate.name), base::one_line(result.base),
        base::one_line(candidate.reason_of_description(result.base)),
        candidate.paired() ? "blocks" : "runs of each group");
  std::string out = opening(result, candidate);
  std::string_view separator = ": ";
  for (const verdict value :
       {verdict::slower, verdict::faster, verdict::same, verdict::cannot_tell})
    if (const std::string metrics = metrics_with(result, candidate, value); !metrics.empty()) {
      out += separator;
      out += metrics;
      separator = "; ";
    }
  return fmt::format("{}. This rests on {}; {}.", out, observations_text(result, candidate),
                     missed_text(result, candidate));
}

std::string gate_line(const comparison_result& result) {
  const int status = gate_status(result);
  const std::string slower = first_with(result, verdict::slower);
  if (!slower.empty()) return fmt::format("Gate: exit status {}, because of {}", status, slower);
  const std::string untold = first_with(result, verdict::cannot_tell);
  if (!untold.empty()) return fmt::format("Gate: exit status {}, because of {}", status, untold);
  return fmt::format("Gate: passed, because every metric was told and none is slower ({})",
                     counted(result.tests(), "test"));
}

}  // namespace inferbench::comparison
