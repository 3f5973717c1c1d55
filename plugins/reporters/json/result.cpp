#include "result.hpp"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <span>

#include <inferbench/json_writer.hpp>
#include <inferbench/text.hpp>

namespace reporters {
namespace {

void set_figure(document& out, const figures& found, std::string_view name) {
  const ifb_metric* m = found.find(name);
  if (m == nullptr) return;
  if (has(*m, IFB_METRIC_INTEGER))
    out.set(name, std::int64_t{std::llround(m->value)});
  else
    out.set(name, m->value);
}

void add_run(document& out, const resolved& run, const fields& metadata, std::string_view date) {
  const auto set_or_null = [&](std::string_view name, const std::optional<std::string>& text) {
    if (text)
      out.set(name, *text);
    else
      out.set_null(name);
  };
  out.set("date", date);
  out.set("endpoint_type", run.endpoint_type);
  out.set("backend", run.backend);
  set_or_null("label", run.label);
  out.set("model_id", run.model_id);
  set_or_null("tokenizer_id", run.tokenizer_id);
  out.set("num_prompts", run.num_prompts);
  for (const auto& [key, text] : metadata)
    out.set(key, text);
  out.set("request_rate", run.request_rate);  // infinite: "inf"
  out.set("burstiness", run.burstiness);
  if (run.max_concurrency)
    out.set("max_concurrency", *run.max_concurrency);
  else
    out.set_null("max_concurrency");
}

void add_detailed_generation(document& out, const rows_in_order& rows) {
  const auto integers = [&](std::string_view name, std::int64_t detail::* member) {
    out.set_array(name, rows.size(), [&rows, member](std::size_t i, std::string& to) {
      to += std::to_string((*rows[i]->more).*member);
    });
  };
  integers("input_lens", &detail::input);
  integers("output_lens", &detail::output);
  out.set_array("ttfts", rows.size(), [&rows](std::size_t i, std::string& to) {
    append_seconds(to, rows[i]->more->ttft_ns);
  });
  out.set_array("itls", rows.size(), [&rows](std::size_t i, std::string& to) {
    to += '[';
    bool first = true;
    rows[i]->more->itl.for_each([&](std::uint64_t gap) {
      if (!first) to += ", ";
      first = false;
      append_seconds(to, gap);
    });
    to += ']';
  });
}

void add_latencies(document& out, const rows_in_order& rows) {
  out.set_array("latencies", rows.size(), [&rows](std::size_t i, std::string& to) {
    append_seconds(to, rows[i]->latency_ns);
  });
}

void add_queue_times(document& out, const rows_in_order& rows) {
  out.set_array("queue_times", rows.size(),
                [&rows](std::size_t i, std::string& to) { append_seconds(to, rows[i]->queue_ns); });
}

void add_texts(document& out, const rows_in_order& rows, std::string_view name,
               std::string detail::* member) {
  out.set_array(name, rows.size(), [&rows, member](std::size_t i, std::string& to) {
    ifb::append_json_string(to, (*rows[i]->more).*member);
  });
}

void add_generation(document& out, const figures& found, const rows_in_order* rows, bool detailed) {
  for (const char* name : {"duration", "completed", "failed", "total_input_tokens",
                           "total_output_tokens", "request_throughput"})
    set_figure(out, found, name);
  out.set_null("request_goodput");
  for (const char* name : {"request_goodput", "output_throughput", "total_token_throughput"})
    set_figure(out, found, name);
  if (detailed) add_detailed_generation(out, *rows);
  if (rows != nullptr) add_latencies(out, *rows);
  if (detailed)
    out.set_array("start_times", rows->size(), [rows](std::size_t i, std::string& to) {
      append_seconds(to, (*rows)[i]->more->start_ns);
    });
  if (rows != nullptr) add_queue_times(out, *rows);
  if (detailed) add_texts(out, *rows, "generated_texts", &detail::text);
  if (detailed) add_texts(out, *rows, "errors", &detail::error);
  for (const char* name : {"max_output_tokens_per_s", "max_concurrent_requests", "rtfx"})
    set_figure(out, found, name);
}

void add_pooling(document& out, const figures& found, const rows_in_order* rows, bool detailed) {
  for (const char* name :
       {"duration", "completed", "failed", "total_input_tokens", "total_input_sequences",
        "request_throughput", "input_sequence_throughput", "total_token_throughput"})
    set_figure(out, found, name);
  if (detailed)
    out.set_array("input_lens", rows->size(), [rows](std::size_t i, std::string& to) {
      to += std::to_string((*rows)[i]->more->input);
    });
  if (rows != nullptr) add_latencies(out, *rows);
  if (rows != nullptr) add_queue_times(out, *rows);
  if (detailed) add_texts(out, *rows, "errors", &detail::error);
}

void add_statistics(document& out, const ifb_metric& m) {
  const std::string name = m.name;
  out.set("mean_" + name + "_ms", m.value);
  out.set("median_" + name + "_ms", m.median);
  out.set("std_" + name + "_ms", m.deviation);
  for (const ifb_quantile& each : ifb::quantiles_of(m))
    out.set("p" + percentile_name(each.q) + "_" + name + "_ms", each.value);
}

void write_metric(ifb::json_writer& out, const ifb_metric& m) {
  out.key(m.name);
  if (!has(m, IFB_METRIC_SUMMARY)) {
    if (has(m, IFB_METRIC_INTEGER))
      out.integer(std::llround(m.value));
    else
      out.number(m.value);
    return;
  }
  out.begin_object();
  out.member("unit", m.unit);
  out.member("count", m.count);
  out.member("mean", m.value);
  out.member("std", m.deviation);
  out.member("min", m.minimum);
  out.member("median", m.median);
  out.member("max", m.maximum);
  std::vector<std::string> written;  // a percentile may have been asked for twice
  for (const ifb_quantile& each : ifb::quantiles_of(m)) {
    const std::string name = "p" + percentile_name(each.q);
    if (std::ranges::find(written, name) != written.end()) continue;
    out.member(name, each.value);
    written.push_back(name);
  }
  out.end_object();
}

}  // namespace

std::string date_text(std::int64_t unix_ns) {
  const auto seconds = static_cast<std::time_t>(unix_ns / 1'000'000'000);
  std::tm local{};
  localtime_r(&seconds, &local);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y%m%d-%H%M%S", &local)};
}

std::string generated_name(const resolved& run, std::string_view date) {
  std::string out = run.label && !run.label->empty() ? *run.label : run.backend;
  std::ranges::replace(out, '/', '-');
  out += '-';
  ifb::append_python_float(out, run.request_rate);
  out += "qps";
  if (run.max_concurrency) out += "-concurrency" + std::to_string(*run.max_concurrency);
  out += '-';
  out += run.model_id.substr(run.model_id.rfind('/') + 1);
  out += '-';
  out += date;
  return out + ".json";
}

void add_upstream(document& out, const resolved& run, const fields& metadata, std::string_view date,
                  const figures& found, const rows_in_order* rows, bool detailed) {
  add_run(out, run, metadata, date);
  if (run.pooling)
    add_pooling(out, found, rows, detailed);
  else
    add_generation(out, found, rows, detailed);
  for (const ifb_metric& m : found.all())
    if (selected(m)) add_statistics(out, m);
}

void add_ours(document& out, const origin& from, const ifb_summary& summary, const figures& found) {
  const auto value_or_null = [](std::string_view json) { return json.empty() ? "null" : json; };
  ifb::json_writer ours;
  ours.begin_object();
  ours.member("version", from.host_version);
  ours.member("run", from.run);
  ours.member("started_ns", from.started_ns);
  ours.member("started_unix_ns", from.started_unix_ns);
  ours.member("interrupted", (summary.flags & IFB_SUMMARY_INTERRUPTED) != 0);
  ours.key("facts");
  ours.raw(value_or_null(ifb::view(summary.facts_json)));
  ours.key("metrics");
  ours.begin_object();
  for (const ifb_metric& m : found.all())
    if (!has(m, IFB_METRIC_UPSTREAM)) write_metric(ours, m);
  ours.end_object();
  ours.key("environment");
  ours.raw(value_or_null(from.environment_json));
  ours.end_object();
  out.set_json("inferbench", ours.take());
}

}  // namespace reporters
