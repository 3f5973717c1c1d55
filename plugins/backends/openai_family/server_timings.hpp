// The times that a server reports for a request, in the last events of an answer or in a whole
// answer. They are the server's own view: without the network and the client.
#pragma once

#include <optional>
#include <string_view>

namespace openai {

/// Seconds; nullopt: not reported.
struct server_timings {
  std::optional<double> queue;        // time in the server's queue
  std::optional<double> first_token;  // time to the first token

  [[nodiscard]] bool known() const noexcept { return queue || first_token; }
};

/// Reads the object "metrics" of vLLM (queue_time_ms, time_to_first_token_ms) or, if it is missing,
/// the object "timings" of llama.cpp, whose prompt_ms is the time from the end of the queue to the
/// first token. Values that are not finite numbers of at least 0 are ignored. A text without these
/// names is not parsed, so the call is cheap for other servers. `event` must be one JSON object.
[[nodiscard]] server_timings timings_of(std::string_view event);

}  // namespace openai
