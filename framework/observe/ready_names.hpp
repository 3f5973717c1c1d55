// The names that the series of all servers share: "running" is vllm:num_requests_running of vLLM
// and tgi_batch_current_size of TGI. A table; adding a server means adding rows.
//
// Sources of the metrics' names:
//   vllm          vLLM, docs/usage/metrics.md ("Production Metrics") and v1/metrics/loggers.py
//   sglang        SGLang, docs/references/production_metrics.md and srt/metrics/collector.py
//   tgi           Text Generation Inference, docs/reference/metrics ("Metrics")
//   llama.cpp     llama.cpp, tools/server/README.md, GET /metrics, and the page of llama-server
//                 0.7.0; kv_cache_usage_ratio exists only in builds before the middle of 2025
//   tensorrt-llm  TensorRT-LLM (trtllm-serve), tensorrt_llm/metrics/collector.py
//   triton        Triton, docs/user_guide/metrics.md; tensorrtllm_backend, README.md, "Triton
//                 Metrics". "scheduled" is the number of running requests, as in the protocol of
//                 model servers of the Gateway API Inference Extension
//   dcgm          DCGM exporter, etc/default-counters.csv
//   node          Prometheus' node exporter, README.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

namespace inferbench::observe {

/// How the label sets of a metric become one value. Counts are added up over engines, models and
/// GPUs; of shares the mean is taken.
enum class combination : std::uint8_t { sum, mean };

struct ready_name {
  std::string_view server;
  std::string_view name;
  std::string_view unit;  // of the values that are shown; for a counter: per second
  std::string_view metric;
  bool counter = false;
  combination combined = combination::sum;
  std::string_view label_name{};  // only samples with this label count; empty: all samples
  std::string_view label_value{};
  std::string_view plus{};  // a second metric, whose values are added; both must exist
  double scale = 1;         // the page's value times `scale` is in the unit
  // Larger values on the page mean "not known": DCGM has such values.
  double most = std::numeric_limits<double>::infinity();
};

/// All rows. If several rows of a server have the same name, the first row whose metric is on the
/// page counts.
[[nodiscard]] std::span<const ready_name> ready_names() noexcept;

/// The share that one counter has in another one, for each interval.
struct ready_ratio {
  std::string_view name;
  std::string_view part;  // names of series
  std::string_view whole;
};

[[nodiscard]] std::span<const ready_ratio> ready_ratios() noexcept;

}  // namespace inferbench::observe
