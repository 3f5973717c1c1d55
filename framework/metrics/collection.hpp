// From requests to sets of values: what each request adds to which figure. Written
// once for exact and bounded figures, which differ in the series that they fill.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "metrics/latencies.hpp"
#include "metrics/peaks.hpp"
#include "metrics/series.hpp"

namespace inferbench::metrics {

using limits = std::vector<std::pair<std::string, double>>;  // as context::goodput

template <typename kind>
struct collection {
  using series = kind::values;

  /// Seconds count from `origin`. `goodput` must outlive this.
  collection(bool is_pooling, std::uint64_t origin, const limits& goodput)
      : pooling(is_pooling),
        goals(goodput),
        events_in_second(origin),
        tokens_in_second(origin),
        served(origin) {}

  void add(const request_times& f) {
    latencies_of(f, pooling, false, [&](metric id, const latency& l) {
      if (id == metric::tpot)
        tpot.add_part(l.from, l.to, l.parts);
      else
        of(id).add(l.from, l.to);
    });
    if (!f.ok) return;
    served.add({f.start, pooling ? f.end : f.last});
    if (!pooling && is_good(f)) ++good;
  }

  /// The stream of a request that succeeded and had events: `each_event(visit)` calls
  /// visit(stamp) for each, none before the one before it. Nobody says which event carried how
  /// many of the output tokens, so each has the same share, rounded to 2^-24 of a token: such
  /// sums are exact, so that the order of arrival changes no digit.
  template <typename stamps>
  void add_events(const request_times& f, stamps&& each_event) {
    constexpr double unit = 1.0 / (1U << 24U);
    const double share =
        std::round(static_cast<double>(f.output) / static_cast<double>(f.events) / unit) * unit;
    std::uint64_t seen = 0;
    std::uint64_t last = 0;
    each_event([&](std::uint64_t at) {
      if (seen++ > 0) itl.add(at - last);
      last = at;
      events_in_second.add(at, 1);
      tokens_in_second.add(at, share);
    });
    events += seen;
  }

  /// Makes room for `count` requests.
  void reserve(std::size_t count) {
    for (series collection::* set : sets())
      (this->*set).reserve(count);
  }

  /// `other` has the same origin, goals and kind.
  void merge(const collection& other) {
    for (series collection::* set : sets())
      (this->*set).merge(other.*set);
    itl.merge(other.itl);
    events_in_second.merge(other.events_in_second);
    tokens_in_second.merge(other.tokens_in_second);
    served.merge(other.served);
    events += other.events;
    good += other.good;
  }

  /// The series of a figure that latencies_of() names.
  [[nodiscard]] series& of(metric id) noexcept { return this->*member_of(id); }
  [[nodiscard]] const series& of(metric id) const noexcept { return this->*member_of(id); }

  [[nodiscard]] std::size_t bytes() const noexcept {
    std::size_t out =
        itl.bytes() + events_in_second.bytes() + tokens_in_second.bytes() + served.bytes();
    for (series collection::* set : sets())
      out += (this->*set).bytes();
    return out;
  }

  bool pooling;
  const limits& goals;
  kind::gaps itl;
  series ttft, tpot, e2el, queue;
  series due_ttft, due_e2el, text, answer, lag;
  second_sums events_in_second, tokens_in_second;
  second_spans served;  // successes, from start to the last token
  std::uint64_t events = 0;
  std::uint64_t good = 0;  // successes that met every goal

 private:
  static constexpr std::array<series collection::*, 9> sets() noexcept {
    return {&collection::ttft,  &collection::tpot,     &collection::e2el,
            &collection::queue, &collection::due_ttft, &collection::due_e2el,
            &collection::text,  &collection::answer,   &collection::lag};
  }
  static constexpr series collection::* member_of(metric id) noexcept {
    switch (id) {
      case metric::ttft: return &collection::ttft;
      case metric::tpot: return &collection::tpot;
      case metric::e2el: return &collection::e2el;
      case metric::client_queue_time: return &collection::queue;
      case metric::ttft_from_due: return &collection::due_ttft;
      case metric::ttft_text: return &collection::text;
      case metric::ttft_answer: return &collection::answer;
      case metric::send_lag: return &collection::lag;
      default: return &collection::due_e2el;
    }
  }
  [[nodiscard]] bool is_good(const request_times& f) const {
    return std::ranges::all_of(goals, [&](const auto& goal) {
      if (goal.first == "ttft") return ms(f.start, f.first) <= goal.second;
      if (goal.first != "tpot") return ms(f.start, f.last) <= goal.second;
      // An answer of one token has none, and so meets any.
      return f.output <= 1 ||
             ms(f.first, f.last) / static_cast<double>(f.output - 1) <= goal.second;
    });
  }
};

}  // namespace inferbench::metrics
