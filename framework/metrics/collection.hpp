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

#include "metrics/peaks.hpp"
#include "metrics/series.hpp"

namespace inferbench::metrics {

/// One request that was sent.
struct request_times {
  std::uint64_t sequence = 0;
  std::uint64_t due = 0, start = 0, sent = 0, end = 0;
  // The rest belongs to successes.
  std::uint64_t first = 0, last = 0;  // stream events; start when there was none
  std::uint64_t first_text = 0, first_answer = 0;
  std::uint32_t input = 0, output = 0;  // tokens
  std::uint32_t events = 0;             // of the stream; none of a pooling request
  bool ok = false;
};

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
    if (f.sent != 0) lag.add(f.due, f.sent);
    if (!f.ok) return;
    const std::uint64_t last = pooling ? f.end : f.last;
    e2el.add(f.start, last);
    queue.add(f.due, f.start);
    due_e2el.add(f.due, last);
    served.add({f.start, last});
    if (pooling) return;
    ttft.add(f.start, f.first);
    due_ttft.add(f.due, f.first);
    if (f.output > 1) tpot.add_part(f.first, f.last, f.output - 1);
    if (f.first_text != 0) text.add(f.start, f.first_text);
    if (f.first_answer != 0) answer.add(f.start, f.first_answer);
    if (is_good(f)) ++good;
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
