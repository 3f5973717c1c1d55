// The figures of the multi-turn mode of vLLM's Rust client: those of the conversations, and those
// of each turn. They come from the facts `conversations` and `turns`. A fact that is missing or
// that has another type counts as 0, as upstream counts a turn without a success. Pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/run_description.hpp>

#include "figures.hpp"
#include "json_value.hpp"

namespace reporters {

/// Returns the value of a flag of the user as JSON text; empty if it was not given.
[[nodiscard]] std::string_view flag_of(const ifb::run_description& run,
                                       std::string_view name) noexcept;

/// The settings of the mode, and the figures of all conversations.
struct multi_turn_run {
  std::uint64_t begun = 0;     // conversations
  std::uint64_t finished = 0;  // conversations with an answer to each request
  std::uint64_t failed = 0;    // conversations that ended with a failed request
  double mean_turns = 0;       // requests that were sent of a conversation
  double mean_duration_ms = 0;
  std::uint64_t turns = 3;        // of each conversation, as configured
  std::uint64_t concurrency = 0;  // most requests in flight; the conversations if there is no limit
  double turn_delay_ms = 0;
  bool separate_turns = false;  // a request does not contain the turns before it
  // The shares of a prompt that all prompts, and those of a conversation, have in common; only with
  // separate turns.
  double global_prefix = 0, conversation_prefix = 0;
};

/// Returns nullopt if the run is not in this mode: the fact `conversations` has no `multi_turn`.
[[nodiscard]] std::optional<multi_turn_run> multi_turn_run_of(const ifb::run_description& run,
                                                              const json_value& facts);

/// A latency of the successful requests of a turn, ms.
struct turn_latency {
  const ifb_metric* metric = nullptr;  // the names and the percentiles
  double mean = 0, median = 0, deviation = 0;
  std::vector<double> percentiles;  // in the order of the quantiles of `metric`
};

struct turn_result {
  std::uint64_t turn = 0;  // from 1; 0: all turns together
  bool and_later = false;  // the figures include those of later turns
  std::uint64_t completed = 0, failed = 0;
  std::uint64_t input = 0, output = 0;  // tokens of the successful requests
  double duration_s = 0;                // of the whole run
  std::vector<turn_latency> latencies;  // those of ttft, tpot, itl and e2el that are selected

  /// Returns an amount per second of the run; 0 for a run without a duration.
  [[nodiscard]] double rate(std::uint64_t amount) const noexcept {
    return duration_s > 0 ? static_cast<double>(amount) / duration_s : 0.0;
  }
};

/// Returns the figures of all turns together: those of the run. The metrics must outlive the
/// result, as for turn_results().
[[nodiscard]] turn_result all_turns(const figures& found);

/// Returns the figures of each turn, in the order of the turns.
[[nodiscard]] std::vector<turn_result> turn_results(const figures& found, const json_value& facts);

/// Returns a number as JSON; a whole number has no fraction: "500", "12.5".
[[nodiscard]] std::string json_number(double value);

}  // namespace reporters
