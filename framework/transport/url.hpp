// The parts of an http URL. Set-up, any thread.
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

  /// What the Host header says: brackets around IPv6, the port unless it is the
  /// scheme's own.
  [[nodiscard]] std::string authority() const;
  /// "http://[::1]:8000/v1"
  [[nodiscard]] std::string text() const;
};

/// Reads "http://host:8000/prefix". A missing scheme, another scheme, an empty or
/// malformed host, a bad port, user:password@, a fragment, blanks and control
/// characters throw base::error at `where` with a remedy. https is read; whether it
/// can be spoken is for resolve() to say. The target is not normalised: a base URL
/// and an endpoint are joined as they are.
[[nodiscard]] url parse_url(std::string_view text, const base::source_position& where = {});

}  // namespace inferbench::transport
