// The arguments and the environment of `perf run`, checked.
#pragma once

#include <cstdint>
#include <optional>
#include <regex>
#include <span>
#include <string>
#include <vector>

#include "options/environment.hpp"

namespace inferbench::perf {

/// A server that runs elsewhere.
struct remote_server {
  std::string host;
  std::int64_t port = 8000;
};

/// The number of requests of a point: `per_concurrency` for each concurrent request, within limits.
struct prompt_rule {
  std::int64_t per_concurrency = 1;
  std::int64_t least = 1;
  std::int64_t most = 1'000'000;

  [[nodiscard]] std::int64_t prompts(std::int64_t concurrency) const;
};

/// The limits of latency, in ms.
struct latency_limits {
  double ttft_ms = 3000;
  double tpot_ms = 100;
};

/// The search for the largest concurrency within the limits, after the points of the lists.
struct refinement_rule {
  latency_limits limits;
  int probes = 8;
  std::int64_t largest_concurrency = 1024;
};

struct run_request {
  std::string help;  // not empty: the caller prints this text and stops
  std::string tests_folder = "tests";
  std::string result_folder = "results";
  // Names of files in the folder of tests; empty: the name for the machine.
  std::string serving_file;
  std::string latency_file;
  std::string startup_file;
  std::string throughput_file;
  bool on_cpu = false;
  bool dry_run = false;
  std::optional<remote_server> remote;
  std::optional<std::regex> selector;  // of names of tests
  std::string model_filter;            // dry run only; empty: all
  std::string dtype_filter;            // dry run only; empty: all
  std::optional<prompt_rule> prompts;
  std::optional<refinement_rule> refinement;
  std::vector<std::string> serve_command;
  std::vector<std::string> bench_command;  // empty: this program
  std::uint64_t ready_timeout_s = 1200;
  std::optional<std::string> descriptions;  // of the page (page.hpp)
  std::vector<std::string> warnings;        // for the user

  [[nodiscard]] bool selects(const std::string& test) const;
};

/// Throws options::usage_error for flags and variables that cannot be read, and base::error for a
/// command that cannot be split and a token that is not one of Hugging Face.
[[nodiscard]] run_request parse_run(std::span<const std::string> args,
                                    const options::environment& env);

}  // namespace inferbench::perf
