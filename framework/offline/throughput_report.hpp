// The report of `inferbench throughput`. Pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "offline/result_file.hpp"
#include "offline/throughput_options.hpp"
#include "options/node.hpp"

namespace inferbench::offline {

/// A measured run. Plain data.
struct throughput_result {
  double elapsed_s = 0;             // the timed section
  std::uint64_t requests = 0;       // not multiplied by --n
  std::uint64_t prompt_tokens = 0;  // of all requests
  std::uint64_t output_tokens = 0;  // of all outputs of all requests
  bool media_not_counted = false;   // there are prompts with media, whose tokens are not counted
  // Further members of --output-json, each as name and JSON text: the energy of the GPUs.
  std::vector<std::pair<std::string, std::string>> energy{};

  [[nodiscard]] std::uint64_t total_tokens() const { return prompt_tokens + output_tokens; }
};

/// One request as the engine counts it.
struct request_tokens {
  std::int64_t expected_prompt = 0, expected_output = 0;  // of the sample
  std::int64_t prompt = -1, output = -1;  // of the engine, output of all outputs; -1: not known
  bool media = false;
};

/// Adds the tokens of all requests: those that the engine counts, or those of the samples if the
/// engine is vllm-async or hf or the requests have priorities, as upstream does, or if it does not
/// count. `elapsed_s`: duration of the timed section.
[[nodiscard]] throughput_result throughput_of(const throughput_options& options, double elapsed_s,
                                              std::span<const request_tokens> requests);

/// "Throughput: 7.15 requests/s, ..." and the lines of the tokens, each with a line break. With
/// media that are not counted, a warning in front of them, which is red if `colours`.
[[nodiscard]] std::string throughput_text(const throughput_result& result, bool colours);

/// The line of `inferbench prioritization`.
[[nodiscard]] std::string prioritization_text(const throughput_result& result);

/// The members of --output-json.
[[nodiscard]] options::node throughput_json(const throughput_result& result);
[[nodiscard]] std::vector<pytorch_metric> throughput_metrics(const throughput_result& result);

/// Throws base::error for a request that does not fit into the engine. `index`: its number from 0.
void require_fit(std::size_t index, std::int64_t prompt_len, std::int64_t output_len,
                 std::int64_t max_model_len);

}  // namespace inferbench::offline
