#include "metrics/bounds.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/histogram.hpp"
#include "metrics/quantiles.hpp"
#include "metrics/series.hpp"

namespace inferbench::metrics {
namespace {

/// The doubts about the values of a figure.
struct doubts {
  std::uint64_t values = 0;
  std::uint64_t unknown = 0;
  bool too_long = false, too_short = false;
};

/// Calls visit(latency) for each value of a figure.
template <typename visitor>
void each_latency(const context& run, const kept_requests& from, metric id, visitor&& visit) {
  from.rows.for_each([&](const request_times& r) {
    latencies_of(r, run.pooling, run.paced(), [&](metric of, const latency& l) {
      if (of == id) visit(l);
    });
  });
}

/// `changed` answers the latency that takes the place of one.
template <typename function>
statistics describe_latencies(const context& run, const kept_requests& from, const summary& of,
                              function&& changed) {
  exact_series values;
  values.reserve(from.rows.size());
  each_latency(run, from, series_of(of.id), [&](const latency& found) {
    const latency l = changed(found);
    values.add_part(l.from, l.to, l.parts);
  });
  return values.describe(of.percentiles);
}

/// `changed` answers what takes the place of a gap: of (gap, too long, too short), ns.
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

doubts doubts_of_latencies(const context& run, const kept_requests& from, metric id) {
  doubts out;
  each_latency(run, from, id, [&](const latency& l) {
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
  // Sums of the same values in another order differ in their last digit, which is far below a ns.
  constexpr double noise_ns = 1e-3;
  const auto between = [](double figure, double less, double more) -> figure_bound {
    const double ns = std::max(figure - less, more - figure) * 1e6;
    return {figure, std::ceil(std::max(ns - noise_ns, 0.0)) / 1e6};
  };
  error_bound out{of.id, of.shown, 0, {}, {}, {}};
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

std::vector<summary> doubtful_summaries(const context& run) {
  std::vector<summary> out = summaries_of(run);
  std::erase_if(out, [](const summary& one) { return one.id == metric::send_lag; });
  return out;
}

std::vector<error_bound> exact_bounds(const context& run, const kept_requests& from) {
  std::vector<error_bound> out;
  for (const summary& s : doubtful_summaries(run)) {
    const bool gaps = s.id == metric::itl;
    const doubts d = gaps ? doubts_of_gaps(from) : doubts_of_latencies(run, from, series_of(s.id));
    if (d.values == 0) continue;
    if (d.unknown != 0 || (!d.too_long && !d.too_short)) {
      const statistics nothing = nothing_of(s);
      out.push_back(bound_between(s, nothing, nothing, nullptr));
      out.back().unknown = d.unknown;
      continue;
    }
    statistics found, shorter, longer;
    if (gaps) {
      using ns = std::uint64_t;
      found = describe_gaps(from, s, [](ns gap, ns, ns) { return gap; });
      shorter =
          describe_gaps(from, s, [](ns gap, ns late, ns) { return gap - std::min(gap, late); });
      if (d.too_short)
        longer = describe_gaps(from, s, [](ns gap, ns, ns early) { return gap + early; });
    } else {
      found = describe_latencies(run, from, s, [](const latency& l) { return l; });
      shorter = describe_latencies(run, from, s, [](const latency& l) { return l.shortened(); });
      if (d.too_short)
        longer = describe_latencies(run, from, s, [](const latency& l) { return l.lengthened(); });
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
