#include "page_run.hpp"

#include <cmath>
#include <utility>

#include "reporters/common/command_text.hpp"
#include "reporters/common/figures.hpp"
#include "reporters/common/json_value.hpp"

namespace reporters {
namespace {

constexpr std::size_t most_rows_if_bounded = 200'000;
/// A time of the wall clock in ms.
std::int64_t unix_ms(std::int64_t unix_ns) { return unix_ns / 1'000'000; }

void number_or_null(ifb::json_writer& out, std::string_view name, double value) {
  out.key(name);
  if (std::isfinite(value))
    out.number(value);
  else
    out.null();
}

void write_metric(ifb::json_writer& out, const ifb_metric& m) {
  const bool summary = has(m, IFB_METRIC_SUMMARY);
  out.begin_object();
  out.member("name", m.name);
  out.member("unit", m.unit);
  out.member("title", m.title);
  out.member("label", m.label);
  out.member("help", m.help);
  out.key("flags");
  out.begin_object();
  out.member("integer", has(m, IFB_METRIC_INTEGER));
  out.member("summary", summary);
  out.member("selected", has(m, IFB_METRIC_SELECTED));
  out.member("upstream", has(m, IFB_METRIC_UPSTREAM));
  out.end_object();
  number_or_null(out, "value", m.value);
  if (summary) {
    out.member("count", m.count);
    number_or_null(out, "min", m.minimum);
    number_or_null(out, "max", m.maximum);
    number_or_null(out, "std", m.deviation);
    number_or_null(out, "median", m.median);
    out.key("percentiles");
    out.begin_array();
    for (const ifb_quantile& each : ifb::quantiles_of(m)) {
      out.begin_array();
      out.raw(percentile_name(each.q));
      if (std::isfinite(each.value))
        out.number(each.value);
      else
        out.null();
      out.end_array();
    }
    out.end_array();
  }
  out.end_object();
}

/// Returns the base URLs, by the index in ifb_record.server. Without --base-url there is one server
/// of host and port.
std::vector<std::string> servers_of(const json_value& plan) {
  std::vector<std::string> out;
  const json_value* server = find(plan, "server");
  const json_value* urls = find(server, "base-url");
  if (urls != nullptr && urls->IsArray())
    for (const json_value& each : urls->GetArray())
      out.emplace_back(text_of(&each));
  if (urls != nullptr && urls->IsString()) out.emplace_back(text_of(urls));
  if (!out.empty()) return out;
  const json_value* host = find(server, "host");
  const json_value* port = find(server, "port");
  if (host != nullptr || port != nullptr)
    out.push_back("http://" + std::string(host == nullptr ? "127.0.0.1" : text_of(host)) +
                  (port == nullptr ? "" : ":" + to_text(*port)));
  return out;
}

page_rows::settings bounded_if(page_rows::settings chosen, bool bounded) {
  if (bounded) chosen.most_rows = most_rows_if_bounded;
  return chosen;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> fields_of(std::span<const ifb_field> axes) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const ifb_field& each : axes)
    out.emplace_back(ifb::view(each.name), ifb::view(each.value));
  return out;
}

void write_json(ifb::json_writer& out, std::string_view json) {
  rapidjson::Document read;
  if (ifb::parse_json(json, read))
    out.null();
  else
    ifb::write(out, read);
}

void write_intervals(ifb::json_writer& out, ifb::strided<ifb_interval> all) {
  const auto text = [](const char* given) { return given == nullptr ? "" : given; };
  out.begin_array();
  for (const ifb_interval& each : all) {
    out.begin_object();
    out.member("name", text(each.name));
    out.member("statistic", text(each.statistic));
    out.member("unit", text(each.unit));
    number_or_null(out, "value", each.value);
    number_or_null(out, "low", each.low);
    number_or_null(out, "high", each.high);
    out.member("confidence", each.confidence);
    out.member("observations", each.observations);
    out.end_object();
  }
  out.end_array();
}

void write_axes(ifb::json_writer& out,
                const std::vector<std::pair<std::string, std::string>>& axes) {
  out.begin_object();
  for (const auto& [name, json] : axes) {
    out.key(name);
    write_json(out, json);
  }
  out.end_object();
}

page_run::page_run(page_rows::settings chosen, const ifb_run& run)
    : about_(ifb::describe(ifb::view(run.config_json))),
      rows_(bounded_if(chosen, about_.bounded), run.started_ns),
      name_(ifb::view(run.name)),
      config_json_(ifb::view(run.config_json)),
      environment_json_(ifb::view(run.environment_json)),
      started_unix_ns_(run.started_unix_ns),
      replayed_((run.flags & IFB_RUN_REPLAYED) != 0) {}

void page_run::records(ifb::strided<ifb_record> batch) {
  for (const ifb_record& r : batch)
    if (!ifb::never_sent(r)) rows_.add(r);
}

void page_run::end(const ifb_summary& summary, place at, ifb::strided<ifb_interval> intervals) {
  rows_.finish();
  at_ = std::move(at);
  finished_unix_ns_ = summary.finished_unix_ns;
  interrupted_ = (summary.flags & IFB_SUMMARY_INTERRUPTED) != 0;
  ifb::json_writer out;
  out.begin_array();
  for (const ifb_metric& m : ifb::metrics_of(summary))
    write_metric(out, m);
  out.end_array();
  metrics_ = out.take();
  write_intervals(out, intervals);
  intervals_ = out.take();
  facts_ = to_text(parse_object(ifb::view(summary.facts_json)));
}

void page_run::write(ifb::json_writer& out, std::string_view id) const {
  const rapidjson::Document plan = plan_of(config_json_);
  const auto value = [&](std::string_view name, const json_value& json) {
    out.key(name);
    ifb::write(out, json);
  };
  out.begin_object();
  out.member("name", name_);
  out.member("label", at_.label);
  out.member("source", at_.source);
  out.member("started_unix_ms", unix_ms(started_unix_ns_));
  out.member("finished_unix_ms", unix_ms(finished_unix_ns_));
  out.member("interrupted", interrupted_);
  out.member("replayed", replayed_);
  value("description", description_of(config_json_));
  value("config", plan);
  value("environment", parse_object(environment_json_));
  out.member("command", command_text(flags_of(config_json_)));
  out.key("axes");
  write_axes(out, at_.axes);
  out.member("point", at_.point);
  out.key("metrics");
  out.raw(metrics_);
  out.key("intervals");
  out.raw(intervals_);
  out.key("facts");
  out.raw(facts_);
  out.key("rows");
  rows_.write(out, id, servers_of(plan));
  out.key("texts");
  rows_.write_texts(out);
  out.end_object();
}

}  // namespace reporters
