#include "offline/mm_result.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace inferbench::offline {

namespace {

constexpr double ms_per_s = 1e3;
constexpr std::string_view calls_name = "num_encoder_calls";

// "encoder_forward_ms" for "encoder_forward_secs"; other names stay.
std::string reported_name(const mm_measure& measure) {
  constexpr std::string_view seconds = "_secs";
  if (!measure.is_time || !measure.name.ends_with(seconds)) return measure.name;
  return measure.name.substr(0, measure.name.size() - seconds.size()) + "_ms";
}

void count_encoder(mm_statistics& out) {
  const auto calls = std::ranges::find(out.stages, calls_name, &mm_stage::measured);
  if (calls == out.stages.end()) return;
  double sum = 0;
  std::uint64_t requests = 0;
  for (const double each : calls->values) {
    if (!(each > 0)) continue;
    sum += each;
    ++requests;
  }
  constexpr double most = 9e15;  // a double holds all whole numbers up to here
  out.encoder_calls = static_cast<std::uint64_t>(std::min(sum, most));
  out.requests_with_encoder = requests;
}

/// Stages of an engine that gives means over all requests only.
void add_means(mm_statistics& out, const mm_result& result, std::span<const double> percentiles) {
  for (const mm_measure& each : result.of_batch) {
    if (!each.is_time) continue;
    mm_stage stage{reported_name(each), each.name, {each.value * ms_per_s}, {}};
    stage.statistics = statistics_of(stage.values, percentiles);
    out.stages.push_back(std::move(stage));
  }
  if (!out.stages.empty())
    out.warnings.emplace_back(
        "the times of the stages are means over all requests: their medians and percentiles are "
        "not known");
}

}  // namespace

std::optional<double> end_to_end_ms(std::uint64_t arrived_ns, std::uint64_t first_token_ns,
                                    std::uint64_t last_token_ns) {
  constexpr double ns_per_ms = 1e6;
  if (arrived_ns == 0 || first_token_ns < arrived_ns || last_token_ns == 0) return std::nullopt;
  const std::uint64_t decoding = last_token_ns - std::min(last_token_ns, first_token_ns);
  return static_cast<double>(first_token_ns - arrived_ns + decoding) / ns_per_ms;
}

mm_statistics statistics_of(const mm_result& result, std::span<const double> percentiles) {
  mm_statistics out;
  std::vector<double> latencies;
  for (const mm_request& request : result.requests) {
    ++(request.completed ? out.completed : out.failed);
    if (request.completed && request.end_to_end_ms) latencies.push_back(*request.end_to_end_ms);
    for (const mm_measure& measure : request.measures) {
      auto stage = std::ranges::find(out.stages, measure.name, &mm_stage::measured);
      if (stage == out.stages.end()) {
        out.stages.push_back({reported_name(measure), measure.name, {}, {}});
        stage = std::prev(out.stages.end());
      }
      stage->values.push_back(measure.is_time ? measure.value * ms_per_s : measure.value);
    }
  }
  for (mm_stage& stage : out.stages)
    stage.statistics = statistics_of(stage.values, percentiles);
  count_encoder(out);
  if (out.stages.empty()) add_means(out, result, percentiles);
  if (out.stages.empty())
    out.warnings.emplace_back(
        "the engine has given no times of the stages of multimodal prompts: the prompts may have "
        "no images or videos, or the engine does not measure the stages");
  if (latencies.empty() && out.completed > 0) {
    out.warnings.emplace_back(
        "the engine has given no times of single requests: the end-to-end latency of each "
        "completed "
        "request is the elapsed time divided by the number of completed requests");
    latencies.assign(out.completed,
                     result.elapsed_s * ms_per_s / static_cast<double>(out.completed));
  }
  out.end_to_end = statistics_of(latencies, percentiles);
  return out;
}

}  // namespace inferbench::offline
