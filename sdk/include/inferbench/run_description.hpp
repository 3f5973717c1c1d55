// The description of a run, complete once the server and the plugins were asked: names, request
// rate, cap, and the figures that the user wants. The host writes it as the member "resolved" of
// ifb_run.config_json; a reporter reads it with inferbench/run_description_json.hpp.
// docs/run-description.md describes the JSON. Plain values: no thread, no resource.
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
  std::string strategy;  // "linear", "exponential"
  double start = 0;
  double end = 0;
};

struct steady_state_rule {
  bool wanted = true;       // false if the schedule does not keep the server full
  double threshold = 0.95;  // share of max_concurrency, above 0 and at most 1
  std::optional<std::uint64_t> min_window_ns;  // none: max(10 s, a tenth of the run)
};

/// Members that the JSON lacks keep the values below.
struct run_description {
  std::string endpoint_type;  // the backend as the user named it; the name of upstream's key
  std::string backend;        // the same
  std::optional<std::string> label;
  std::string model_id;                     // as results name the model
  std::optional<std::string> tokenizer_id;  // none: the run has no tokenizer
  std::int64_t num_prompts = 0;             // as asked for
  std::int64_t planned = 0;                 // requests of the schedule, sent or not

  // Requests per second. Infinite also if another schedule takes its place: a ramp-up, a pattern of
  // --traffic, the times of a trace.
  double request_rate = std::numeric_limits<double>::infinity();
  double burstiness = 1;
  std::optional<ifb::ramp_up> ramp_up;
  std::string traffic;      // the pattern of --traffic; empty: none
  bool self_timed = false;  // requests are due at the times of the dataset
  std::optional<std::int64_t> max_concurrency;

  bool pooling = false;   // one answer instead of a stream: embeddings, rerank
  bool tokenizer = true;  // false: upstream reports no TTFT, TPOT and ITL statistics
  std::vector<std::pair<std::string, std::string>> metadata;

  // The figures that the user wants.
  bool bounded = false;  // from histograms instead of from every value
  std::vector<std::string> selected = {"ttft", "tpot", "itl"};  // --percentile-metrics
  std::vector<double> percentiles = {99};                       // 0..100, in the order asked for
  std::vector<std::pair<std::string, double>> goodput;          // ttft, tpot or e2el; limit in ms
  bool cached_tokens = false;                                   // --report-cached-tokens
  steady_state_rule steady_state;

  std::vector<std::pair<std::string, std::string>> flags;  // that were given: name, value as JSON
  std::int64_t number = 1;                                 // of this run among `runs`, from 1
  std::int64_t runs = 1;                                   // --num-runs

  /// Whether a rate that changes, or the times of a trace, take the place of request_rate.
  [[nodiscard]] bool has_other_schedule() const noexcept {
    return self_timed || ramp_up.has_value() || !traffic.empty();
  }
  /// Whether requests are due one after the other. Otherwise all are due at once.
  [[nodiscard]] bool paced() const noexcept {
    return has_other_schedule() || request_rate < std::numeric_limits<double>::infinity();
  }
};

}  // namespace ifb
