// Parses the URL of a server into its parts. Used during set-up; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace inferbench::transport {

struct url {
  bool tls = false;        // true: https; false: http
  std::string host;        // a name, an IPv4 address, or an IPv6 address without brackets
  std::uint16_t port = 0;  // as given; the default is 80 or 443
  std::string target;      // path and query as given, with "/" before a query that has no path; may
                           // be empty
  std::string socket{};    // path of a unix socket, in which case host is "localhost"; empty: TCP

  /// The value of the Host header: the host, with brackets around an IPv6 address, and the port
  /// unless it is the default port of the scheme.
  [[nodiscard]] std::string authority() const;
  /// Like authority(), but always with the port, as CONNECT needs it.
  [[nodiscard]] std::string host_and_port() const;
  /// The whole URL: "http://[::1]:8000/v1" or "unix:/run/server.sock:/v1".
  [[nodiscard]] std::string text() const;
  /// True if scheme, host and port are equal.
  [[nodiscard]] bool same_origin(const url& other) const noexcept;
};

/// Parses "http://host:8000/prefix", the same with https://, "unix:/path/to/socket" and
/// "unix:/path/to/socket:/prefix". Throws base::error with the position `where` and a remedy for: a
/// missing or other scheme, an empty or malformed host, a bad port, user:password@, a fragment,
/// blanks, control characters, and a socket path that is relative or too long. The target is not
/// normalised: a base URL and an endpoint are joined without changes.
[[nodiscard]] url parse_url(std::string_view text, const base::source_position& where = {});

}  // namespace inferbench::transport
