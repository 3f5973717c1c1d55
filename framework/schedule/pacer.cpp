#include "schedule/pacer.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "base/text.hpp"
#include "schedule/gaps.hpp"
#include "schedule/pattern_text.hpp"

namespace inferbench::schedule {

namespace {

constexpr std::size_t most_changes = 100'000;

/// Draws the due times of a pattern, in seconds. The times are doubles, like the sums in upstream.
class draw {
 public:
  draw(const pace& of, std::uint64_t count) : gaps_(of.burstiness, of.seed), at_(count, 0.0) {}

  void operator()(const at_once&) {}

  void operator()(const constant& of) {
    const double sum = add_intervals([&](std::uint64_t) { return of.rate; });
    const double last = static_cast<double>(at_.size()) / of.rate;
    last_ = std::isfinite(sum) ? last : sum;
    const double stretch = sum == 0 ? 1.0 : last / sum;
    for (double& each : at_)
      each *= stretch;
  }

  void operator()(const ramp& of) {
    last_ = add_intervals([&](std::uint64_t i) { return rate_at(of, i, at_.size()); });
  }

  void operator()(const auto& over_time) {
    const double sum = add_intervals([](std::uint64_t) { return 1.0; });
    if (!std::isfinite(sum)) {
      last_ = sum;
      return;
    }
    for (double& each : at_)
      last_ = each = std::max(last_, time_of(over_time, each));
  }

  /// The last due time. It is not finite if the times could not be computed.
  [[nodiscard]] double last() const noexcept { return last_; }
  [[nodiscard]] const std::vector<double>& times() const noexcept { return at_; }

 private:
  /// Sets each due time to the sum of the intervals up to it, and returns the last due time.
  /// `rate(i)`: the rate of request i.
  template <typename function>
  double add_intervals(function&& rate) {
    double sum = 0;
    for (std::uint64_t i = 0; i < at_.size(); ++i) {
      sum += gaps_.next(rate(i));
      at_[i] = sum;
    }
    return sum;
  }

  gaps gaps_;
  std::vector<double> at_;
  double last_ = 0;
};

/// Texts for the error message: the traffic for which no schedule is possible, and its flag.
struct source_of {
  struct words {
    std::string what, flag;
  };
  words operator()(const at_once&) const { return {"an infinite rate", "--request-rate"}; }
  words operator()(const constant& of) const {
    return {"the rate " + base::shortest(of.rate), "--request-rate"};
  }
  words operator()(const ramp& of) const {
    return {"rates from " + base::shortest(of.start), "--ramp-up-start-rps"};
  }
  words operator()(const auto& of) const { return {"the traffic " + text_of(of), "--traffic"}; }
};

base::error no_schedule(const pace& pace, std::uint64_t count) {
  const auto [what, flag] = std::visit(source_of{}, pace.traffic);
  return base::error("no schedule of " + std::to_string(count) + " requests can be made of " +
                         what + " and the burstiness " + base::shortest(pace.burstiness),
                     "give larger ones with " + flag + " and --burstiness");
}

}  // namespace

std::vector<std::uint64_t> due_times(const pace& pace, std::uint64_t count) {
  if (count == 0) return {};
  draw drawn(pace, count);
  std::visit(drawn, pace.traffic);
  if (!std::isfinite(drawn.last()) || drawn.last() > longest_s) throw no_schedule(pace, count);
  std::vector<std::uint64_t> due;
  due.reserve(count);
  for (const double at : drawn.times())
    due.push_back(static_cast<std::uint64_t>(std::llround(at * 1e9)));
  return due;
}

std::vector<rate_change> rate_changes(const pattern& traffic, std::span<const std::uint64_t> due) {
  const auto* growth = std::get_if<ramp>(&traffic);
  if (growth == nullptr) return {};
  const auto whole = [](double rate) { return static_cast<std::uint64_t>(std::min(rate, 1e15)); };
  std::uint64_t reached = whole(growth->start);
  std::vector<rate_change> out{{reached, 0}};
  for (std::uint64_t i = 0; i < due.size(); ++i) {
    const std::uint64_t now = whole(rate_at(*growth, i, due.size()));
    while (reached < now && out.size() < most_changes)
      out.push_back({++reached, due[i]});
  }
  return out;
}

}  // namespace inferbench::schedule
