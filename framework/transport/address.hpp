// The target of a connection: an IP address with a port, or a unix socket.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <sys/socket.h>

namespace inferbench::transport {

/// A value, in the form that the system calls for sockets take.
struct address {
  sockaddr_storage storage{};
  socklen_t size = 0;  // used bytes of `storage`

  /// The pointer is valid as long as this object.
  [[nodiscard]] const sockaddr* get() const noexcept {
    return reinterpret_cast<const sockaddr*>(&storage);
  }
  /// AF_INET, AF_INET6 or AF_UNIX.
  [[nodiscard]] int family() const noexcept { return storage.ss_family; }
  /// The address as text: "127.0.0.1:8000", "[::1]:8000" or "/run/server.sock".
  [[nodiscard]] std::string text() const;
};

/// Longest path of a unix socket, in bytes: Linux has room for 108 with the final zero byte.
constexpr std::size_t max_unix_path = 107;

/// The address of a unix socket. `path` has at most max_unix_path bytes; the caller checks this.
[[nodiscard]] address unix_address(std::string_view path) noexcept;

/// An IPv4 or IPv6 address without a port. A value.
class ip_number {
 public:
  /// Reads "127.0.0.1", "::1" or "fe80::1%eth0" (the zone is dropped). Returns nullopt if `text` is
  /// not an IP address, for example a host name.
  [[nodiscard]] static std::optional<ip_number> parse(std::string_view text);

  /// True if both addresses have the same family and the same first `bits` bits; by default all
  /// bits are compared.
  [[nodiscard]] bool matches(const ip_number& other, std::size_t bits = 128) const noexcept;
  /// The length of the address in bits: 32 or 128.
  [[nodiscard]] std::size_t bits() const noexcept { return size_ * 8; }
  /// The address as text: "127.0.0.1" or "::1".
  [[nodiscard]] std::string text() const;

 private:
  std::array<std::uint8_t, 16> bytes_{};  // in network byte order
  std::size_t size_ = 0;                  // number of used bytes: 4 or 16
};

}  // namespace inferbench::transport
