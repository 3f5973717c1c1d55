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
  std::uint16_t port = 0;  // given, else 80 or 443
  std::string target;      // path and query as given; empty when there is none
  std::string socket{};    // path of a unix socket, host being localhost; empty: TCP

  /// What the Host header says: brackets around IPv6, the port unless it is the
  /// scheme's own.
  [[nodiscard]] std::string authority() const;
  /// The same with the port in any case, as CONNECT wants it.
  [[nodiscard]] std::string host_and_port() const;
  /// "http://[::1]:8000/v1", "unix:/run/server.sock:/v1"
  [[nodiscard]] std::string text() const;
  /// Scheme, host and port are the same: one server.
  [[nodiscard]] bool same_origin(const url& other) const noexcept;
};

/// Reads "http://host:8000/prefix", https:// likewise, "unix:/path/to/socket" and
/// "unix:/path/to/socket:/prefix". A missing scheme, another scheme, an empty or
/// malformed host, a bad port, user:password@, a fragment, blanks and control
/// characters, the path of a socket that is relative or too long throw base::error at
/// `where` with a remedy. The target is not normalised: a base URL and an endpoint are
/// joined as they are.
[[nodiscard]] url parse_url(std::string_view text, const base::source_position& where = {});

}  // namespace inferbench::transport
