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

struct address {
  sockaddr_storage storage{};
  socklen_t size = 0;

  [[nodiscard]] const sockaddr* get() const noexcept {
    return reinterpret_cast<const sockaddr*>(&storage);
  }
  [[nodiscard]] int family() const noexcept { return storage.ss_family; }
  /// The address as text: "127.0.0.1:8000", "[::1]:8000" or "/run/server.sock".
  [[nodiscard]] std::string text() const;
};

/// Longest path of a unix socket, in bytes.
constexpr std::size_t max_unix_path = 107;

/// The address of a unix socket. `path` has at most max_unix_path bytes.
[[nodiscard]] address unix_address(std::string_view path) noexcept;

/// The bytes of an IP address, in network order.
class ip_number {
 public:
  /// Reads "127.0.0.1", "::1" or "fe80::1%eth0" (the zone is dropped).
  [[nodiscard]] static std::optional<ip_number> parse(std::string_view text);

  /// True if the family and the first `bits` bits are equal; by default all bits are compared.
  [[nodiscard]] bool matches(const ip_number& other, std::size_t bits = 128) const noexcept;
  [[nodiscard]] std::size_t bits() const noexcept { return size_ * 8; }
  /// The address as text: "127.0.0.1" or "::1".
  [[nodiscard]] std::string text() const;

 private:
  std::array<std::uint8_t, 16> bytes_{};
  std::size_t size_ = 0;  // number of used bytes: 4 or 16
};

}  // namespace inferbench::transport
