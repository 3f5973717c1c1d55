// Collects the values of requests into sets: each request adds one value for each computation of
// the table. The same template serves exact and bounded figures, which store their values in
// different series classes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "metrics/goodput.hpp"
#include "metrics/peaks.hpp"
#include "metrics/request_times.hpp"
#include "metrics/series.hpp"
#include "metrics/table.hpp"

namespace inferbench::metrics {

template <typename kind>
class collection {
 public:
  using series = kind::values;

  /// The values of one computation, for all rows that have this computation.
  struct set {
    of_request of;
    const definition* last;  // the last row with this computation
    series values;
  };

  /// `from` are the figures. `goodput` names some of them, with limits. Seconds are counted from
  /// `origin`, ns of the host clock.
  collection(definitions from, std::uint64_t origin, const limits& goodput)
      : events_in_second(origin), tokens_in_second(origin), served(origin), good_(from, goodput) {
    for (const definition& row : from) {
      const auto* of = std::get_if<of_request>(&row.how);
      if (of == nullptr) continue;
      const std::size_t place = place_of(*of);
      if (place == sets.size()) sets.push_back({*of, &row, {}});
      sets[place].last = &row;
    }
  }

  void add(const request_times& f) {
    for (set& each : sets)
      if (const auto value = each.of(f)) each.values.add(*value);
    if (!f.ok) return;
    served.add({f.start, f.at(arrival::last)});
    if (good_.meets(f)) ++good;
  }

  /// Adds the stream of a request that succeeded and had events. `each_event(visit)` calls
  /// visit(stamp) for each event, in order of time. The number of output tokens in an event is not
  /// known, so each event gets the same share of the tokens. The share is rounded to 2^-24 of a
  /// token. Sums of rounded shares are exact, so the order of addition does not change the result.
  template <typename stamps>
  void add_events(const request_times& f, stamps&& each_event) {
    constexpr double unit = 1.0 / (1U << 24U);
    const double share =
        std::round(static_cast<double>(f.output) / static_cast<double>(f.events) / unit) * unit;
    bool first = true;
    std::uint64_t last = 0;
    each_event([&](std::uint64_t at) {
      if (!first) gaps.add(at - last);
      first = false;
      last = at;
      events_in_second.add(at, 1);
      tokens_in_second.add(at, share);
    });
  }

  /// Reserves memory for this number of requests.
  void reserve(std::size_t requests) {
    for (set& each : sets)
      each.values.reserve(requests);
  }

  /// The index in `sets` of the values of a computation; sets.size() if no set has this
  /// computation.
  [[nodiscard]] std::size_t place_of(of_request of) const noexcept {
    return static_cast<std::size_t>(std::ranges::find(sets, of, &set::of) - sets.begin());
  }

  [[nodiscard]] std::size_t bytes() const noexcept {
    std::size_t out =
        gaps.bytes() + events_in_second.bytes() + tokens_in_second.bytes() + served.bytes();
    for (const set& each : sets)
      out += each.values.bytes();
    return out;
  }

  std::vector<set> sets;  // in the order of the rows
  kind::gaps gaps;
  second_sums events_in_second, tokens_in_second;
  second_spans served;     // successful requests, from start to the last token
  std::uint64_t good = 0;  // successful requests that met every limit

 private:
  good_request good_;
};

}  // namespace inferbench::metrics
