// The measurements of `inferbench mm-processor` and their statistics. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "offline/times.hpp"

namespace inferbench::offline {

/// A number that the engine measured for one request.
struct mm_measure {
  std::string name;  // of the engine: "apply_hf_processor_secs"
  double value = 0;  // seconds, or a count
  bool is_time = true;
};

struct mm_request {
  bool completed = false;
  std::vector<mm_measure> measures;     // in the order of the engine
  std::optional<double> end_to_end_ms;  // nullopt: the engine does not measure it
};

/// Plain data.
struct mm_result {
  std::vector<mm_request> requests;
  double elapsed_s = 0;                   // the timed section
  std::vector<mm_measure> of_batch = {};  // means over all requests, and numbers of calls
};

/// From the arrival of a request to its last token, from times of one clock in ns: until the first
/// token and from the first to the last token, which counts as 0 if it is before the first.
/// nullopt if a time is 0, so not known.
[[nodiscard]] std::optional<double> end_to_end_ms(std::uint64_t arrived_ns,
                                                  std::uint64_t first_token_ns,
                                                  std::uint64_t last_token_ns);

/// The statistics of a stage over the requests that have it.
struct mm_stage {
  std::string name;      // "apply_hf_processor_ms"; times are in ms
  std::string measured;  // the engine's name
  std::vector<double> values;
  time_statistics statistics;
};

struct mm_statistics {
  std::vector<mm_stage> stages;  // in the order of their first occurrence
  std::uint64_t completed = 0, failed = 0;
  time_statistics end_to_end;  // ms; all 0 if no request is completed
  // The number of calls of the encoder, and of requests with such calls, if the engine counts them.
  std::optional<std::uint64_t> encoder_calls, requests_with_encoder;
  std::vector<std::string> warnings;  // lines for the user
};

/// If no request has an end-to-end latency, each completed request gets the elapsed time divided by
/// the number of completed requests, and a warning says so.
[[nodiscard]] mm_statistics statistics_of(const mm_result& result,
                                          std::span<const double> percentiles);

}  // namespace inferbench::offline
