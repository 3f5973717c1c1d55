#include "batch/mm_metrics.hpp"

#include <array>
#include <cmath>

#include "observe/prometheus_text.hpp"

namespace inferbench::batch {

namespace {

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

}  // namespace

stage_histograms read_stages(std::string_view page) {
  stage_histograms out;
  observe::read_metrics(page, [&](const observe::metric_sample& one) {
    if (!std::isfinite(one.value) || one.value < 0) return;
    for (const stage_row& row : stage_rows) {
      if (!one.name.starts_with(row.metric)) continue;
      const std::string_view part = one.name.substr(row.metric.size());
      if (part == "_count")
        out[std::string(row.stage)].count += one.value;
      else if (part == "_sum")
        out[std::string(row.stage)].seconds += one.value;
    }
  });
  return out;
}

void add_stages(stage_histograms& to, const stage_histograms& other) {
  for (const auto& [name, more] : other) {
    stage_histogram& sum = to[name];
    sum.count += more.count;
    sum.seconds += more.seconds;
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
    out.push_back({std::string(row.stage), count, seconds / count});
  }
  return out;
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
