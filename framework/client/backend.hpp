// What every request of a run shares: the codec that speaks the protocol and where
// and how its requests go. Set up once, then read by all workers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inferbench/abi.h>

#include "plugin/operations.hpp"
#include "transport/resolver.hpp"

namespace inferbench::client {

struct backend {
  ifb_instance* instance = nullptr;
  plugin::codec codec{};
  const transport::endpoint* server = nullptr;

  /// In increasing priority; a later one replaces an earlier one of the same name,
  /// and all replace what the codec says.
  std::vector<std::pair<std::string, std::string>> headers;

  std::uint64_t connect_timeout_ns = 0;  // 0: none
  std::uint64_t request_timeout_ns = 0;  // from start to end; 0: none
  std::size_t max_error_body = 2048;     // of an error answer, kept in the record
  std::size_t max_body = 64U << 20U;     // of an answer that is not a stream
};

}  // namespace inferbench::client
