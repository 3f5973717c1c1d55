#include "metrics/bounded_bounds.hpp"

#include <algorithm>
#include <cmath>

#include "metrics/late_tape.hpp"

namespace inferbench::metrics {
namespace {

const bounded_series& values_of(const collection<bounded_figures>& all, metric id) {
  return id == metric::itl ? all.itl : all.of(id);
}

void put(bounded_series& to, metric id, const latency& value) {
  if (id == metric::tpot)
    to.add_part(value.from, value.to, value.parts);
  else
    to.add(value.from, value.to);
}

std::unique_ptr<bounded_series> copy_of(const bounded_series& values) {
  return std::make_unique<bounded_series>(values);
}

/// Makes a bound hold although both percentiles that it lies between are off by error(). The larger
/// one is no more than the figure and the bound together.
void widen(figure_bound& bound) {
  const double more = 2 * bounded_series::error() * (bound.figure + bound.ms);
  bound.ms = std::ceil((bound.ms + more) * 1e6) / 1e6;
}

}  // namespace

void bounded_bounds::add(const client::record& record, const request_times& times,
                         const figures& all) {
  latencies_of(times, pooling_, paced_, [&](metric id, const latency& found) {
    shadows& to = of(id);
    to.unknown += found.unknown ? 1U : 0U;
    if (found.too_long != 0 && to.shorter == nullptr) to.shorter = copy_of(values_of(all, id));
    if (found.too_short != 0 && to.longer == nullptr) to.longer = copy_of(values_of(all, id));
    if (to.shorter != nullptr) put(*to.shorter, id, found.shortened());
    if (to.longer != nullptr) put(*to.longer, id, found.lengthened());
  });
  if (times.events > 1) add_gaps(record, times, all);
}

void bounded_bounds::add_gaps(const client::record& record, const request_times& times,
                              const figures& all) {
  shadows& to = of(metric::itl);
  if (times.unknown) ++to.unknown;
  if (to.shorter == nullptr) {
    if (times.unknown || record.late.events.empty()) return;
    to.shorter = copy_of(all.itl);
    to.longer = copy_of(all.itl);
  }
  late_reader lates(record);
  std::uint64_t before = 0;
  std::uint64_t late_before = 0;
  bool first_event = true;
  record.tokens.for_each([&](std::uint64_t at) {
    const std::uint32_t ns = lates.next();
    const std::uint64_t late = ns == client_error::more ? at - times.start : ns;
    if (!first_event) {
      const std::uint64_t gap = at - before;
      to.shorter->add(gap - std::min(gap, late));
      to.longer->add(gap + late_before);
    }
    first_event = false;
    before = at;
    late_before = late;
  });
}

void bounded_bounds::merge(const bounded_bounds& other, const figures& ours,
                           const figures& theirs) {
  for (std::size_t i = 0; i < all_.size(); ++i) {
    const auto id = static_cast<metric>(first + i);
    const auto merge_one = [&](std::unique_ptr<bounded_series>& to, const auto& from) {
      if (to == nullptr && from == nullptr) return;
      if (to == nullptr) to = copy_of(values_of(ours, id));
      to->merge(from == nullptr ? values_of(theirs, id) : *from);
    };
    merge_one(all_[i].shorter, other.all_[i].shorter);
    merge_one(all_[i].longer, other.all_[i].longer);
    all_[i].unknown += other.all_[i].unknown;
  }
}

std::vector<error_bound> bounded_bounds::bounds(const context& run, const figures& all) const {
  std::vector<error_bound> out;
  for (const summary& s : doubtful_summaries(run)) {
    const metric id = series_of(s.id);
    const shadows& beside = of(id);
    const statistics found = values_of(all, id).describe(s.percentiles);
    if (found.count == 0) continue;
    if (beside.unknown != 0 || (beside.shorter == nullptr && beside.longer == nullptr)) {
      statistics nothing;
      nothing.quantiles.assign(s.percentiles.size(), 0.0);
      out.push_back(bound_between(s, nothing, nothing, nullptr));
      out.back().unknown = beside.unknown;
      continue;
    }
    const auto describe = [&](const std::unique_ptr<bounded_series>& values) {
      return values == nullptr ? found : values->describe(s.percentiles);
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
  std::size_t out = 0;
  for (const shadows& one : all_)
    for (const auto* each : {&one.shorter, &one.longer})
      if (*each != nullptr) out += (*each)->bytes();
  return out;
}

}  // namespace inferbench::metrics
