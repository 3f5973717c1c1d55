#include "metrics/request_times.hpp"

#include <algorithm>

#include "metrics/late_tape.hpp"

namespace inferbench::metrics {
namespace {

constexpr auto index(arrival which) { return static_cast<std::size_t>(which); }

std::uint32_t short_of(std::uint64_t ns) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(ns, request_times::more));
}

/// The lateness of a stamp at `to`, in ns.
std::uint64_t limit(std::uint32_t late, std::uint64_t from, std::uint64_t to) {
  return late == request_times::more ? to - std::min(from, to) : late;
}

/// The most that the client can have added between the start and an arrival.
std::uint64_t too_long(const request_times& of, arrival to) {
  const std::uint64_t at = of.at(to);
  // Sending may be delayed even after the first byte, so only the stamp `to` limits the delay.
  return limit(of.late_sending, of.start, at) + limit(of.late[index(to)], of.start, at);
}

std::uint64_t late_launch(const request_times& of) {
  return limit(of.late_launch, of.due, of.start);
}

/// Finds the lateness of each arrival. Several events may have the same stamp as the first text or
/// answer, and it is not known which event had the text. So the largest lateness of these events
/// counts.
void find_lates(request_times& to, const client::record& record) {
  late_reader lates(record);
  std::uint32_t most = 0;
  std::size_t event = 0;
  std::array<bool, arrivals> found = {true, true};
  record.tokens.for_each([&](std::uint64_t at) {
    const std::uint32_t late = lates.next();
    most = std::max(most, late);
    if (event++ == 0) to.late[index(arrival::first)] = late;
    to.late[index(arrival::last)] = late;
    for (const arrival each : {arrival::first_text, arrival::first_answer})
      if (at == to.at(each)) {
        found[index(each)] = true;
        to.late[index(each)] = std::max(to.late[index(each)], late);
      }
  });
  // A stamp that does not belong to any event. Only a damaged record has such a stamp.
  for (std::size_t i = 0; i < arrivals; ++i)
    if (!found[i]) to.late[i] = most;
}

std::uint64_t stamp_or_none(std::uint64_t at) { return at == 0 ? request_times::none : at; }

}  // namespace

std::uint32_t limited_count(std::int64_t value) noexcept {
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(value, 0, UINT32_MAX));
}

std::optional<latency> request_times::from_start(arrival to) const noexcept {
  if (!has(to)) return std::nullopt;
  return latency{start, at(to), 0, too_long(*this, to), 0, unknown};
}

std::optional<latency> request_times::from_due(arrival to) const noexcept {
  if (!has(to)) return std::nullopt;
  return latency{due, at(to), 0, metrics::late_launch(*this) + too_long(*this, to), 0, unknown};
}

std::optional<latency> request_times::part(arrival from, arrival to,
                                           std::uint64_t parts) const noexcept {
  if (!has(from) || !has(to)) return std::nullopt;
  latency out{at(from), at(to), parts, 0, 0, unknown};
  // If there is only one event, `from` and `to` are the same stamp.
  if (events > 1) {
    out.too_long = limit(late[index(to)], start, at(to));
    out.too_short = limit(late[index(from)], start, at(from));
  }
  return out;
}

std::optional<latency> request_times::waited() const noexcept {
  if (!ok) return std::nullopt;
  return latency{due, start, 0, metrics::late_launch(*this)};
}

std::optional<latency> request_times::sent_after_due() const noexcept {
  if (sent == none) return std::nullopt;
  return latency{due, sent};
}

request_times times_of(const client::record& record, const request_kind& kind) {
  request_times out;
  out.sequence = record.sequence;
  out.due = record.due_ns;
  out.start = record.start_ns;
  out.sent = stamp_or_none(record.sent_ns);
  out.end = std::max(record.end_ns, record.start_ns);
  out.late_launch = kind.paced ? short_of(record.late.launch_ns) : 0;
  out.late_sending = short_of(record.late.sending_ns);
  if (!record.session.empty())
    out.turn = static_cast<std::uint16_t>(std::min<std::uint32_t>(record.turn, UINT16_MAX - 1) + 1);
  out.ok = record.ok();
  if (!out.ok) return out;
  out.unknown = record.late.unknown;
  out.input = limited_count(record.prompt_tokens);
  out.output = limited_count(record.output_tokens);
  const auto set = [&](arrival which, std::uint64_t at) { out.arrived[index(which)] = at; };
  if (kind.pooling || record.tokens.empty())
    out.late[index(arrival::last)] = short_of(record.late.end_ns);
  if (kind.pooling) {
    set(arrival::last, out.end);
    return out;
  }
  set(arrival::first_text, stamp_or_none(record.first_text_ns));
  set(arrival::first_answer, stamp_or_none(record.first_answer_ns));
  if (record.tokens.empty()) {
    set(arrival::first, record.start_ns);
    set(arrival::last, record.start_ns);
    return out;
  }
  set(arrival::first, record.tokens.front());
  set(arrival::last, record.tokens.back());
  out.events = static_cast<std::uint32_t>(record.tokens.size());
  if (!record.late.events.empty() && !record.late.unknown) find_lates(out, record);
  return out;
}

}  // namespace inferbench::metrics
