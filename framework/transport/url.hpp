// The parts of a server's URL. Set-up, any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace inferbench::transport {

struct url {
  bool tls = false;        // https
  std::string host;        // name, IPv4 or IPv6 without brackets; as given
  std::uint16_t port = 0;  // as given, otherwise 80 or 443
  std::string target;      // path and query as given; may be empty
  std::string socket{};    // path of a unix socket, host is then localhost; empty: TCP

  /// The value of the Host header: brackets around IPv6, the port unless it is the scheme's
  /// default.
  [[nodiscard]] std::string authority() const;
  /// The same, always with the port, as CONNECT needs it.
  [[nodiscard]] std::string host_and_port() const;
  /// "http://[::1]:8000/v1", "unix:/run/server.sock:/v1"
  [[nodiscard]] std::string text() const;
  /// True if scheme, host and port are the same.
  [[nodiscard]] bool same_origin(const url& other) const noexcept;
};

/// Reads "http://host:8000/prefix", https:// likewise, "unix:/path/to/socket" and
/// "unix:/path/to/socket:/prefix". Throws base::error at `where`, with a remedy, for a missing
/// scheme, another scheme, an empty or malformed host, a bad port, user:password@, a fragment,
/// blanks and control characters, and for a socket path that is relative or too long. The target is
/// not normalised: a base URL and an endpoint are joined as they are.
[[nodiscard]] url parse_url(std::string_view text, const base::source_position& where = {});

}  // namespace inferbench::transport
