// Starts a server once, measures how long it takes until it listens, is ready and has generated a
// token, and stops it.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "startup/first_token.hpp"
#include "transport/resolver.hpp"

namespace inferbench::startup {

struct server_start_setup {
  std::vector<std::string> command;            // the program and its arguments; no shell
  std::vector<std::string> extra_environment;  // NAME=value
  transport::endpoint where;                   // of the server
  /// Answers 2xx when the server is ready. nullopt: /health, and if the server has no such path
  /// (404, 405 or 501), /v1/models.
  std::optional<std::string> ready_path;
  bool first_token = true;
  std::string model;    // of the request; empty: the first that the server lists
  std::string api_key;  // see first_token_request
  /// For the whole start, up to the end of the first answer.
  std::uint64_t timeout_ns = 1800 * base::ns_per_s;
  /// The time that the server has to end by itself after SIGTERM.
  std::uint64_t stop_timeout_ns = 30 * base::ns_per_s;
};

/// An event that was seen at `at_ns` and had not happened at `earliest_ns`. Times of the clock.
struct seen_moment {
  std::uint64_t at_ns = 0;
  std::uint64_t earliest_ns = 0;
};

struct server_start_times {
  std::uint64_t started_ns = 0;  // the process of the program was made
  seen_moment listening;         // a connection is accepted
  seen_moment ready;  // the answer 2xx has come; `earliest`: the last other answer was asked
                      // for
  std::string ready_path;
  std::optional<first_token> token;  // nullopt: not wanted
  std::uint64_t stop_ns = 0;         // the time that the server took to end after SIGTERM
  bool killed = false;               // it did not end in time, and SIGKILL has ended it
};

/// One start. The server and its processes are gone when the function returns or throws, and
/// nobody listens at its address any longer. Blocks; `stop` (Ctrl-C) ends it within 50 ms. A
/// first token that does not come is no error: see first_token::error.
///
/// Throws base::error if a process listens at the address already (before anything is started), if
/// the server cannot be started, ends before it is ready, or is not ready in time, with the last
/// lines of its output; if it ends before its first token; if its address is not free 10 s after
/// its end; and if `stop` was set.
///
/// `clock` must tell the time of std::chrono::steady_clock.
[[nodiscard]] server_start_times measure_server_start(const server_start_setup& setup,
                                                      const base::clock& clock,
                                                      const std::atomic<bool>& stop);

}  // namespace inferbench::startup
