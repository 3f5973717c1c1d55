// The texts of a tuning: the lines of result.txt and the names of the files beside it. The formats
// are those of the script auto_tune. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace inferbench::tune {

/// A value for each of the two tuned options.
struct tuned_pair {
  std::int64_t seqs = 0;    // max_num_seqs
  std::int64_t tokens = 0;  // max_num_batched_tokens

  friend bool operator==(const tuned_pair&, const tuned_pair&) = default;
};

/// The figures of a benchmark.
struct measured_load {
  double throughput = 0;  // completed requests per second
  double e2el_ms = 0;     // 99th percentile
  double goodput = 0;     // requests per second within the limit
  double failed = 0;      // requests
  bool nothing_completed = false;
};

/// A combination within the limit.
struct accepted_pair {
  tuned_pair of;
  double rate = 0;  // infinite: all requests at once
  measured_load figures;
};

/// "inf", "10", "12.5": an infinite, a whole, or another rate.
[[nodiscard]] std::string number_text(double value);
/// "0.98"
[[nodiscard]] std::string utilization_text(int hundredths);

// The lines of result.txt, without line ends. Figures have two digits after the point, as in the
// report of the benchmark.

/// "hash:<commit>"
[[nodiscard]] std::string hash_line(const std::string& commit);
/// "max_num_seqs: 128, max_num_batched_tokens: 2048, request_rate: 10, e2el: 450.50,
/// throughput: 9.80, goodput: 9.80"
[[nodiscard]] std::string accepted_line(const accepted_pair& what);
/// "max_num_seqs: 128, max_num_batched_tokens: 4096 does not meet latency requirement 500"
[[nodiscard]] std::string missed_line(const tuned_pair& what, double limit_ms);
/// "max_num_seqs: 128, max_num_batched_tokens: 4096 failed: <reason>"; the reason becomes one line.
[[nodiscard]] std::string failed_line(const tuned_pair& what, const std::string& reason);
/// "best_max_num_seqs: 256, best_num_batched_tokens: 2048, best_throughput: 12.50, profile saved
/// in: <path>"; zeros if no combination was accepted. `profile` is "none" without a profile.
[[nodiscard]] std::string best_line(const std::optional<accepted_pair>& best,
                                    const std::string& profile);

// The names of files.

/// "128_2048"
[[nodiscard]] std::string pair_name(const tuned_pair& of);
/// "bm_log_128_2048_requestrate_inf", without an ending
[[nodiscard]] std::string benchmark_log_name(const tuned_pair& of, double rate);

}  // namespace inferbench::tune
