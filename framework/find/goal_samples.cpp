#include "find/goal_samples.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <variant>

#include "base/error.hpp"
#include "metrics/latency.hpp"
#include "metrics/table.hpp"

namespace inferbench::find {

namespace {

using metrics::goal;
using statistic = metrics::goal::statistic;

[[noreturn]] void refuse(const std::string& goal, const std::string& why,
                         const std::string& remedy) {
  throw base::error("goal \"" + goal + "\": " + why, remedy);
}

/// The share that a percentage leaves up to 100 %, or the percentage itself, without the error of
/// the subtraction: 0.1 and not 0.0999... for 90 %.
double share_of(double percentage, bool rest) {
  constexpr double places = 1e12;
  return std::round((rest ? 100 - percentage : percentage) / 100 * places) / places;
}

sampled_goal sampled(const std::string& given) {
  sampled_goal out;
  out.of = metrics::parse_goal(given);
  out.text = out.of.text();
  out.upper = metrics::is_upper(out.of.rel);
  out.limit = out.of.limit;
  const metrics::definition& figure = *out.of.figure;
  const bool gaps = std::holds_alternative<metrics::of_gaps>(figure.how);
  const bool values = std::holds_alternative<metrics::of_request>(figure.how);
  switch (out.of.of) {
    case statistic::share:
      out.allowed = share_of(out.limit, !out.upper);
      if (!(out.allowed > 0) || !(out.allowed < 1))
        refuse(out.text, "no number of requests can prove it", "allow a share, such as failed<=1%");
      return out;
    case statistic::percentile:
      if (!gaps && !values) break;
      // The values on the wrong side of the percentile's limit.
      out.allowed = share_of(out.of.percentile, out.upper);
      if (!(out.allowed > 0) || !(out.allowed < 1))
        refuse(out.text, "no number of requests can prove it",
               "use a percentile below 100, such as " + std::string(figure.name) + ".p99");
      if (gaps) {
        // The gaps of an answer depend on each other, so the answer is the unit of the sample.
        out.by = sampling::mean;
        out.limit = out.allowed;
        out.upper = true;
      }
      return out;
    case statistic::mean:
      if (!gaps && !values) break;
      out.by = sampling::mean;
      return out;
    case statistic::value:
      if (figure.amount == nullptr) break;
      out.by = sampling::rate;
      return out;
    default: break;
  }
  refuse(out.text, "a search cannot judge it, because it is no property of single requests",
         "use a percentile, a mean, a share such as failed<=1%, or a rate such as "
         "output_throughput>=500");
}

/// The share of the gaps between events that are beyond the limit, or their mean in ms; nullopt
/// without gaps.
std::optional<double> gaps_of(const goal& of, const client::record& record) {
  std::uint64_t count = 0;
  std::uint64_t beyond = 0;
  double sum_ms = 0;
  std::uint64_t last = 0;
  bool first = true;
  record.tokens.for_each([&](std::uint64_t at) {
    if (!first) {
      const double gap = metrics::ms(last, at);
      ++count;
      sum_ms += gap;
      if (!metrics::holds(gap, of.rel, of.limit)) ++beyond;
    }
    first = false;
    last = at;
  });
  if (count == 0) return std::nullopt;
  const double all = static_cast<double>(count);
  return of.of == statistic::mean ? sum_ms / all : static_cast<double>(beyond) / all;
}

}  // namespace

goal_samples::goal_samples(std::span<const std::string> goals, const metrics::limits& goodput,
                           const metrics::request_kind& kind)
    : good_(metrics::table(), goodput), kind_(kind) {
  for (const std::string& each : goals) {
    sampled_goal one = sampled(each);
    // A goal that is given twice counts once: each part costs evidence.
    if (std::ranges::find(goals_, one.text, &sampled_goal::text) != goals_.end()) continue;
    goals_.push_back(std::move(one));
    if (goals_.back().of.figure->needs_limits && goodput.empty())
      refuse(goals_.back().text, "the limits of a good request are not given",
             "add --goodput ttft:200 or other limits");
  }
}

goal_sample goal_samples::sample(const sampled_goal& goal, const client::record& record,
                                 const metrics::request_times& times) const {
  goal_sample out;
  const metrics::definition& figure = *goal.of.figure;
  if (goal.by == sampling::rate) {
    out.has_value = true;
    out.value = times.ok ? figure.amount(record, times, good_) : 0;
    return out;
  }
  if (goal.of.of == statistic::share) {
    out.has_value = true;
    out.over = figure.counted(times, good_) == metrics::is_upper(goal.of.rel);
    return out;
  }
  if (!times.ok) {
    out.has_value = goal.by == sampling::share;
    out.over = true;
    return out;
  }
  std::optional<double> value;
  if (const auto* how = std::get_if<metrics::of_request>(&figure.how)) {
    if (const auto found = (*how)(times)) value = found->value_ms();
  } else {
    value = gaps_of(goal.of, record);
  }
  if (!value) return out;
  out.has_value = true;
  out.value = *value;
  if (goal.by == sampling::share) out.over = !metrics::holds(*value, goal.of.rel, goal.of.limit);
  return out;
}

std::vector<goal_sample> goal_samples::of(const client::record& record) const {
  const metrics::request_times times = metrics::times_of(record, kind_);
  std::vector<goal_sample> out;
  out.reserve(goals_.size());
  for (const sampled_goal& goal : goals_)
    out.push_back(sample(goal, record, times));
  return out;
}

std::optional<std::vector<goal_sample>> goal_samples::of_cancelled(
    const client::record& record) const {
  client::record ended = record;
  ended.status = IFB_OK;
  ended.tokens.push(record.end_ns);
  if (ended.output_tokens >= 0) ++ended.output_tokens;
  if (ended.first_text_ns == 0) ended.first_text_ns = record.end_ns;
  if (ended.first_answer_ns == 0) ended.first_answer_ns = record.end_ns;
  const metrics::request_times times = metrics::times_of(ended, kind_);
  std::vector<goal_sample> out;
  for (const sampled_goal& goal : goals_) {
    goal_sample one;
    if (goal.by == sampling::share) {
      // A request that was cut off says nothing about shares of failures and successes.
      // A time that may still grow is not yet below a lower limit.
      if (goal.of.of == statistic::percentile && goal.upper) one = sample(goal, ended, times);
      if (!one.has_value || !one.over) return std::nullopt;
    }
    out.push_back(one);
  }
  return out;
}

}  // namespace inferbench::find
