// What a connection with TLS has beside what a plain one has. For connection*.cpp only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "transport/connection.hpp"
#include "transport/http1_response_parser.hpp"
#include "transport/tls_stream.hpp"

namespace inferbench::transport {

struct connection::secure_side {
  tls_sessions* sessions;
  std::unique_ptr<http1_response_parser> tunnel{};  // while the proxy is asked
  std::unique_ptr<tls_stream> tls{};                // from the handshake on
  std::size_t encrypted = 0;                        // of unsent_: in tls->unsent()
  std::uint64_t began_at = 0;                       // the handshake
};

}  // namespace inferbench::transport
