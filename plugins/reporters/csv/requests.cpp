#include "requests.hpp"

#include <string>

#include <inferbench/json_writer.hpp>
#include <inferbench/views.hpp>

#include "reporters/common/clean_text.hpp"
#include "reporters/common/request_times.hpp"

namespace reporters {
namespace {

constexpr const char* columns[] = {"sequence",        "id",
                                   "session",         "turn",
                                   "server",          "status",
                                   "http_status",     "started",
                                   "due_ms",          "start_ms",
                                   "tls_ms",          "connected_ms",
                                   "sent_ms",         "first_byte_ms",
                                   "first_token_ms",  "first_text_ms",
                                   "first_answer_ms", "last_token_ms",
                                   "last_text_ms",    "end_ms",
                                   "ttft_ms",         "tpot_ms",
                                   "e2el_ms",         "client_queue_time_ms",
                                   "longest_gap_ms",  "events",
                                   "sample_tokens",   "input_tokens",
                                   "output_tokens",   "wanted_tokens",
                                   "cached_tokens",   "reasoning_tokens",
                                   "bytes_sent",      "bytes_received",
                                   "finish_reason",   "error",
                                   "attributes"};

std::optional<std::int64_t> as_signed(std::optional<std::uint64_t> ns) {
  if (!ns) return std::nullopt;
  return static_cast<std::int64_t>(*ns);
}

void count(csv_lines& out, std::int64_t value) {
  if (value < 0)
    out.empty();
  else
    out.number(value);
}
void count(csv_lines& out, std::uint64_t value) { out.number(static_cast<std::int64_t>(value)); }

/// Appends the attributes as a JSON object; an empty cell if there are none.
void attributes(csv_lines& out, const ifb_record& r, bool texts) {
  ifb::json_writer json;
  bool any = false;
  json.begin_object();
  for (const ifb_field& each : ifb::attributes_of(r)) {
    if (!texts && is_text_attribute(ifb::view(each.name))) continue;
    json.member(ifb::view(each.name), ifb::view(each.value));
    any = true;
  }
  json.end_object();
  if (any)
    out.text(json.text());
  else
    out.empty();
}

}  // namespace

void add_request_names(csv_lines& out, const csv_run& run) {
  for (const char* name : columns)
    out.name(name);
  if (run.texts) out.name("text");
  out.end_line();
}

void add_request(csv_lines& out, const ifb_record& r, const csv_run& run) {
  const auto stamp = [&](std::uint64_t at) { out.ms(relative(at, run.started_ns)); };
  const request_latencies times = latencies_of(r, run.pooling);
  count(out, r.sequence);
  out.text(ifb::view(r.id));
  out.text(ifb::view(r.session));
  if (r.session.size > 0)
    count(out, std::uint64_t{r.turn});
  else
    out.empty();
  count(out, std::uint64_t{r.server});
  out.name(status_class(r.status));
  count(out, std::uint64_t{r.http_status});
  out.name(utc_text(run.started_unix_ns + static_cast<std::int64_t>(r.start_ns - run.started_ns)));
  for (const std::uint64_t at : {r.due_ns, r.start_ns, r.tls_ns, r.connected_ns, r.sent_ns,
                                 r.first_byte_ns, r.first_token_ns, r.first_text_ns,
                                 r.first_answer_ns, r.last_token_ns, r.last_text_ns, r.end_ns})
    stamp(at);
  out.ms(as_signed(times.ttft_ns));
  if (times.tpot_ns)
    out.number(*times.tpot_ns / 1e6);
  else
    out.empty();
  out.ms(as_signed(times.e2el_ns));
  out.ms(relative(r.start_ns, r.due_ns));
  out.ms(as_signed(times.longest_gap_ns));
  count(out, static_cast<std::uint64_t>(r.token_count));
  for (const std::int64_t tokens : {r.sample_tokens, r.prompt_tokens, r.output_tokens,
                                    r.wanted_tokens, r.cached_tokens, r.reasoning_tokens})
    count(out, tokens);
  count(out, r.bytes_sent);
  count(out, r.bytes_received);
  out.text(ifb::view(r.finish_reason));
  out.text(clean_line(ifb::view(r.error), longest_error));
  attributes(out, r, run.texts);
  if (run.texts) out.text(ifb::view(r.text));
  out.end_line();
}

}  // namespace reporters
