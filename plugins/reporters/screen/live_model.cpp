#include "live_model.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include <inferbench/run_description_json.hpp>
#include <inferbench/views.hpp>

#include "reporters/common/figures.hpp"
#include "reporters/common/json_value.hpp"

namespace reporters {

namespace {

constexpr double lately_s = 3;        // the span of what happens "now"
constexpr double forecast_s = 30;     // the span of the rate from which the time left is computed
constexpr std::size_t seconds = 120;  // of the charts

std::optional<double> number_in(const json_value* of, std::string_view name) {
  const json_value* found = find(of, name);
  if (found == nullptr || !found->IsNumber()) return std::nullopt;
  return found->GetDouble();
}
std::uint64_t count_in(const json_value* of, std::string_view name) {
  const double value = number_in(of, name).value_or(0);
  return value > 0 && value < 1e18 ? static_cast<std::uint64_t>(value) : 0;
}

const ifb_metric* figure(const ifb_snapshot& live, std::string_view name) {
  for (const ifb_metric& m : ifb::metrics_of(live))
    if (m.name != nullptr && name == m.name) return &m;
  return nullptr;
}
double value_of(const ifb_snapshot& live, std::string_view name) {
  const ifb_metric* found = figure(live, name);
  return found != nullptr && std::isfinite(found->value) ? found->value : 0;
}

const json_value* array_in(const json_value& facts, std::string_view name) {
  const json_value* found = find(facts, name);
  return found != nullptr && found->IsArray() ? found : nullptr;
}

void read_progress(const json_value& facts, screen_model& out) {
  const json_value* progress = find(facts, "progress");
  if (number_in(progress, "planned")) out.planned = count_in(progress, "planned");
  out.finished = count_in(progress, "finished");
  out.failed = count_in(progress, "failed");
  out.in_flight = count_in(progress, "in_flight");
  out.limit_s = number_in(progress, "limit_s");
}

void read_latencies(const ifb_snapshot& live, screen_model& out) {
  for (const std::string_view name : {"ttft", "tpot", "e2el"}) {
    const ifb_metric* m = figure(live, name);
    if (m == nullptr || m->count == 0) continue;
    out.latencies.push_back({m->label == nullptr ? std::string(name) : std::string(m->label),
                             m->value, percentile(*m, 50), percentile(*m, 90), percentile(*m, 99)});
  }
  if (const ifb_metric* lag = figure(live, "send_lag")) out.send_lag_p99_ms = percentile(*lag, 99);
}

void read_lists(const json_value& facts, screen_model& out) {
  if (const json_value* all = array_in(facts, "errors"))
    for (const json_value& each : all->GetArray()) {
      const std::uint64_t status = count_in(&each, "http_status");
      std::string name(text_of(find(each, "class")));
      if (status != 0) name += " HTTP " + std::to_string(status);
      out.failures.push_back(
          {count_in(&each, "count"), std::move(name), std::string(text_of(find(each, "first")))});
    }
  if (const json_value* all = array_in(facts, "series"))
    for (const json_value& each : all->GetArray())
      if (const auto value = number_in(&each, "value"))
        out.series.push_back({std::string(text_of(find(each, "name"))),
                              std::string(text_of(find(each, "unit"))), *value});
  if (const json_value* all = array_in(facts, "log"))
    for (const json_value& each : all->GetArray())
      out.log.emplace_back(text_of(&each));
}

/// How much of the run is over, and how long it still takes at the rate `per_s`.
void forecast(double per_s, screen_model& out) {
  if (out.planned && *out.planned != 0) {
    const auto all = static_cast<double>(*out.planned);
    const auto done = static_cast<double>(std::min(out.finished, *out.planned));
    out.share = done / all;
    if (per_s > 0) out.left_s = (all - done) / per_s;
  }
  if (out.limit_s && *out.limit_s > 0) {
    out.share = std::max(out.share, std::min(out.elapsed_s / *out.limit_s, 1.0));
    const double rest = std::max(*out.limit_s - out.elapsed_s, 0.0);
    out.left_s = std::min(out.left_s.value_or(rest), rest);
  }
}

}  // namespace

live_model::live_model(const ifb_run& run) : started_ns_(run.started_ns) {
  const ifb::run_description about = ifb::describe(ifb::view(run.config_json));
  fixed_.name = ifb::view(run.name);
  fixed_.backend = about.backend;
  fixed_.model = about.model_id;
}

screen_model live_model::update(const ifb_snapshot& live) {
  screen_model out = fixed_;
  const rapidjson::Document facts = parse_object(ifb::view(live.facts_json));
  out.elapsed_s =
      live.at_ns > started_ns_ ? static_cast<double>(live.at_ns - started_ns_) / 1e9 : 0;
  read_progress(facts, out);
  out.busiest_worker = number_in(find(facts, "client"), "busiest_worker");
  read_latencies(live, out);
  read_lists(facts, out);

  const double output = value_of(live, "output_throughput");
  past_.add(out.elapsed_s, out.finished, output * value_of(live, "duration"), out.in_flight);
  // The mean counts failed requests, too, as the rate of the last seconds does.
  out.requests = {past_.request_rate(lately_s),
                  out.elapsed_s > 0 ? static_cast<double>(out.finished) / out.elapsed_s : 0};
  if (figure(live, "output_throughput") != nullptr)
    out.tokens = rate_pair{past_.token_rate(lately_s), output};
  out.rate_history = past_.rates(seconds);
  out.in_flight_history = past_.in_flight(seconds);
  forecast(past_.request_rate(forecast_s), out);
  return out;
}

}  // namespace reporters
