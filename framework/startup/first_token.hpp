// The first token of a server that has just started.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "transport/resolver.hpp"
#include "transport/sse.hpp"

namespace inferbench::startup {

/// The answer to one request with max_tokens 1. Times are those of the clock, in ns.
struct first_token {
  std::uint64_t sent_ns = 0;   // when the connection for the request was begun
  std::uint64_t token_ns = 0;  // when the text of the token had arrived
  std::uint64_t ended_ns = 0;  // when the answer had ended
  bool answered = false;       // the answer had a status
  std::string error{};         // why there is no token: a clause; the other members mean nothing
};

struct first_token_request {
  std::string model;      // as the server names it
  std::string api_key{};  // for the header Authorization; empty: none
  std::uint64_t timeout_ns = 0;
  std::function<bool()> stop{};  // see transport::fetch_request
};

/// The body of the request: a streaming completion of one token.
[[nodiscard]] std::string first_token_body(std::string_view model);

/// Reads the streamed answer of a completion: finds the first event with a choice. Answers that are
/// a plain JSON object, of servers that do not stream, count as one event at their end.
class token_reader {
 public:
  void add(std::string_view bytes, std::uint64_t stamp);
  /// The answer has ended.
  void finish();

  /// The stamp of the first choice; 0: there was none.
  [[nodiscard]] std::uint64_t token_ns() const noexcept { return token_ns_; }
  /// Why there is no token; empty if there is one. Valid after finish().
  [[nodiscard]] std::string error() const;

 private:
  void take(std::string_view data, std::uint64_t stamp);

  static constexpr std::size_t most_event_bytes = 1024 * 1024;

  transport::sse_parser events_{most_event_bytes};
  std::uint64_t token_ns_ = 0;
  std::string error_;  // of the server
};

/// Sends POST /v1/completions and reads the answer to its end. Errors are in the result: a server
/// that is ready and cannot answer has started nevertheless.
[[nodiscard]] first_token fetch_first_token(const transport::endpoint& where,
                                            const first_token_request& what,
                                            const base::clock& clock);

/// The name of the first model of GET /v1/models; empty if the server lists none.
[[nodiscard]] std::string first_model(const transport::endpoint& where, const std::string& api_key,
                                      const std::function<bool()>& stop, const base::clock& clock);

}  // namespace inferbench::startup
