#include "schedule/timetable.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "base/error.hpp"

namespace inferbench::schedule {

namespace {

constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

/// The due time of the next request, in seconds. `last`: the due time of the request before it.
struct next_time {
  gaps& between;
  double& sum;
  double last;

  double operator()(const at_once&) const { return 0; }
  double operator()(const constant& of) const { return sum += between.next(of.rate); }
  double operator()(const ramp&) const { return INFINITY; }  // refused by without_end()
  double operator()(const auto& over_time) const {
    sum += between.next(1.0);
    return std::isfinite(sum) ? std::max(last, time_of(over_time, sum)) : sum;
  }
};

}  // namespace

timetable timetable::without_end(const pace& of) {
  if (std::holds_alternative<ramp>(of.traffic))
    throw base::error("the rates of a ramp-up depend on the number of requests",
                      "give --num-prompts");
  timetable out;
  out.endless_ = of;
  return out;
}

std::size_t timetable::at_start() const noexcept {
  if (endless_) return paced(endless_->traffic) ? 0 : std::numeric_limits<std::size_t>::max();
  return static_cast<std::size_t>(std::ranges::upper_bound(due_, 0U) - due_.begin());
}

std::uint64_t timetable::due_before(std::uint64_t end_ns) const {
  if (!endless_)
    return static_cast<std::uint64_t>(std::ranges::lower_bound(due_, end_ns) - due_.begin());
  if (!paced(endless_->traffic)) return 0;
  timetable_walk again(*this);
  std::uint64_t count = 0;
  while (again.at(count) < end_ns)
    ++count;
  return count;
}

timetable_walk::timetable_walk(const timetable& of) : of_(of) {
  if (const std::optional<pace>& pace = of.endless())
    drawn_.emplace(drawing{pace->traffic, gaps(pace->burstiness, pace->seed)});
}

void timetable_walk::drawing::next() {
  const double at = std::visit(next_time{between, sum, last}, traffic);
  ++count;
  // The comparison is false for NaN, too.
  if (latest_ns == never || !(at <= longest_s)) {
    latest_ns = never;
    return;
  }
  last = at;
  latest_ns = static_cast<std::uint64_t>(std::llround(at * 1e9));
}

std::uint64_t timetable_walk::at(std::uint64_t n) {
  if (!drawn_) return of_.times()[static_cast<std::size_t>(n)];
  while (drawn_->count <= n)
    drawn_->next();
  return drawn_->latest_ns;
}

}  // namespace inferbench::schedule
