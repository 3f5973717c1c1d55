// What every request of a run shares: the codec that speaks the protocol and where
// and how its requests go, or the engine that performs them. Set up once, then read by
// all workers.
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

/// Lines about a backend that the user is told once, whatever request shows them. Any thread.
struct told_once {
  std::atomic<bool> fault = false;       // it breaks the contract
  std::atomic<bool> count = false;       // a number of tokens that no answer has
  std::atomic<bool> compressed = false;  // answers come in compressed blocks
};

struct backend {
  ifb_instance* instance = nullptr;
  /// Where there is one it takes the requests, and codec, servers, headers and what limits
  /// connections and messages are of no use.
  std::optional<client::engine> engine;
  plugin::codec codec{};
  /// All copies share it.
  std::shared_ptr<told_once> told = std::make_shared<told_once>();
  /// The plugin's.
  [[nodiscard]] const char* id() const noexcept {
    return (engine ? engine->ops.plugin : codec.plugin)->id;
  }

  /// At least one; request n goes to number n modulo their count.
  std::vector<const transport::endpoint*> servers;

  /// In increasing priority; a later one replaces an earlier one of the same name,
  /// and all replace what the codec says.
  std::vector<std::pair<std::string, std::string>> headers;

  // Time limits, 0: none.
  std::uint64_t connect_timeout_ns = 0;
  // Of an engine each event is a read, and the first is the first byte.
  std::uint64_t first_byte_timeout_ns = 0;  // from start to the answer's first byte
  std::uint64_t idle_timeout_ns = 0;        // between two reads of an answer
  std::uint64_t request_timeout_ns = 0;     // from start to end
  std::uint64_t stall_warning_ns = 0;       // a request that is silent for as long is named
  /// Time for the body of an error answer to come; after it the status alone is the reason.
  std::uint64_t error_body_timeout_ns = 2'000'000'000;

  // Memory limits: a request that is sent more fails.
  std::size_t max_error_body = 2048;       // of an error answer; more is not read
  std::size_t max_message = 64U << 20U;    // one event, one line, or an answer that is no stream
  std::uint64_t max_answer = 1ULL << 30U;  // all bytes of one answer, head included
};

}  // namespace inferbench::client
