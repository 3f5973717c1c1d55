#include "metrics/evidence.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/histogram.hpp"
#include "confidence/dependence.hpp"
#include "metrics/gap_series.hpp"
#include "metrics/latency.hpp"
#include "metrics/outcome.hpp"

namespace inferbench::metrics {
namespace {

using confidence::over_series;
using statistic = goal::statistic;

constexpr const char* one_value =
    "one run gives one value; repeat the run (--num-runs) to know how far it varies";

/// Whether `value` is on the wrong side of the goal's limit.
bool is_beyond(const goal& of, double value) { return !holds(value, of.rel, of.limit); }

/// The share of all values that may be beyond a limit of the percentile `p`.
double share_beyond(const goal& of, double p) {
  const double share = is_upper(of.rel) ? 1 - p / 100 : p / 100;
  // 1 - 0.99 is not the nearest number to 0.01. The difference would change the number of values
  // that are needed.
  constexpr double digits = 1e12;
  return std::round(share * digits) / digits;
}

double share_over(double p) { return share_beyond({.rel = relation::below}, p); }

/// The percentile of a goal on the minimum or maximum, too.
double percentile_of(const goal& of) {
  if (of.of == statistic::minimum) return 0;
  return of.of == statistic::maximum ? 100 : of.percentile;
}

bool is_order_statistic(const goal& of) {
  return of.of == statistic::percentile || of.of == statistic::minimum ||
         of.of == statistic::maximum;
}

double value_in(const goal& of, const statistics& values, const computed_percentiles& percentiles) {
  switch (of.of) {
    case statistic::mean: return values.mean;
    case statistic::deviation: return values.deviation;
    case statistic::minimum: return values.minimum;
    case statistic::maximum: return values.maximum;
    default: break;
  }
  const auto at = std::ranges::find(percentiles.all, of.percentile);
  return values.quantiles[static_cast<std::size_t>(at - percentiles.all.begin())];
}

/// The rank of the upper bound, counted from the highest value, which has rank 0. nullopt if the
/// sample does not bound the percentile.
std::optional<std::uint64_t> bound_rank(double count, double correlation_time, double p) {
  const auto most = confidence::most_over(count / correlation_time, share_over(p));
  if (!most) return std::nullopt;
  return static_cast<std::uint64_t>(std::min(std::floor(*most * correlation_time), count - 1));
}

/// The series of a percentile. Values equal to it count as over it, because of many equal values
/// none may be higher.
over_series series_from(std::span<const double> values, double limit) {
  over_series out;
  out.reserve(values.size());
  for (const double value : values)
    out.add(value >= limit);
  return out;
}

}  // namespace

evidence::bound& evidence::certainty::add(bound one) {
  if (one.effective_count)
    effective_count =
        std::min(*one.effective_count, effective_count.value_or(*one.effective_count));
  bounds.push_back(one);
  return bounds.back();
}

evidence::evidence(const context& run, definitions figures, order rows, const kept_requests* kept)
    : rows_(rows),
      kept_(kept),
      good_(figures, run.goodput),
      duration_s_(run.duration_s),
      no_score_(run.no_score) {
  for (const std::string& text : run.thresholds) {
    asked_goal& one = goals_.emplace_back();
    try {
      one.of = parse_goal(text, figures);
      one.result = result_of(*one.of);
    } catch (const base::error& why) {  // in a journal of another version
      one.result = unreadable(text, why.message());
    }
  }
}

computed_percentiles evidence::percentiles_for(const definition& row,
                                               std::span<const double> reported) const {
  computed_percentiles out{{reported.begin(), reported.end()}, reported.size()};
  for (const asked_goal& one : goals_)
    if (one.of && one.of->figure == &row && one.of->of == statistic::percentile &&
        std::ranges::find(out.all, one.of->percentile) == out.all.end())
      out.all.push_back(one.of->percentile);
  return out;
}

template <typename visitor>
void evidence::for_goals_of(const definition& row, visitor&& visit) {
  for (asked_goal& one : goals_) {
    if (!one.of || one.of->figure != &row) continue;
    one.decided = true;
    visit(*one.of, one.result);
  }
}

void evidence::add(const definition& row, double value, std::uint64_t sent) {
  for_goals_of(row, [&](const goal& of, goal_result& into) {
    if (of.of != statistic::share) {
      into.count = 1;
      decide(of, value, one_value, into);
      return;
    }
    if (sent == 0) {
      into.reason = "no request was sent";
      return;
    }
    into.count = sent;
    const bool per_second = std::string_view(row.unit) != "1";
    if (kept_ == nullptr) {
      const double amount = per_second ? std::round(value * duration_s_) : value;
      return decide(of, 100 * amount / number(sent), no_order, into);
    }
    over_series beyond;
    beyond.reserve(rows_.size());
    for (const request_times* r : rows_)
      beyond.add(row.counted(*r, good_) == is_upper(of.rel));
    const double share = 100 *
                         number(is_upper(of.rel) ? beyond.over() : beyond.count() - beyond.over()) /
                         number(beyond.count());
    const double allowed = is_upper(of.rel) ? of.limit / 100 : 1 - of.limit / 100;
    decide(of, share,
           confidence::exceedance{number(beyond.count()), number(beyond.over()),
                                  beyond.correlation_time(), allowed},
           into);
  });
}

bool evidence::decide_by_statistics(const goal& of, const statistics& values,
                                    const computed_percentiles& percentiles, bool exact,
                                    goal_result& into) {
  into.count = values.count;
  if (values.count == 0) {
    into.reason = fmt::format("no request has a value of {}", of.figure->name);
    return true;
  }
  if (!exact)
    decide(of, value_in(of, values, percentiles), no_order, into);
  else if (of.of == statistic::deviation)
    decide(of, values.deviation, "no bound of a standard deviation is computed", into);
  else
    return false;
  return true;
}

void evidence::add_unordered(const definition& row, const statistics& values,
                             const computed_percentiles& percentiles) {
  certainty& out = figures_.emplace_back(row.name, values.count);
  for (std::size_t i = 0; i < percentiles.reported; ++i)
    out.add({percentiles.all[i], std::nullopt, std::nullopt});
}

void evidence::add(const definition& row, of_request how, const statistics& values,
                   const computed_percentiles& percentiles) {
  const bool exact = kept_ != nullptr && values.count > 0;
  if (!exact) add_unordered(row, values, percentiles);
  std::vector<double>& series = series_;
  series.clear();
  if (exact) {
    series.reserve(values.count);
    for (const request_times* r : rows_)
      if (const auto value = how(*r)) series.push_back(value->value_ms());
  }
  const auto count = number(series.size());
  const auto time_over = [&](double limit) {
    return series_from(series, limit).correlation_time();
  };
  for_goals_of(row, [&](const goal& of, goal_result& into) {
    if (decide_by_statistics(of, values, percentiles, exact, into)) return;
    const double value = value_in(of, values, percentiles);
    if (!is_order_statistic(of))
      return decide_mean(of, value, values.count, confidence::estimate_mean(series), into);
    over_series beyond;
    beyond.reserve(series.size());
    for (const double each : series)
      beyond.add(is_beyond(of, each));
    decide(of, value,
           confidence::exceedance{count, number(beyond.over()),
                                  std::max(time_over(value), beyond.correlation_time()),
                                  share_beyond(of, percentile_of(of))},
           into);
  });
  if (!exact) return;

  certainty& out = figures_.emplace_back(row.name, values.count);
  struct wanted {
    std::size_t bound;
    std::uint64_t rank;  // ascending
  };
  std::vector<wanted> ranks;
  for (std::size_t i = 0; i < percentiles.reported; ++i) {
    const double time = time_over(values.quantiles[i]);
    out.add({percentiles.all[i], count / time, std::nullopt});
    if (const auto rank = bound_rank(count, time, percentiles.all[i]))
      ranks.push_back({i, series.size() - 1 - *rank});
  }
  std::ranges::sort(ranks, {}, &wanted::rank);
  auto from = series.begin();
  for (const wanted& each : ranks) {
    const auto at = series.begin() + static_cast<std::ptrdiff_t>(each.rank);
    if (at >= from) {
      std::nth_element(from, at, series.end());
      from = at + 1;
    }
    out.bounds[each.bound].value = *at;
  }
}

void evidence::add(const definition& row, const statistics& values,
                   const computed_percentiles& percentiles, const base::histogram* counted) {
  const bool exact = kept_ != nullptr && counted != nullptr && values.count > 0;
  if (!exact) add_unordered(row, values, percentiles);
  // The limits: the percentiles, then for each goal on an order statistic its limit.
  constexpr double ns_per_ms = 1e6;
  const auto above = [&](double ms, bool or_equal) {
    const double ns = std::clamp(ms * ns_per_ms, 0.0, 1e18);
    return static_cast<std::uint64_t>(or_equal ? std::ceil(ns) : std::floor(ns) + 1);
  };
  std::vector<gap_limit> gap_limits;
  if (exact) {
    for (const double quantile : values.quantiles)
      gap_limits.push_back({above(quantile, true)});
    for_goals_of(row, [&](const goal& of, const goal_result&) {
      const bool or_equal = of.rel == relation::below || of.rel == relation::at_least;
      if (is_order_statistic(of)) gap_limits.push_back({above(of.limit, or_equal)});
    });
    count_gaps(*kept_, gap_limits);
  }
  std::size_t next = values.quantiles.size();
  const auto count = number(values.count);
  for_goals_of(row, [&](const goal& of, goal_result& into) {
    if (decide_by_statistics(of, values, percentiles, exact, into)) return;
    const double value = value_in(of, values, percentiles);
    if (!is_order_statistic(of))
      return decide(of, value, "no bound of the mean of all gaps is computed", into);
    const gap_limit& at = gap_limits[next++];
    double time = at.correlation_time;
    if (of.of == statistic::percentile) {
      const auto place = std::ranges::find(percentiles.all, of.percentile);
      time = std::max(
          time,
          gap_limits[static_cast<std::size_t>(place - percentiles.all.begin())].correlation_time);
    }
    decide(of, value,
           confidence::exceedance{count, is_upper(of.rel) ? at.over : count - at.over, time,
                                  share_beyond(of, percentile_of(of))},
           into);
  });
  if (!exact) return;
  certainty& out = figures_.emplace_back(row.name, values.count);
  for (std::size_t i = 0; i < percentiles.reported; ++i) {
    const double time = gap_limits[i].correlation_time;
    bound& one = out.add({percentiles.all[i], count / time, std::nullopt});
    const auto rank = bound_rank(count, time, percentiles.all[i]);
    if (!rank) continue;
    // The end of the bucket is at most 0.2 % higher than the value, and a bound as well.
    const auto bucket = counted->holding(values.count - 1 - *rank);
    one.value = ms(0, std::min(bucket.first + bucket.size - 1, counted->maximum()));
  }
}

std::vector<goal_result> evidence::results() const {
  std::vector<goal_result> out;
  for (const asked_goal& one : goals_) {
    out.push_back(one.result);
    if (!one.of || one.decided) continue;
    const std::string_view figure = one.of->figure->name;
    out.back().reason =
        figure == "correct_rate" && !no_score_.empty() ? no_score_ : missing_text(figure);
  }
  return out;
}

}  // namespace inferbench::metrics
