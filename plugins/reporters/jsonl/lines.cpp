#include "lines.hpp"

#include <cmath>
#include <optional>
#include <string_view>

#include <inferbench/json_writer.hpp>
#include <inferbench/views.hpp>

#include "reporters/common/json_value.hpp"
#include "reporters/common/request_times.hpp"
#include "reporters/common/statistics.hpp"

namespace reporters {
namespace {

/// The version of the layout: it grows if a member changes its meaning, not if members are added.
constexpr int layout = 1;

template <typename number>
void optional_member(ifb::json_writer& out, std::string_view name,
                     const std::optional<number>& value) {
  out.key(name);
  if (value)
    out.integer(*value);
  else
    out.null();
}

void count_member(ifb::json_writer& out, std::string_view name, std::int64_t value) {
  optional_member(out, name, value < 0 ? std::nullopt : std::optional(value));
}

void text_member(ifb::json_writer& out, std::string_view name, ifb_str text) {
  out.key(name);
  if (text.size == 0)
    out.null();
  else
    out.string(ifb::view(text));
}

void write_stamps(ifb::json_writer& out, const ifb_record& r, std::uint64_t started_ns) {
  const auto stamp = [&](std::string_view name, std::uint64_t at) {
    optional_member(out, name, relative(at, started_ns));
  };
  stamp("due_ns", r.due_ns);
  stamp("start_ns", r.start_ns);
  stamp("tls_ns", r.tls_ns);
  stamp("connected_ns", r.connected_ns);
  stamp("sent_ns", r.sent_ns);
  stamp("first_byte_ns", r.first_byte_ns);
  stamp("first_token_ns", r.first_token_ns);
  stamp("first_text_ns", r.first_text_ns);
  stamp("first_answer_ns", r.first_answer_ns);
  stamp("last_token_ns", r.last_token_ns);
  stamp("last_text_ns", r.last_text_ns);
  stamp("end_ns", r.end_ns);
}

void write_latencies(ifb::json_writer& out, const ifb_record& r, bool pooling) {
  const request_latencies times = latencies_of(r, pooling);
  optional_member(out, "ttft_ns", times.ttft_ns);
  out.key("tpot_ns");
  if (times.tpot_ns)
    out.number(*times.tpot_ns);
  else
    out.null();
  optional_member(out, "e2el_ns", times.e2el_ns);
  optional_member(out, "longest_gap_ns", times.longest_gap_ns);
}

void write_counts(ifb::json_writer& out, const ifb_record& r) {
  out.member("events", r.token_count);
  count_member(out, "sample_tokens", r.sample_tokens);
  count_member(out, "input_tokens", r.prompt_tokens);
  count_member(out, "output_tokens", r.output_tokens);
  count_member(out, "wanted_tokens", r.wanted_tokens);
  count_member(out, "cached_tokens", r.cached_tokens);
  count_member(out, "reasoning_tokens", r.reasoning_tokens);
  out.member("bytes_sent", r.bytes_sent);
  out.member("bytes_received", r.bytes_received);
}

void write_attributes(ifb::json_writer& out, const ifb_record& r, bool texts) {
  out.key("attributes");
  out.begin_object();
  for (const ifb_field& each : ifb::attributes_of(r))
    if (texts || !is_text_attribute(ifb::view(each.name)))
      out.member(ifb::view(each.name), ifb::view(each.value));
  out.end_object();
}

void write_gaps(ifb::json_writer& out, const ifb_record& r) {
  out.key("itl_ns");
  out.begin_array();
  const auto stamps = ifb::stamps_of(r);
  for (std::size_t i = 1; i < stamps.size(); ++i)
    out.integer(stamps[i] > stamps[i - 1] ? stamps[i] - stamps[i - 1] : 0);
  out.end_array();
}

void write_figure(ifb::json_writer& out, const ifb_metric& m) {
  out.key(m.name);
  const auto number = [&](double value) {
    if (has(m, IFB_METRIC_INTEGER) && std::abs(value) < 9e15)
      out.integer(std::llround(value));
    else
      out.number(value);
  };
  if (!has(m, IFB_METRIC_SUMMARY)) return number(m.value);
  out.begin_object();
  out.member("unit", m.unit);
  for_each_statistic(m, [&](std::string_view statistic, double value) {
    out.key(statistic);
    if (statistic == "count")
      out.integer(m.count);
    else
      out.number(value);
  });
  out.end_object();
}

}  // namespace

std::string first_line(const ifb_run& run) {
  ifb::json_writer out;
  out.begin_object();
  out.member("format", "inferbench-requests");
  out.member("layout", layout);
  out.member("run", ifb::view(run.name));
  out.member("started_unix_ns", run.started_unix_ns);
  out.key("description");
  write(out, description_of(ifb::view(run.config_json)));
  out.key("config");
  write(out, plan_of(ifb::view(run.config_json)));
  out.key("environment");
  write(out, parse_object(ifb::view(run.environment_json)));
  out.end_object();
  return out.take() + '\n';
}

void add_request_line(std::string& to, const ifb_record& r, std::uint64_t started_ns, bool pooling,
                      const jsonl_content& content) {
  ifb::json_writer out;
  out.begin_object();
  out.member("sequence", r.sequence);
  text_member(out, "id", r.id);
  text_member(out, "session", r.session);
  out.member("turn", r.turn);
  out.member("server", r.server);
  out.member("status", status_class(r.status));
  out.member("http_status", r.http_status);
  write_stamps(out, r, started_ns);
  write_latencies(out, r, pooling);
  write_counts(out, r);
  text_member(out, "finish_reason", r.finish_reason);
  text_member(out, "error", r.error);
  write_attributes(out, r, content.text);
  if (content.itl) write_gaps(out, r);
  if (content.text) out.member("text", ifb::view(r.text));
  out.end_object();
  to += out.text();
  to += '\n';
}

std::string last_line(const ifb_summary& summary) {
  ifb::json_writer out;
  out.begin_object();
  out.key("summary");
  out.begin_object();
  for (const ifb_metric& m : ifb::metrics_of(summary))
    write_figure(out, m);
  out.end_object();
  out.key("facts");
  write(out, parse_object(ifb::view(summary.facts_json)));
  out.member("interrupted", (summary.flags & IFB_SUMMARY_INTERRUPTED) != 0);
  out.member("finished_unix_ns", summary.finished_unix_ns);
  out.end_object();
  return out.take() + '\n';
}

}  // namespace reporters
