#include "metrics/report.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace inferbench::metrics {

const ifb_metric* report::find(std::string_view name) const noexcept {
  const auto at = std::ranges::find(metrics_, name,
                                    [](const ifb_metric& m) { return std::string_view(m.name); });
  return at == metrics_.end() ? nullptr : &*at;
}

ifb_summary report::summary(std::int64_t finished_unix_ns, bool interrupted) const noexcept {
  ifb_summary out{};
  out.struct_size = sizeof out;
  out.flags = interrupted ? std::uint32_t{IFB_SUMMARY_INTERRUPTED} : 0U;
  out.finished_unix_ns = finished_unix_ns;
  out.metrics = metrics_.data();
  out.metric_count = static_cast<std::uint32_t>(metrics_.size());
  out.metric_stride = sizeof(ifb_metric);
  out.facts_json = {facts_.data(), facts_.size()};
  return out;
}

std::string report::unknown_input_warning() const {
  const ifb_metric* input = find(define(metric::total_input_tokens).name);
  const ifb_metric* completed = find(define(metric::completed).name);
  if (input == nullptr || completed == nullptr || input->value > 0 || completed->value == 0)
    return {};
  return "input tokens are not counted: neither the server nor the dataset reports the lengths of "
         "the prompts, so the totals and the rates of input tokens are 0";
}

std::string report::first_text_warning() const {
  constexpr double tolerated = 0.05;
  const ifb_metric* event = find(define(metric::ttft).name);
  const ifb_metric* text = find(define(metric::ttft_text).name);
  if (event == nullptr || text == nullptr || event->count == 0 || text->count == 0) return {};
  const auto differ = [](double a, double b) {
    return std::abs(a - b) > tolerated * std::max(a, b);
  };
  if (!differ(event->value, text->value) && !differ(event->median, text->median)) return {};
  return fmt::format(
      "TTFT is not the time of the first text: the server sends an event without text first. TTFT, "
      "as vllm bench counts it, has a mean of {:.2f} ms and a median of {:.2f} ms; the first text "
      "came after {:.2f} ms and {:.2f} ms (figures ttft_text and ttft_from_due go by text)",
      event->value, event->median, text->value, text->median);
}

ifb_metric& report::append(const definition& d) {
  ifb_metric& m = metrics_.emplace_back();
  m = {};
  m.struct_size = sizeof m;
  m.flags = d.flags;
  m.name = d.name;
  m.unit = d.unit;
  m.title = d.title;
  m.label = d.label;
  m.help = d.help;
  return m;
}

void report::add(const definition& row, double value) { append(row).value = value; }

void report::add_mean(metric id, double mean, std::uint64_t count) {
  ifb_metric& m = append(define(id));
  m.flags &= ~std::uint32_t{IFB_METRIC_SUMMARY};
  m.value = mean;
  m.count = count;
}

void report::add(const definition& row, const statistics& values,
                 std::span<const double> percentiles, bool selected) {
  ifb_metric& m = append(row);
  if (selected) m.flags |= IFB_METRIC_SELECTED;
  m.value = values.mean;
  m.count = values.count;
  m.minimum = values.minimum;
  m.maximum = values.maximum;
  m.deviation = values.deviation;
  m.median = values.median;
  // When quantiles_ grows, its inner vectors move, but the elements of the inner vectors stay in
  // place.
  auto& quantiles = quantiles_.emplace_back();
  for (std::size_t i = 0; i < percentiles.size(); ++i)
    quantiles.push_back({percentiles[i] / 100.0, values.quantiles[i]});
  m.quantiles = quantiles.data();
  m.quantile_count = quantiles.size();
}

}  // namespace inferbench::metrics
