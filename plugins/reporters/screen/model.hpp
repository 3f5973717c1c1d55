// What the screen shows at one moment. The values come from the host's live figures; a value that
// is not known is nullopt or left out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace reporters {

/// The running summary of a latency, in ms.
struct latency_summary {
  std::string label;  // "TTFT"
  double mean = 0;
  std::optional<double> p50, p90, p99;
};

/// A rate now, which is over the last seconds, and since the start of the run.
struct rate_pair {
  double now = 0;
  double mean = 0;
};

/// The latest value of a series of a server.
struct series_value {
  std::string name;  // "kv_cache_usage"
  std::string unit;
  double value = 0;
};

/// Failures of one kind.
struct live_failure {
  std::uint64_t count = 0;
  std::string name;   // "remote HTTP 500"
  std::string first;  // the first message, as the server wrote it
};

struct screen_model {
  std::string name;     // of the run
  std::string backend;  // "openai-chat"
  std::string model;    // the model's name

  std::optional<std::uint64_t> planned;
  std::uint64_t finished = 0;
  std::uint64_t failed = 0;
  std::uint64_t in_flight = 0;
  double elapsed_s = 0;
  std::optional<double> limit_s;
  double share = 0;              // of the run that is over, 0..1
  std::optional<double> left_s;  // time to the end

  rate_pair requests;               // per second
  std::optional<rate_pair> tokens;  // output tokens per second
  std::vector<latency_summary> latencies;
  std::optional<double> send_lag_p99_ms;
  std::optional<double> busiest_worker;  // 0..1
  std::vector<series_value> series;
  std::vector<live_failure> failures;  // the most frequent first
  std::vector<std::string> log;        // the newest last

  // One value for each second, the newest last.
  std::vector<double> rate_history;
  std::vector<double> in_flight_history;
};

}  // namespace reporters
