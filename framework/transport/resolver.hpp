// From a host name to addresses, once per run: no request waits for DNS.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <sys/socket.h>

#include "transport/url.hpp"

namespace inferbench::transport {

struct address {
  sockaddr_storage storage{};
  socklen_t size = 0;

  [[nodiscard]] const sockaddr* get() const noexcept {
    return reinterpret_cast<const sockaddr*>(&storage);
  }
  [[nodiscard]] int family() const noexcept { return storage.ss_family; }
  /// "127.0.0.1:8000", "[::1]:8000"
  [[nodiscard]] std::string text() const;
};

/// A server as connections see it. Immutable; workers share one.
struct endpoint {
  url where;
  std::vector<address> addresses;  // at least one, in the resolver's order
};

/// Blocks in getaddrinfo. Throws base::error: https (this build speaks plain http),
/// no such host (with the system's reason).
[[nodiscard]] endpoint resolve(const url& where);

}  // namespace inferbench::transport
