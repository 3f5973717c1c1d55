#include "metrics/bounded_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "metrics/late_tape.hpp"

namespace inferbench::metrics {
namespace {

std::unique_ptr<bounded_series> copy_of(const bounded_series& values) {
  return std::make_unique<bounded_series>(values);
}

/// Enlarges a bound so that it stays an upper bound. The bound is the difference of two
/// percentiles, and each may be off by error(). The larger percentile is at most the sum of the
/// figure and the bound.
void widen(figure_bound& bound) {
  const double more = 2 * bounded_series::error() * (bound.figure + bound.ms);
  bound.ms = std::ceil((bound.ms + more) * 1e6) / 1e6;
}

}  // namespace

void bounded_bounds::shadow::add(const latency& value, const bounded_series& values) {
  unknown += value.unknown ? 1U : 0U;
  if (value.too_long != 0 && shorter == nullptr) shorter = copy_of(values);
  if (value.too_short != 0 && longer == nullptr) longer = copy_of(values);
  if (shorter != nullptr) shorter->add(value.shortened());
  if (longer != nullptr) longer->add(value.lengthened());
}

std::size_t bounded_bounds::shadow::bytes() const noexcept {
  std::size_t out = 0;
  for (const auto* each : {&shorter, &longer})
    if (*each != nullptr) out += (*each)->bytes();
  return out;
}

void bounded_bounds::add(const client::record& record, const request_times& times,
                         const figures& all) {
  for (std::size_t i = 0; i < sets_.size(); ++i)
    if (const auto value = all.sets[i].of(times)) sets_[i].add(*value, all.sets[i].values);
  if (times.events > 1) add_gaps(record, times, all);
}

void bounded_bounds::add_gaps(const client::record& record, const request_times& times,
                              const figures& all) {
  if (times.unknown) ++gaps_.unknown;
  if (gaps_.shorter == nullptr) {
    if (times.unknown || record.late.events.empty()) return;
    gaps_.shorter = copy_of(all.gaps);
    gaps_.longer = copy_of(all.gaps);
  }
  late_reader lates(record);
  std::uint64_t before = 0;
  std::uint64_t late_before = 0;
  bool first_event = true;
  record.tokens.for_each([&](std::uint64_t at) {
    const std::uint32_t ns = lates.next();
    const std::uint64_t late = ns == request_times::more ? at - times.start : ns;
    if (!first_event) {
      const std::uint64_t gap = at - before;
      gaps_.shorter->add(gap - std::min(gap, late));
      gaps_.longer->add(gap + late_before);
    }
    first_event = false;
    before = at;
    late_before = late;
  });
}

std::vector<error_bound> bounded_bounds::bounds(const context& run, definitions from,
                                                const figures& all) const {
  std::vector<error_bound> out;
  for (const summary& s : doubtful_summaries(run, from)) {
    const auto* of = std::get_if<of_request>(&s.row->how);
    const std::size_t place = of == nullptr ? 0 : all.place_of(*of);
    const shadow& beside = of == nullptr ? gaps_ : sets_[place];
    const bounded_series& values = of == nullptr ? all.gaps : all.sets[place].values;
    const statistics found = values.describe(s.percentiles);
    if (found.count == 0) continue;
    if (beside.unknown != 0 || (beside.shorter == nullptr && beside.longer == nullptr)) {
      statistics nothing;
      nothing.quantiles.assign(s.percentiles.size(), 0.0);
      out.push_back(bound_between(s, nothing, nothing, nullptr));
      out.back().unknown = beside.unknown;
      continue;
    }
    const auto describe = [&](const std::unique_ptr<bounded_series>& changed) {
      return changed == nullptr ? found : changed->describe(s.percentiles);
    };
    const statistics shorter = describe(beside.shorter);
    const statistics longer = describe(beside.longer);
    out.push_back(bound_between(s, found, shorter, &longer));
    widen(out.back().median);
    for (auto& [percentile, bound] : out.back().percentiles)
      widen(bound);
  }
  return out;
}

std::size_t bounded_bounds::bytes() const noexcept {
  std::size_t out = gaps_.bytes();
  for (const shadow& each : sets_)
    out += each.bytes();
  return out;
}

}  // namespace inferbench::metrics
