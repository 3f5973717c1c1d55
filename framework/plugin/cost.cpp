#include "plugin/cost.hpp"

#include <algorithm>

#include "base/clock.hpp"

namespace inferbench::plugin {

namespace {

constexpr std::uint64_t longest_ns = 10 * base::ns_per_s;  // a longer call counts as 10 s
constexpr std::uint64_t bytes_a_unit = 1000;

// The time between two readings of the clock in immediate succession. Each timed call seems longer
// by this time.
std::uint64_t own_cost() {
  std::uint64_t least = UINT64_MAX;
  const base::monotonic_clock clock;
  for (int i = 0; i < 100; ++i) {
    const std::uint64_t before = clock.now();
    least = std::min(least, clock.now() - before);
  }
  return least;
}

/// Whether a unit of the call is a byte of text. The costs of such calls are reported for 1,000
/// bytes.
bool takes_text(call which) { return which == call::count || which == call::encode; }

}  // namespace

void cost_sheet::expect(call which) {
  tally& of = tallies_[static_cast<std::size_t>(which)];
  const std::lock_guard lock(of.mutex);
  of.ns.reserve(longest_ns);
}

void cost_sheet::add(call which, std::uint64_t ns, std::uint64_t units) noexcept {
  if (units == 0) return;
  static const std::uint64_t clock_ns = own_cost();
  const std::uint64_t net = ns - std::min(ns, clock_ns);
  tally& of = tallies_[static_cast<std::size_t>(which)];
  const std::lock_guard lock(of.mutex);
  of.timed.fetch_add(1, std::memory_order_relaxed);
  of.ns.add(std::min(net * (takes_text(which) ? bytes_a_unit : 1) / units, longest_ns), units);
}

std::vector<call_cost> cost_sheet::take() {
  std::vector<call_cost> out;
  for (std::size_t i = 0; i < call_kinds; ++i) {
    tally& of = tallies_[i];
    const std::lock_guard lock(of.mutex);
    const std::uint64_t timed = of.timed.exchange(0, std::memory_order_relaxed);
    if (timed != 0)
      out.push_back(
          {static_cast<call>(i), timed, of.ns.mean(), of.ns.percentile(50), of.ns.percentile(99)});
    of.ns.clear();
  }
  return out;
}

std::uint64_t crossing::now() noexcept { return base::monotonic_clock().now(); }

}  // namespace inferbench::plugin
