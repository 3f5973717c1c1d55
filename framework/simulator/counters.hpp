// The server's counters, and their text on /metrics in Prometheus' format. A counter that vLLM has,
// too, has the same name as in vLLM.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "simulator/lateness.hpp"
#include "simulator/media_totals.hpp"
#include "simulator/structured_request.hpp"

namespace inferbench::simulator {

struct counters {
  std::uint64_t prompt_tokens = 0;
  std::uint64_t generation_tokens = 0;
  bool looks_up = true;              // there is a prefix cache, and its counters are shown
  std::uint64_t prefix_queries = 0;  // tokens looked up in the prefix cache
  std::uint64_t prefix_hits = 0;
  std::uint64_t finished_stop = 0;
  std::uint64_t finished_length = 0;
  std::uint64_t aborted = 0;  // the client closed the connection before the end of the answer
  std::uint64_t refused = 0;  // requests that were answered with an error status
  std::uint64_t connections = 0;
  std::uint64_t prefix_resets = 0;   // calls of /reset_prefix_cache
  std::uint64_t media_resets = 0;    // calls of /reset_mm_cache
  std::uint64_t encoder_resets = 0;  // calls of /reset_encoder_cache
  std::uint64_t events = 0;          // stream events with tokens
  std::uint64_t stalled = 0;  // stream events with tokens that waited because the client did not
                              // read
  lateness late;              // lateness of stream events with tokens that were paced and not
                              // stalled
  media_totals media;
  structure_totals structures;
  /// drafts[n]: the number of drafts with n accepted tokens; n is at most the length of a draft.
  /// Empty: no speculative decoding. The numbers are simulated: each event counts as one draft, and
  /// an event has one token more than its draft has accepted tokens.
  std::vector<std::uint64_t> drafts;

  void count_draft(std::uint64_t tokens_of_event) noexcept;
};

/// The text of the page. `running` and `waiting`: the number of requests at this moment.
[[nodiscard]] std::string metrics_text(const counters& counted, std::string_view model,
                                       std::uint64_t running, std::uint64_t waiting);

}  // namespace inferbench::simulator
