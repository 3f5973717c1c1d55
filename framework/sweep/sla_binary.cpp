#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.hpp"
#include "sweep/sla_search.hpp"

namespace inferbench::sweep {

namespace {

class binary_search {
 public:
  explicit binary_search(const sla_search_setup& setup) : setup_(setup) {}

  sla_outcome carried_out() {
    setup_.tell("[SLA START]");
    setup_.tell("SLA criteria: " + text_of(*setup_.criteria, ", "));
    const level_runs all = setup_.run(binary_search_top);
    if (!all.made) {
      if (all.left_out) return {};
      setup_.tell("Omitting SLA search.");
      setup_.tell("[SLA END]");
      return {};
    }
    out_.made = true;
    add(all.runs);
    find_bounds(first_level(all.runs));
    setup_.tell("Range of " + setup_.variable + " to search: [" + std::to_string(passing_) + ", " +
                std::to_string(failing_) + "] req/s.");
    halve();
    setup_.tell("Maximum " + setup_.variable + " for SLA: " + std::to_string(passing_) + " req/s.");
    if (passing_ > 0) out_.largest = passing_;
    tell_limits(setup_, out_.largest, !some_failed_ && !tell_top(all.runs));
    setup_.tell("[SLA END]");
    return std::move(out_);
  }

 private:
  void add(const std::vector<run_object>& runs) {
    out_.runs.insert(out_.runs.end(), runs.begin(), runs.end());
  }

  bool satisfied_at(std::int64_t level) {
    setup_.tell("Testing " + setup_.variable + ": " + std::to_string(level) + " req/s");
    const level_runs found = setup_.run(level);
    add(found.runs);
    const bool met = validated_margin(*setup_.criteria, found.runs, setup_.tell) <= 0;
    setup_.tell(met ? "SLA criteria are met." : "SLA criteria are not met.");
    some_failed_ = some_failed_ || !met;
    return met;
  }

  /// Returns whether the level that stands for infinite load, whose runs are `runs`, is above the
  /// answer, so that a level above the answer was tested. Tells the user if that level satisfies
  /// the criteria, too.
  bool tell_top(const std::vector<run_object>& runs) const {
    if (passing_ >= binary_search_top) return false;
    const auto nowhere = [](const std::string&) {};
    try {
      if (validated_margin(*setup_.criteria, runs, nowhere) > 0) return true;
    } catch (const base::error&) {
      return true;  // the level lacks the figures, so nothing is known about it
    }
    const std::string top = std::to_string(binary_search_top);
    setup_.tell(
        "Level " + top + " was tested and satisfies the criteria, too; the search answers " +
        std::to_string(passing_) + ", as upstream's does, and the true maximum may be higher.");
    return true;
  }

  std::int64_t first_level(const std::vector<run_object>& runs) {
    const auto level = static_cast<std::int64_t>(std::ceil(carried_load(runs, setup_.variable)));
    setup_.tell("Initial " + setup_.variable + " to search: " + std::to_string(level) + " req/s.");
    if (level <= 0)
      throw base::error("the server carried no load at " +
                            level_piece(setup_.variable, binary_search_top) +
                            ", so the search has no level to begin with",
                        "read the errors of the benchmark, or use --sla-search spline");
    return level;
  }

  // Doubles `level` until it does not satisfy the criteria or reaches binary_search_top. Afterwards
  // passing_ is 0 or has satisfied the criteria. failing_ has not satisfied them, except if the top
  // was reached: failing_ is then the end of the search, which may satisfy them.
  void find_bounds(std::int64_t level) {
    for (;;) {
      if (!satisfied_at(level)) {
        failing_ = level;
        return;
      }
      passing_ = level;
      level *= 2;
      if (level < binary_search_top) continue;
      failing_ = std::max(binary_search_top, passing_);
      return;
    }
  }

  // Halves the range, and ends only after this loop has tested the lower bound, too, although
  // find_bounds() has tested it: results are noisy. Upstream does so since January 2026, but not in
  // its releases 0.11 to 0.13. A lower bound that fails this second test is still the answer.
  void halve() {
    std::set<std::int64_t> visited;
    do {
      const std::int64_t middle = (passing_ + failing_) / 2;
      if (middle == 0) return;
      visited.insert(middle);
      (satisfied_at(middle) ? passing_ : failing_) = middle;
    } while (failing_ - passing_ > 1 || !visited.contains(passing_));
  }

  const sla_search_setup& setup_;
  sla_outcome out_;
  std::int64_t passing_ = 0;
  std::int64_t failing_ = 0;
  bool some_failed_ = false;
};

}  // namespace

sla_outcome search_binary(const sla_search_setup& setup) {
  return binary_search(setup).carried_out();
}

}  // namespace inferbench::sweep
