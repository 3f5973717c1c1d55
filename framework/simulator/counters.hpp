// The server's counters, and their text on /metrics: Prometheus' format, with
// vLLM's names where vLLM has the figure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/lateness.hpp"

namespace inferbench::simulator {

struct counters {
  std::uint64_t prompt_tokens = 0;
  std::uint64_t generation_tokens = 0;
  bool looks_up = true;              // there is a prefix cache, and its counters are shown
  std::uint64_t prefix_queries = 0;  // tokens looked up in it
  std::uint64_t prefix_hits = 0;
  std::uint64_t finished_stop = 0;
  std::uint64_t finished_length = 0;
  std::uint64_t aborted = 0;  // the client left before the end
  std::uint64_t refused = 0;  // answered with an error status
  std::uint64_t connections = 0;
  std::uint64_t events = 0;   // stream events with tokens
  std::uint64_t stalled = 0;  // of these, held up by a client that did not read
  lateness late;              // of those that were paced and not held up
  /// [n]: drafts of which n tokens were accepted; up to the length of a draft. Empty: no
  /// speculative decoding. The numbers are made up: one draft an event, and an event has one
  /// token more than were accepted.
  std::vector<std::uint64_t> drafts;

  void count_draft(std::uint64_t tokens_of_event) noexcept;
};

/// `running` and `waiting`: requests at this moment.
[[nodiscard]] std::string metrics_text(const counters& counted, std::string_view model,
                                       std::uint64_t running, std::uint64_t waiting);

}  // namespace inferbench::simulator
