// The data that all requests of a run share: the codec that speaks the protocol, the servers and
// the limits, or the engine that performs the requests. Set up once, then read by all workers.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inferbench/abi.h>

#include "plugin/operations.hpp"
#include "transport/resolver.hpp"

namespace inferbench::client {

struct engine {
  plugin::engine ops{};
};

/// Messages about a backend that the user gets once per run, not once per request. A member is true
/// if the user has got the message. Any thread.
struct told_once {
  std::atomic<bool> fault = false;       // message: the plugin breaks the contract
  std::atomic<bool> count = false;       // message: the plugin reports an impossible number of
                                         // tokens
  std::atomic<bool> compressed = false;  // message: answers come in compressed blocks
};

struct backend {
  ifb_instance* instance = nullptr;
  /// If set, the engine performs the requests, and codec, servers, headers and the limits of
  /// connections and messages are not used.
  std::optional<client::engine> engine;
  plugin::codec codec{};
  /// All copies of this struct share this object.
  std::shared_ptr<told_once> told = std::make_shared<told_once>();
  /// The id of the plugin.
  [[nodiscard]] const char* id() const noexcept {
    return (engine ? engine->ops.plugin : codec.plugin)->id;
  }

  /// At least one server; request n goes to server n modulo the number of servers.
  std::vector<const transport::endpoint*> servers;

  /// The API key, unless the codec authorizes its requests, and the user's headers, in increasing
  /// priority: a later header replaces an earlier header of the same name. They all replace headers
  /// of the codec.
  std::vector<std::pair<std::string, std::string>> headers;

  /// The name of a header with the session of the sample; empty: no such header. It replaces the
  /// headers of the same name. A sample without a session has no such header.
  std::string session_header;

  // Time limits; 0 means no limit.
  std::uint64_t connect_timeout_ns = 0;
  // An event of an engine counts as a read, and its first event as the first byte.
  std::uint64_t first_byte_timeout_ns = 0;  // from start to the answer's first byte
  std::uint64_t idle_timeout_ns = 0;        // between two reads of an answer
  std::uint64_t request_timeout_ns = 0;     // from start to end
  std::uint64_t stall_warning_ns = 0;       // a request from which nothing arrives for this time is
                                            // reported to the user
  /// Time for the body of an error answer to arrive. After this time, the error message contains
  /// only the status.
  std::uint64_t error_body_timeout_ns = 2'000'000'000;

  // Memory limits: a request whose answer exceeds a limit fails.
  std::size_t max_error_body = 2048;       // bytes of an error answer's body; further bytes are not
                                           // read, and the request fails anyway
  std::size_t max_message = 64U << 20U;    // one event, one line, or an answer that is not a stream
  std::uint64_t max_answer = 1ULL << 30U;  // all bytes of one answer, including the head
};

}  // namespace inferbench::client
