#include "metrics/latencies.hpp"

#include "metrics/late_tape.hpp"

namespace inferbench::metrics {
namespace {

std::uint64_t not_below_zero(std::int64_t value) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(value, 0));
}

/// Of one request: more than four thousand million tokens are a server's mistake.
std::uint32_t at_most_32_bits(std::int64_t value) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(not_below_zero(value), UINT32_MAX));
}

std::uint32_t short_of(std::uint64_t ns) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(ns, client_error::more));
}

/// The lates of the events that the figures need. Of events that share a stamp nobody says which
/// one had the first text: the latest counts.
void find_lates(request_times& to, const client::record& record) {
  late_reader lates(record);
  std::uint32_t most = 0;
  bool text = false;
  bool answer = false;
  std::size_t event = 0;
  record.tokens.for_each([&](std::uint64_t at) {
    const std::uint32_t late = lates.next();
    most = std::max(most, late);
    if (event++ == 0) to.error.first = late;
    to.error.last = late;
    if (at == to.first_text) {
      text = true;
      to.error.first_text = std::max(to.error.first_text, late);
    }
    if (at == to.first_answer) {
      answer = true;
      to.error.first_answer = std::max(to.error.first_answer, late);
    }
  });
  // A stamp that is no event's, which only a damaged record has.
  if (!text) to.error.first_text = most;
  if (!answer) to.error.first_answer = most;
}

}  // namespace

request_times times_of(const client::record& record, bool pooling) {
  request_times out;
  out.sequence = record.sequence;
  out.due = record.due_ns;
  out.start = record.start_ns;
  out.sent = record.sent_ns;
  out.end = std::max(record.end_ns, record.start_ns);
  out.error.launch = short_of(record.late.launch_ns);
  out.error.sending = short_of(record.late.sending_ns);
  out.ok = record.ok();
  if (!out.ok) return out;
  out.unknown = record.late.unknown;
  out.first_text = record.first_text_ns;
  out.first_answer = record.first_answer_ns;
  out.input = at_most_32_bits(record.prompt_tokens);
  out.output = at_most_32_bits(record.output_tokens);
  const bool streamed = !pooling && !record.tokens.empty();
  out.first = streamed ? record.tokens.front() : record.start_ns;
  out.last = streamed ? record.tokens.back() : record.start_ns;
  if (!streamed) {
    out.error.last = short_of(record.late.end_ns);
    return out;
  }
  out.events = static_cast<std::uint32_t>(record.tokens.size());
  if (!record.late.events.empty() && !record.late.unknown) find_lates(out, record);
  return out;
}

}  // namespace inferbench::metrics
