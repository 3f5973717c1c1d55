// The description of a run: names, request rate, concurrency limit, and the figures that the user
// wants. It is complete after the server and the plugins were asked. The host writes it as the
// member "resolved" of ifb_run.config_json; a reporter reads it with
// inferbench/run_description_json.hpp. share/inferbench/docs/run-description.md, which is installed
// with these headers, describes the JSON. Plain values: no threads, no resources.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ifb {

/// The request rate of a ramp-up, in requests per second.
struct ramp_up {
  std::string strategy;  // "linear" or "exponential"
  double start = 0;
  double end = 0;
};

struct steady_state_rule {
  bool wanted = true;       // false if the schedule does not keep the server full
  double threshold = 0.95;  // share of max_concurrency, above 0 and at most 1
  std::optional<std::uint64_t> min_window_ns;  // nullopt: max(10 s, a tenth of the run)
};

/// A member that the JSON lacks keeps the value below.
struct run_description {
  std::string endpoint_type;  // the backend as the user named it; upstream's key has this name
  std::string backend;        // the same text as endpoint_type
  std::optional<std::string> label;
  std::string model_id;                     // the model's name in results
  std::optional<std::string> tokenizer_id;  // nullopt: the run has no tokenizer
  std::int64_t num_prompts = 0;             // the number that the user requested
  std::int64_t planned = 0;  // requests in the schedule, whether they were sent or not

  // Requests per second. The value is also infinite if another schedule replaces the rate: a
  // ramp-up, a pattern of --traffic, or the times of a trace.
  double request_rate = std::numeric_limits<double>::infinity();
  double burstiness = 1;
  std::optional<ifb::ramp_up> ramp_up;
  std::string traffic;      // the pattern of --traffic; empty: no pattern
  bool self_timed = false;  // requests are due at the times of the dataset
  std::optional<std::int64_t> max_concurrency;

  bool pooling = false;   // one answer instead of a stream: embeddings, rerank
  bool tokenizer = true;  // false: upstream reports no TTFT, TPOT and ITL statistics
  std::vector<std::pair<std::string, std::string>> metadata;

  // The figures that the user wants.
  bool bounded = false;  // figures come from histograms instead of from every value
  std::vector<std::string> selected = {"ttft", "tpot", "itl"};  // --percentile-metrics
  // 0 to 100, in the order in which the user requested them
  std::vector<double> percentiles = {99};
  // "ttft", "tpot" or "e2el", and its limit in ms
  std::vector<std::pair<std::string, double>> goodput;
  bool cached_tokens = false;         // --report-cached-tokens
  std::optional<std::string> scorer;  // --scorer; nullopt: answers have no score
  steady_state_rule steady_state;
  std::vector<std::string> thresholds;  // --threshold: goals, such as "ttft.p99<200ms"
  bool thresholds_certain = false;      // --threshold-certain

  // the flags that were given: name, and value as JSON
  std::vector<std::pair<std::string, std::string>> flags;
  std::int64_t number = 1;  // number of this run among `runs`, from 1
  std::int64_t runs = 1;    // --num-runs

  /// Returns whether a changing rate, or the times of a trace, replace request_rate.
  [[nodiscard]] bool has_other_schedule() const noexcept {
    return self_timed || ramp_up.has_value() || !traffic.empty();
  }
  /// Returns whether requests are due one after the other. Otherwise all requests are due at the
  /// start.
  [[nodiscard]] bool paced() const noexcept {
    return has_other_schedule() || request_rate < std::numeric_limits<double>::infinity();
  }
};

}  // namespace ifb
