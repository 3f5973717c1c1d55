// The arguments and the environment of `inferbench tune`, checked. The variables are those of the
// script auto_tune.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "options/environment.hpp"

namespace inferbench::tune {

/// The way to the largest rate that meets the limit of latency.
enum class rate_search : std::uint8_t {
  step,  // from the throughput downwards by 1 request/s, as the script
  find   // `inferbench find`, with a known chance of error
};

struct tune_request {
  std::string help;                        // not empty: the caller prints this text and stops
  std::vector<std::string> warnings = {};  // for the user

  std::string base;  // the folder in which auto-benchmark/ is made
  std::string model;
  std::int64_t tensor_parallel = 1;
  std::string download_dir;  // empty: none
  std::int64_t input_len = 0;
  std::int64_t output_len = 0;
  std::int64_t max_model_len = 0;
  std::int64_t cache_hit_pct = 0;    // share of the input that all prompts have in common
  double limit_ms = 0;               // of the 99th percentile of the end-to-end latency
  std::vector<std::int64_t> seqs;    // not empty, no value twice
  std::vector<std::int64_t> tokens;  // likewise
  std::string logging_level;         // VLLM_LOGGING_LEVEL; empty: unchanged

  std::vector<std::string> serve_command;  // empty: vllm serve
  std::int64_t port = 8004;
  bool port_given = false;  // on the command line
  // The options of the server, with their dashes.
  std::string seqs_option;
  std::string tokens_option;
  std::string memory_option;  // empty: the server has none, so the memory is not searched
  std::vector<std::string> profile_options;  // "{}" stands for the folder of the profile
  bool profile = true;
  std::vector<std::string> bench_options;  // added to each benchmark
  std::string reset_path;                  // empty: the server has no cache to empty
  rate_search search = rate_search::step;
  std::vector<std::string> find_options;  // added to each search
  std::uint64_t ready_timeout_s = 600;

  /// The tokens that all prompts have in common, and the other tokens of a prompt.
  [[nodiscard]] std::int64_t prefix_len() const { return input_len * cache_hit_pct / 100; }
  [[nodiscard]] std::int64_t own_len() const { return input_len - prefix_len(); }
};

/// A flag comes before its variable, and an empty variable is no variable. Throws
/// options::usage_error for flags and values that cannot be read, and base::error for a command
/// that cannot be split and for lengths beyond the longest of the model.
[[nodiscard]] tune_request parse_tune(std::span<const std::string> args,
                                      const options::environment& env);

/// Flags whose variables are not known yet; the other values are the defaults. Throws as
/// parse_tune(), except for lengths.
[[nodiscard]] tune_request read_flags(std::span<const std::string> args);

/// "128 256" or "128,256". Throws options::usage_error with `source` as position for an empty list,
/// for text that is no whole number from 1 to 1,000,000,000, and for a number that is there twice.
[[nodiscard]] std::vector<std::int64_t> read_list(std::string_view text, const std::string& source);

}  // namespace inferbench::tune
