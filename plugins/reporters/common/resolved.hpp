// What a run turned out to be, as far as reporters need it: the object "resolved"
// that the host puts into ifb_run.config_json beside the plan's own tables.
//
//   "resolved": {"endpoint_type": "openai", "backend": "openai", "label": null,
//                "model_id": "m", "tokenizer_id": "m" or null, "num_prompts": 1000,
//                "request_rate": "inf" or a number, "burstiness": 1.0,
//                "max_concurrency": null or a number, "task": "generation" or "pooling",
//                "summary": "exact" or "bounded",
//                "self_timed": false, "flags": {...},
//                "ramp_up": null or {"strategy": "linear", "start": 1, "end": 10},
//                "run": {"number": 1, "of": 3}, "metadata": {"key": "value"}}
//
// What is missing has the value below. Of the plan itself reporters read nothing.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace reporters {

struct ramp {
  std::string strategy;  // "linear", "exponential"
  double start = 0;      // requests per second
  double end = 0;
};

struct resolved {
  std::string endpoint_type;
  std::string backend;
  std::optional<std::string> label;
  std::string model_id;
  std::optional<std::string> tokenizer_id;  // none: the run goes without a tokenizer
  std::int64_t num_prompts = 0;
  double request_rate = std::numeric_limits<double>::infinity();
  double burstiness = 1;
  std::optional<std::int64_t> max_concurrency;
  bool self_timed = false;
  bool pooling = false;
  std::optional<ramp> ramp_up;
  bool bounded = false;     // the run is to be reported in constant memory
  std::int64_t number = 1;  // of the runs of one command
  std::int64_t runs = 1;
  std::vector<std::pair<std::string, std::string>> metadata;
};

/// Of what is no JSON object nothing is read.
[[nodiscard]] resolved read_resolved(std::string_view config_json);

}  // namespace reporters
