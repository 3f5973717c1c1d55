#include "metrics/goal_result.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include <inferbench/json_writer.hpp>

namespace inferbench::metrics {
namespace {

constexpr const char* at_level = "at 99 %";
static_assert(confidence::level == 0.99, "the text names the level");

void take_value(const goal& of, double value, goal_result& into) {
  into.value = value;
  into.passed = holds(value, of.rel, of.limit);
}

std::string count_text(double count) { return fmt::format("{:.0f}", std::floor(count)); }

/// Why the sample does not prove what the value shows.
std::string unproved(const confidence::exceedance& sample, bool passed) {
  if (sample.share <= 0)
    return "no sample proves a limit that every request has to keep; use a percentile";
  const double over = passed ? std::ceil(sample.over / sample.correlation_time)
                             : std::floor(sample.over / sample.correlation_time);
  std::string out =
      fmt::format("{} independent values, {} of them beyond the limit, do not prove it {}",
                  count_text(sample.effective()), count_text(over), at_level);
  if (!passed) return out;
  if (const auto least = confidence::needed(over, sample.share))
    out += fmt::format("; {} independent values would", count_text(*least));
  return out;
}

}  // namespace

goal_result result_of(const goal& of) {
  goal_result out;
  out.goal = of.text();
  out.figure = of.figure->name;
  out.statistic = of.statistic_text();
  out.relation = text_of(of.rel);
  out.unit = of.unit();
  out.limit = of.limit;
  return out;
}

goal_result unreadable(const std::string& text, std::string reason) {
  goal_result out;
  out.goal = text;
  out.reason = std::move(reason);
  return out;
}

std::string missing_text(std::string_view figure) {
  if (figure == "correct_rate")
    return "no answer was scored, because the run has no scorer; give --scorer";
  return fmt::format("this run does not have the figure {}{}", figure,
                     figure == "request_goodput" ? "; give --goodput" : "");
}

void decide(const goal& of, double value, std::string reason, goal_result& into) {
  take_value(of, value, into);
  into.certain = false;
  into.reason = std::move(reason);
}

void decide(const goal& of, double value, const confidence::exceedance& sample, goal_result& into) {
  take_value(of, value, into);
  into.count = static_cast<std::uint64_t>(sample.count);
  into.effective_count = sample.effective();
  into.certain = into.passed ? sample.proves_less() : sample.proves_more();
  into.reason = into.certain ? std::string() : unproved(sample, into.passed);
}

void decide_mean(const goal& of, double value, std::uint64_t count,
                 const std::optional<confidence::mean_estimate>& estimate, goal_result& into) {
  take_value(of, value, into);
  into.count = count;
  if (!estimate) {
    into.reason =
        count < confidence::least_for_mean
            ? fmt::format("{} values are too few; {} are needed", count, confidence::least_for_mean)
            : "the values depend on one another over too long a time";
    return;
  }
  into.effective_count = estimate->effective_count;
  // A limit from above is proved by the upper bound, and its failure by the lower bound.
  const bool upward = is_upper(of.rel) == into.passed;
  const double bound = value + (upward ? estimate->half_width : -estimate->half_width);
  into.certain = holds(bound, of.rel, of.limit) == into.passed;
  if (!into.certain)
    into.reason = fmt::format("the true mean may be {:.4g} {} {}", bound, of.unit(), at_level);
}

namespace {

bool fails(const goal_result& each, bool certain) {
  return !each.passed || (certain && !each.certain);
}

}  // namespace

bool any_fails(std::span<const goal_result> results, bool certain) noexcept {
  return std::ranges::any_of(results,
                             [&](const goal_result& each) { return fails(each, certain); });
}

std::string failed_text(std::span<const goal_result> results, bool certain) {
  std::string out;
  std::size_t count = 0;
  for (const goal_result& each : results) {
    if (!fails(each, certain)) continue;
    out += count++ == 0 ? ": " : ", ";
    out += each.goal;
    if (each.passed) out += " (not certain)";
  }
  return fmt::format("{} {} failed{}", count, count == 1 ? "goal" : "goals", out);
}

void write(ifb::json_writer& out, std::span<const goal_result> results) {
  out.begin_array();
  for (const goal_result& each : results) {
    out.begin_object();
    out.member("goal", each.goal);
    out.member("figure", each.figure);
    out.member("statistic", each.statistic);
    out.member("relation", each.relation);
    out.member("limit", each.limit);
    out.member("unit", each.unit);
    out.key("value");
    if (each.value)
      out.number(*each.value);
    else
      out.null();
    out.member("passed", each.passed);
    out.member("certain", each.certain);
    out.key("count");
    if (each.count)
      out.integer(static_cast<std::int64_t>(*each.count));
    else
      out.null();
    out.key("effective_count");
    if (each.effective_count)
      out.number(*each.effective_count);
    else
      out.null();
    out.key("reason");
    if (each.reason.empty())
      out.null();
    else
      out.string(each.reason);
    out.end_object();
  }
  out.end_array();
}

}  // namespace inferbench::metrics
