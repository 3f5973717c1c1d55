// What the figures need of one request: its times, and the most that the client itself can have
// added to them. Which latencies these make is written once here, for the figures and for their
// bounds.
#pragma once

#include <algorithm>
#include <cstdint>

#include "client/record.hpp"
#include "metrics/table.hpp"

namespace inferbench::metrics {

/// client::lateness of a request, ns. A value too large for its place is `more`.
struct client_error {
  static constexpr std::uint32_t more = UINT32_MAX;  // that or more: any part of the time

  std::uint32_t launch = 0;
  std::uint32_t sending = 0;
  // Of the stamps of that name; `last` is that of `end` where there is no stream.
  std::uint32_t first = 0, last = 0;
  std::uint32_t first_text = 0, first_answer = 0;
};

/// One request that was sent.
struct request_times {
  std::uint64_t sequence = 0;
  std::uint64_t due = 0, start = 0, sent = 0, end = 0;
  // The rest belongs to successes, but for `error.launch` and `error.sending`.
  std::uint64_t first = 0, last = 0;  // stream events; start when there was none
  std::uint64_t first_text = 0, first_answer = 0;
  client_error error = {};
  std::uint32_t input = 0, output = 0;  // tokens
  std::uint32_t events = 0;             // of the stream; none of a pooling request
  bool ok = false;
  bool unknown = false;  // nobody can say what the client added to its stamps
};

[[nodiscard]] request_times times_of(const client::record& record, bool pooling);

/// A time between two stamps, or one of `parts` equal parts of it, and the most that it can be
/// too long or too short because of the client itself, ns of the whole.
struct latency {
  std::uint64_t from = 0, to = 0;
  std::uint64_t parts = 1;
  std::uint64_t too_long = 0, too_short = 0;
  bool unknown = false;  // nobody can say; the two are of no use

  /// The least and the most that it can have been; no time becomes negative by it.
  [[nodiscard]] latency shortened() const noexcept {
    latency out = *this;
    if (to > from) out.to -= std::min(too_long, to - from);
    return out;
  }
  [[nodiscard]] latency lengthened() const noexcept {
    latency out = *this;
    out.to += too_short;
    return out;
  }
};

/// Calls visit(metric, latency) for each figure in which the request has a part, apart from the
/// gaps of its stream. e2el_including_client_queue is e2el_from_due. `paced`: context::paced();
/// otherwise nothing was due at a time of its own, and the client was late for nothing.
template <typename visitor>
void latencies_of(const request_times& f, bool pooling, bool paced, visitor&& visit) {
  const auto of = [](std::uint32_t late, std::uint64_t from, std::uint64_t to) -> std::uint64_t {
    return late == client_error::more ? to - std::min(from, to) : late;
  };
  const std::uint64_t launch = paced ? of(f.error.launch, f.due, f.start) : 0;
  if (f.sent != 0) visit(metric::send_lag, latency{f.due, f.sent, 1});
  if (!f.ok) return;
  const auto add = [&](metric id, std::uint64_t from, std::uint64_t to, std::uint32_t late,
                       std::uint64_t before) {
    // A delay of sending may go on beyond the first byte, so no stamp but `to` limits it.
    const std::uint64_t sending = of(f.error.sending, f.start, to);
    visit(id, latency{from, to, 1, before + sending + of(late, f.start, to), 0, f.unknown});
  };
  const std::uint64_t last = pooling ? f.end : f.last;
  add(metric::e2el, f.start, last, f.error.last, 0);
  visit(metric::client_queue_time, latency{f.due, f.start, 1, launch});
  add(metric::e2el_from_due, f.due, last, f.error.last, launch);
  if (pooling) return;
  add(metric::ttft, f.start, f.first, f.error.first, 0);
  if (f.first_text != 0)
    add(metric::ttft_from_due, f.due, f.first_text, f.error.first_text, launch);
  else
    add(metric::ttft_from_due, f.due, f.first, f.error.first, launch);
  if (f.output > 1) {
    latency part{f.first, f.last, f.output - 1, 0, 0, f.unknown};
    if (f.events > 1) {
      part.too_long = of(f.error.last, f.start, f.last);
      part.too_short = of(f.error.first, f.start, f.first);
    }
    visit(metric::tpot, part);
  }
  if (f.first_text != 0) add(metric::ttft_text, f.start, f.first_text, f.error.first_text, 0);
  if (f.first_answer != 0)
    add(metric::ttft_answer, f.start, f.first_answer, f.error.first_answer, 0);
}

}  // namespace inferbench::metrics
