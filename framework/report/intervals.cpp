#include "report/intervals.hpp"

#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/json.hpp"
#include "plugin/instance.hpp"

namespace inferbench::report {

namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

/// "p99", "p99.9". A fraction such as 0.999 times 100 is not exact; twelve digits hide this.
std::string percentile_name(double percentile) { return fmt::format("p{:.12g}", percentile); }

std::optional<double> number_in(const rapidjson::Value* of) {
  if (of == nullptr || !of->IsNumber()) return std::nullopt;
  return of->GetDouble();
}

const ifb_metric* metric_of(const ifb_summary& summary, std::string_view name) {
  const auto* at = reinterpret_cast<const std::byte*>(summary.metrics);
  for (std::uint32_t i = 0; i < summary.metric_count; ++i, at += summary.metric_stride)
    if (const auto* m = reinterpret_cast<const ifb_metric*>(at); name == m->name) return m;
  return nullptr;
}

std::optional<double> quantile_of(const ifb_metric& m, double percentile) {
  for (std::size_t i = 0; i < m.quantile_count; ++i)
    if (std::abs(m.quantiles[i].q * 100 - percentile) < 1e-9) return m.quantiles[i].value;
  return std::nullopt;
}

/// A number of observations, rounded down.
std::uint64_t rounded_down(double of) {
  if (!(of >= 1)) return 0;
  return of < 1e15 ? static_cast<std::uint64_t>(of) : std::uint64_t{1'000'000'000'000'000};
}

void add_bounds(const ifb_metric& m, const rapidjson::Value& about, double confidence,
                interval_list& to) {
  const auto* percentiles = base::find(about, "percentiles");
  const auto effective = number_in(base::find(about, "effective_count"));
  if (percentiles == nullptr || !percentiles->IsArray() || !effective) return;
  for (const auto& each : percentiles->GetArray()) {
    const auto percentile = number_in(base::find(each, "percentile"));
    const auto value = percentile ? quantile_of(m, *percentile) : std::nullopt;
    if (!value) continue;
    to.add({.name = m.name,
            .statistic = percentile_name(*percentile),
            .unit = m.unit,
            .value = *value,
            .low = -unlimited,
            .high = number_in(base::find(each, "bound")).value_or(unlimited),
            .confidence = confidence,
            .observations = rounded_down(*effective)});
  }
}

}  // namespace

void interval_list::add(const entry& one) {
  ifb_interval out{};
  out.struct_size = sizeof out;
  out.name = kept(one.name);
  out.statistic = kept(one.statistic);
  out.unit = kept(one.unit);
  out.value = one.value;
  out.low = one.low;
  out.high = one.high;
  out.confidence = one.confidence;
  out.observations = one.observations;
  views_.push_back(out);
}

const char* interval_list::kept(std::string_view text) { return texts_.emplace_back(text).c_str(); }

interval_list bounds_of(const ifb_summary& summary) {
  interval_list out;
  rapidjson::Document facts;
  const std::string_view text = plugin::view(summary.facts_json);
  facts.Parse(text.data(), text.size());
  if (facts.HasParseError()) return out;
  const auto* certainty = base::find(facts, "certainty");
  const auto* figures = base::find(certainty, "figures");
  const auto confidence = number_in(base::find(certainty, "confidence"));
  if (figures == nullptr || !figures->IsObject() || !confidence) return out;
  for (const auto& member : figures->GetObject())
    if (const ifb_metric* m = metric_of(summary, base::text_of(&member.name)))
      add_bounds(*m, member.value, *confidence, out);
  return out;
}

interval_list figures_of_one_run(std::span<const ifb_metric> metrics) {
  interval_list out;
  for (const ifb_metric& m : metrics) {
    const auto add = [&](std::string_view statistic, double value) {
      out.add({.name = m.name,
               .statistic = statistic,
               .unit = m.unit,
               .value = value,
               .low = -unlimited,
               .high = unlimited,
               .confidence = 0,
               .observations = 1});
    };
    if ((m.flags & IFB_METRIC_SUMMARY) == 0) {
      add("value", m.value);
      continue;
    }
    if (m.count == 0) continue;
    add("mean", m.value);
    add("median", m.median);
    for (std::size_t i = 0; i < m.quantile_count; ++i)
      add(percentile_name(m.quantiles[i].q * 100), m.quantiles[i].value);
  }
  return out;
}

}  // namespace inferbench::report
