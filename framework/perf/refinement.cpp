#include "perf/refinement.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "options/node.hpp"
#include "perf/json_lines.hpp"

namespace inferbench::perf {

namespace {

/// The member of the result or of its object `metrics` as a finite number.
std::optional<double> finite_member(const ifb::json_value& result, std::string_view object,
                                    std::string_view name) {
  for (const ifb::json_value* const from : {&result, ifb::find(&result, "metrics")}) {
    const ifb::json_value* const in = object.empty() ? from : ifb::find(from, object);
    const ifb::json_value* const value = ifb::find(in, name);
    if (value != nullptr && value->IsNumber() && std::isfinite(value->GetDouble()))
      return value->GetDouble();
  }
  return std::nullopt;
}

/// The statistic, "p99" or "mean", of a latency, "ttft".
std::optional<double> statistic(const ifb::json_value& result, std::string_view which,
                                const std::string& latency) {
  if (const auto flat = finite_member(result, {}, std::string(which) + "_" + latency + "_ms"); flat)
    return flat;
  return finite_member(result, latency + "_ms", which);
}

std::optional<double> ttft_of(const ifb::json_value& result) {
  const auto p99 = statistic(result, "p99", "ttft");
  return p99 ? p99 : statistic(result, "mean", "ttft");
}

std::optional<double> tpot_of(const ifb::json_value& result) {
  if (const auto p99 = statistic(result, "p99", "tpot"); p99) return p99;
  const auto mean = statistic(result, "mean", "tpot");
  return mean ? mean : statistic(result, "mean", "itl");
}

/// A search in progress.
class range_search {
 public:
  range_search(std::span<const judged_point> points, const refinement_rule& rule,
               const std::function<point_verdict(std::int64_t)>& probe)
      : points_(points), rule_(rule), probe_(probe), range_(range_of(points)), left_(rule.probes) {}

  passing_range carried_out() {
    if (!range_.last_pass) return range_;
    if (range_.first_fail)
      bisect();
    else
      extend();
    return range_;
  }

 private:
  void bisect() {
    while (*range_.last_pass + 1 < *range_.first_fail)
      if (!looked_at(*range_.last_pass + (*range_.first_fail - *range_.last_pass) / 2)) return;
  }

  void extend() {
    std::int64_t at = points_.back().concurrency;
    std::int64_t step = points_.size() > 1 ? at - points_[points_.size() - 2].concurrency
                                           : points_.back().concurrency;
    while (at < rule_.largest_concurrency) {
      at = step < rule_.largest_concurrency - at ? at + step : rule_.largest_concurrency;
      if (!looked_at(at)) return;
      if (range_.first_fail) return bisect();
      step = std::min(step, rule_.largest_concurrency) * 2;
    }
  }

  /// Moves an end of the range to the concurrency; false if the search is over.
  bool looked_at(std::int64_t concurrency) {
    if (left_ <= 0) return false;
    --left_;
    const point_verdict verdict = probe_(concurrency);
    if (verdict == point_verdict::unknown) return false;
    (verdict == point_verdict::passed ? range_.last_pass : range_.first_fail) = concurrency;
    return true;
  }

  std::span<const judged_point> points_;
  const refinement_rule& rule_;
  const std::function<point_verdict(std::int64_t)>& probe_;
  passing_range range_;
  int left_;
};

options::node number_or_null(const std::optional<std::int64_t>& value) {
  return value ? options::node::of(*value) : options::node{};
}

}  // namespace

point_verdict judged(const ifb::json_value& result, const latency_limits& limits) {
  const ifb::json_value* const completed = ifb::find(&result, "completed");
  if (completed != nullptr && completed->IsNumber() && completed->GetDouble() == 0)
    return point_verdict::unknown;
  const auto ttft = ttft_of(result);
  const auto tpot = tpot_of(result);
  if (!ttft || !tpot) return point_verdict::unknown;
  return *ttft <= limits.ttft_ms && *tpot <= limits.tpot_ms ? point_verdict::passed
                                                            : point_verdict::failed;
}

passing_range range_of(std::span<const judged_point> points) {
  passing_range out;
  for (const judged_point& each : points) {
    if (each.verdict == point_verdict::passed) out.last_pass = each.concurrency;
    if (each.verdict != point_verdict::failed || !out.last_pass) continue;
    out.first_fail = each.concurrency;
    break;
  }
  return out;
}

passing_range refined(std::span<const judged_point> points, const refinement_rule& rule,
                      const std::function<point_verdict(std::int64_t)>& probe) {
  return range_search(points, rule, probe).carried_out();
}

std::string summary_text(const std::string& test, const std::string& rate,
                         const latency_limits& limits, const passing_range& listed,
                         const passing_range& found) {
  using options::node;
  node out = node::table();
  out.set("test_name", node::of(test));
  out.set("qps", node::of(rate));
  out.set("sla_ttft_ms", node::of(limits.ttft_ms));
  out.set("sla_tpot_ms", node::of(limits.tpot_ms));
  out.set("static_last_pass", number_or_null(listed.last_pass));
  out.set("static_first_fail", number_or_null(listed.first_fail));
  out.set("final_last_pass", number_or_null(found.last_pass));
  out.set("final_first_fail", number_or_null(found.first_fail));
  return json_lines(out);
}

}  // namespace inferbench::perf
