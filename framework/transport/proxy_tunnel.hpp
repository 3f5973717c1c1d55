// The answer of a proxy to the request for a tunnel (CONNECT), without I/O. endpoint::tunnel is the
// request. Belongs to the thread of its connection.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "transport/http1_response_parser.hpp"

namespace inferbench::transport {

enum class tunnel_step : std::uint8_t {
  more,  // the fed bytes are used up
  open,  // the following bytes come from the server
  refused
};

class proxy_tunnel {
 public:
  proxy_tunnel();

  /// Takes bytes of the answer from the front of `received`. After `open`, the rest belongs to the
  /// server. Call this only until the result is not `more`.
  [[nodiscard]] tunnel_step feed(std::string_view& received);

  /// After `refused`: the reason, for instance "HTTP 502 Bad Gateway".
  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }
  /// After `refused`: advice for the user; may be empty.
  [[nodiscard]] const std::string& remedy() const noexcept { return remedy_; }

 private:
  http1_response_parser answer_;
  std::string reason_;
  std::string remedy_;
};

}  // namespace inferbench::transport
