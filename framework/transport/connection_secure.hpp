// The part of a connection that only TLS and tunnels need. Only connection*.cpp include this file.
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
  std::unique_ptr<http1_response_parser> tunnel{};  // set while the tunnel is being requested
  std::unique_ptr<tls_stream> tls{};                // set from the handshake on
  std::size_t encrypted = 0;                        // bytes of unsent_ that are in tls->unsent()
  std::uint64_t began_at = 0;                       // when the handshake began
};

}  // namespace inferbench::transport
