#include "metrics/bounds.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include <fmt/format.h>

#include "base/histogram.hpp"
#include "metrics/quantiles.hpp"
#include "metrics/series.hpp"

namespace inferbench::metrics {
namespace {

/// Whether the values of a figure can be off because of the client: the number of values, the
/// number of answers with stamps of unknown lateness, and whether any value can be too long or too
/// short.
struct doubts {
  std::uint64_t values = 0;
  std::uint64_t unknown = 0;
  bool too_long = false, too_short = false;
};

/// Calls visit(latency) for each value of a computation.
template <typename visitor>
void each_latency(const kept_requests& requests, of_request of, visitor&& visit) {
  requests.rows.for_each([&](const request_times& r) {
    if (const auto value = of(r)) visit(*value);
  });
}

/// The statistics of changed values: each latency is replaced by changed(latency).
template <typename function>
statistics describe_latencies(const kept_requests& requests, of_request of,
                              std::span<const double> percentiles, function&& changed) {
  exact_series values;
  values.reserve(requests.rows.size());
  each_latency(requests, of,
               [&](const latency& found) { values.add(std::invoke(changed, found)); });
  return values.describe(percentiles);
}

/// The statistics of changed gaps: each gap is replaced by changed(gap, too_long, too_short). All
/// are in ns.
template <typename function>
statistics describe_gaps(const kept_requests& from, const summary& of, function&& changed) {
  const auto each = [&](auto&& visit) {
    from.for_each_gap([&](std::uint64_t gap, std::uint64_t too_long, std::uint64_t too_short) {
      visit(changed(gap, too_long, too_short));
    });
  };
  base::histogram counts;
  exact_sum sum;
  each([&](std::uint64_t gap) {
    counts.add(gap);
    sum.add(ms(0, gap));
  });
  statistics out;
  out.count = static_cast<std::size_t>(counts.count());
  out.mean = sum.value() / static_cast<double>(out.count);
  find_quantiles(out, counts, of.percentiles, each);
  return out;
}

doubts doubts_of_gaps(const kept_requests& from) {
  doubts out;
  out.values = from.gaps.size();
  from.rows.for_each([&](const request_times& r) {
    if (r.events > 1 && r.unknown) ++out.unknown;
  });
  if (!from.lates.empty())
    from.for_each_gap([&](std::uint64_t, std::uint64_t too_long, std::uint64_t too_short) {
      out.too_long |= too_long != 0;
      out.too_short |= too_short != 0;
    });
  return out;
}

doubts doubts_of_latencies(const kept_requests& from, of_request of) {
  doubts out;
  each_latency(from, of, [&](const latency& l) {
    ++out.values;
    out.unknown += l.unknown ? 1U : 0U;
    out.too_long |= l.too_long != 0;
    out.too_short |= l.too_short != 0;
  });
  return out;
}

statistics nothing_of(const summary& of) {
  statistics out;
  out.quantiles.assign(of.percentiles.size(), 0.0);
  return out;
}

}  // namespace

error_bound bound_between(const summary& of, const statistics& found, const statistics& shorter,
                          const statistics* longer) {
  // Sums of the same values in different orders differ in the last digit, by much less than a ns.
  constexpr double noise_ns = 1e-3;
  const auto between = [](double figure, double less, double more) -> figure_bound {
    const double ns = std::max(figure - less, more - figure) * 1e6;
    return {figure, std::ceil(std::max(ns - noise_ns, 0.0)) / 1e6};
  };
  error_bound out{of.row->id, of.shown, 0, {}, {}, {}};
  out.mean = between(found.mean, shorter.mean, longer == nullptr ? found.mean : longer->mean);
  out.median =
      between(found.median, shorter.median, longer == nullptr ? found.median : longer->median);
  for (std::size_t i = 0; i < of.percentiles.size(); ++i) {
    const double figure = found.quantiles[i];
    const double more = longer == nullptr ? figure : longer->quantiles[i];
    out.percentiles.emplace_back(of.percentiles[i], between(figure, shorter.quantiles[i], more));
  }
  return out;
}

std::vector<summary> doubtful_summaries(const context& run, definitions from) {
  std::vector<summary> out = summaries_of(run, from);
  std::erase_if(out, [](const summary& each) { return each.row->own_delay; });
  return out;
}

std::vector<error_bound> exact_bounds(const context& run, definitions from,
                                      const kept_requests& requests) {
  std::vector<error_bound> out;
  for (const summary& s : doubtful_summaries(run, from)) {
    const auto* of = std::get_if<of_request>(&s.row->how);
    const doubts d = of == nullptr ? doubts_of_gaps(requests) : doubts_of_latencies(requests, *of);
    if (d.values == 0) continue;
    if (d.unknown != 0 || (!d.too_long && !d.too_short)) {
      const statistics nothing = nothing_of(s);
      out.push_back(bound_between(s, nothing, nothing, nullptr));
      out.back().unknown = d.unknown;
      continue;
    }
    statistics found, shorter, longer;
    if (of == nullptr) {
      using ns = std::uint64_t;
      const auto describe = [&](auto&& changed) { return describe_gaps(requests, s, changed); };
      found = describe([](ns gap, ns, ns) { return gap; });
      shorter = describe([](ns gap, ns late, ns) { return gap - std::min(gap, late); });
      if (d.too_short) longer = describe([](ns gap, ns, ns early) { return gap + early; });
    } else {
      const auto describe = [&](auto&& changed) {
        return describe_latencies(requests, *of, s.percentiles, changed);
      };
      found = describe([](const latency& value) { return value; });
      shorter = describe(&latency::shortened);
      if (d.too_short) longer = describe(&latency::lengthened);
    }
    out.push_back(bound_between(s, found, shorter, d.too_short ? &longer : nullptr));
  }
  return out;
}

std::vector<printed_bound> printed_bounds(std::span<const error_bound> all) {
  std::vector<printed_bound> out;
  for (const error_bound& each : all) {
    if (each.unknown != 0 || each.shown == printed::nothing) continue;
    const auto add = [&](const std::string& which, const figure_bound& bound) {
      out.push_back({which + ' ' + define(each.of).label, bound,
                     bound.ms / std::max(tolerated_share * bound.figure, tolerated_ms)});
    };
    const bool whole = each.shown == printed::all;
    if (whole) add("mean", each.mean);
    add("median", each.median);
    for (const auto& [percentile, bound] : each.percentiles)
      if (whole || percentile == 99) add(fmt::format("P{}", percentile), bound);
  }
  return out;
}

std::string percentile_key(double percentile) { return fmt::format("p{}", percentile); }

}  // namespace inferbench::metrics
