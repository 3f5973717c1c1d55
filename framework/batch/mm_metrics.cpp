#include "batch/mm_metrics.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <optional>

#include "observe/prometheus_text.hpp"

namespace inferbench::batch {

namespace {

constexpr double no_upper_bound = std::numeric_limits<double>::infinity();
constexpr std::string_view encoder_stage = "encoder_forward_secs";

struct stage_row {
  std::string_view stage;   // as in the specification of the benchmark
  std::string_view metric;  // a histogram in seconds
};

// Source: SGLang, srt/observability/metrics_collector.py, EncoderMetricsCollector: the server that
// runs the encoder of a deployment with --encoder-only.
constexpr std::array stage_rows{
    stage_row{"preprocessor_total_secs", "sglang:encoder_preprocess_seconds"},
    stage_row{encoder_stage, "sglang:encoder_model_forward_seconds"},
};

/// The bound of a bucket; nullopt if it has none.
std::optional<double> bucket_bound(const observe::metric_sample& one) {
  const auto found = std::ranges::find(one.labels, "le", &observe::metric_label::name);
  if (found == one.labels.end()) return std::nullopt;
  std::string_view text = found->value;
  if (text == "+Inf") return no_upper_bound;
  double out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc{} || end != text.data() + text.size() || std::isnan(out))
    return std::nullopt;
  return out;
}

void add_to_stage(stage_histogram& to, std::string_view part, const observe::metric_sample& one) {
  if (part == "_count") {
    to.count += one.value;
  } else if (part == "_sum") {
    to.seconds += one.value;
  } else if (part == "_bucket") {
    if (const auto bound = bucket_bound(one)) to.up_to[*bound] += one.value;
  }
}

/// The buckets that grew between the readings; empty if one of them became smaller.
std::vector<std::pair<double, double>> buckets_between(const stage_histogram& before,
                                                       const stage_histogram& after, double count) {
  std::vector<std::pair<double, double>> out;
  double below = 0;
  for (const auto& [bound, now] : after.up_to) {
    const auto then = before.up_to.find(bound);
    const double grown = now - (then == before.up_to.end() ? 0 : then->second);
    if (grown < below || grown > count) return {};
    out.emplace_back(bound, below = grown);
  }
  if (out.empty() || out.back().first != no_upper_bound) out.emplace_back(no_upper_bound, count);
  return out;
}

}  // namespace

stage_histograms read_stages(std::string_view page) {
  stage_histograms out;
  observe::read_metrics(page, [&](const observe::metric_sample& one) {
    if (!std::isfinite(one.value) || one.value < 0) return;
    for (const stage_row& row : stage_rows) {
      if (!one.name.starts_with(row.metric)) continue;
      const std::string_view part = one.name.substr(row.metric.size());
      if (part == "_count" || part == "_sum" || part == "_bucket")
        add_to_stage(out[std::string(row.stage)], part, one);
    }
  });
  return out;
}

void add_stages(stage_histograms& to, const stage_histograms& other) {
  for (const auto& [name, more] : other) {
    stage_histogram& sum = to[name];
    sum.count += more.count;
    sum.seconds += more.seconds;
    for (const auto& [bound, count] : more.up_to)
      sum.up_to[bound] += count;
  }
}

std::vector<observed_stage> stages_between(const stage_histograms& before,
                                           const stage_histograms& after) {
  std::vector<observed_stage> out;
  for (const stage_row& row : stage_rows) {
    const auto now = after.find(row.stage);
    if (now == after.end()) continue;
    // A metric appears on a page with its first observation.
    const auto found = before.find(row.stage);
    const stage_histogram then = found == before.end() ? stage_histogram{} : found->second;
    const double count = now->second.count - then.count;
    const double seconds = now->second.seconds - then.seconds;
    if (!(count > 0) || !(seconds >= 0)) continue;
    out.push_back({std::string(row.stage), count, seconds / count,
                   buckets_between(then, now->second, count)});
  }
  return out;
}

std::pair<double, double> percentile_bounds(const observed_stage& of, double percentile) {
  const double rank = std::max(1.0, std::ceil(percentile / 100 * of.count));
  double lower = 0;
  for (const auto& [bound, count] : of.up_to) {
    if (count >= rank) return {lower, bound};
    lower = bound;
  }
  return {lower == no_upper_bound ? 0 : lower, no_upper_bound};
}

std::vector<engine_measure> stage_measures(const std::vector<observed_stage>& stages) {
  std::vector<engine_measure> out;
  for (const observed_stage& each : stages)
    out.push_back({each.name, "s", each.mean_s});
  for (const observed_stage& each : stages)
    if (each.name == encoder_stage) out.push_back({"num_encoder_calls", "1", each.count});
  return out;
}

}  // namespace inferbench::batch
