#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "sweep/pchip.hpp"
#include "sweep/sla_search.hpp"

namespace inferbench::sweep {

namespace {

std::string margin_text(double margin) {
  char out[400];
  std::snprintf(out, sizeof out, " (margin=%.2f)", margin);
  return out;
}

class spline_search {
 public:
  explicit spline_search(const sla_search_setup& setup) : setup_(setup) {}

  sla_outcome carried_out() {
    setup_.tell("[SLA START]");
    setup_.tell("SLA criteria: " + text_of(*setup_.criteria, ", "));
    for (const auto& [level, runs] : setup_.known)
      if (level >= lowest && !runs.empty())
        margins_[level] = validated_margin(*setup_.criteria, runs, setup_.tell);
    while (failing() - passing() > 1)
      if (!test(next())) return {};
    // Levels of an earlier search can leave level 1 untested although it is the answer.
    if (!any_passes() && !margins_.contains(lowest) && !test(lowest)) return {};
    out_.made = true;
    setup_.tell("Maximum " + setup_.variable + " for SLA: " + std::to_string(passing()) +
                " req/s.");
    if (any_passes()) out_.largest = passing();
    tell_limits(setup_, out_.largest, passing() >= highest);
    setup_.tell("[SLA END]");
    return std::move(out_);
  }

 private:
  static constexpr std::int64_t lowest = 1;
  static constexpr std::int64_t highest = spline_search_top;

  bool any_passes() const {
    return std::ranges::any_of(margins_, [](const auto& each) { return each.second <= 0; });
  }

  std::int64_t passing() const {
    std::int64_t out = lowest;
    for (const auto& [level, margin] : margins_)
      if (margin <= 0) out = level;
    return out;
  }

  std::int64_t failing() const {
    for (const auto& [level, margin] : margins_)
      if (margin > 0) return level;
    return highest;
  }

  std::int64_t next() const {
    if (margins_.empty() || margins_.rbegin()->first < highest) return highest;
    if (margins_.begin()->first > lowest) return lowest;
    const std::int64_t middle = (passing() + failing()) / 2;
    std::int64_t out = estimate().value_or(middle);
    // The criterion may also hold at the end of the part: upstream tests both sides of the root.
    if (margins_.contains(out)) ++out;
    out = std::clamp(out, lowest, highest);
    // With several levels whose margin is 0, upstream would test one level again and again. The
    // middle has not been tested.
    return margins_.contains(out) ? middle : out;
  }

  // The whole part of the root; nullopt if there is no root or if a margin is infinite.
  std::optional<std::int64_t> estimate() const {
    std::vector<double> levels;
    std::vector<double> margins;
    for (const auto& [level, margin] : margins_) {
      if (!std::isfinite(margin)) return std::nullopt;
      levels.push_back(static_cast<double>(level));
      margins.push_back(margin);
    }
    const auto root = monotone_cubic(std::move(levels), std::move(margins)).smallest_root();
    if (!root) return std::nullopt;
    return static_cast<std::int64_t>(*root);
  }

  // False in a dry run and if the combination is left out.
  bool test(std::int64_t level) {
    setup_.tell("Testing " + setup_.variable + ": " + std::to_string(level) + " req/s");
    const level_runs found = setup_.run(level);
    if (!found.made) {
      if (found.left_out) return false;
      setup_.tell("Omitting SLA search.");
      setup_.tell("[SLA END]");
      return false;
    }
    out_.runs.insert(out_.runs.end(), found.runs.begin(), found.runs.end());
    const double margin = validated_margin(*setup_.criteria, found.runs, setup_.tell);
    margins_[level] = margin;
    setup_.tell(std::string(margin <= 0 ? "SLA criteria are met." : "SLA criteria are not met.") +
                margin_text(margin));
    return true;
  }

  const sla_search_setup& setup_;
  sla_outcome out_;
  std::map<std::int64_t, double> margins_;  // of the levels that were tested
};

}  // namespace

sla_outcome search_spline(const sla_search_setup& setup) {
  return spline_search(setup).carried_out();
}

}  // namespace inferbench::sweep
