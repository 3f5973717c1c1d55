#include "transport/address.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>

#include <arpa/inet.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/un.h>

namespace inferbench::transport {

static_assert(sizeof(sockaddr_un::sun_path) == max_unix_path + 1);

std::string address::text() const {
  if (family() == AF_UNIX) {
    const auto& name = reinterpret_cast<const sockaddr_un&>(storage);
    return name.sun_path;
  }
  std::array<char, NI_MAXHOST> host{};
  std::array<char, NI_MAXSERV> port{};
  if (::getnameinfo(get(), size, host.data(), host.size(), port.data(), port.size(),
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0)
    return "unknown address";
  const bool ipv6 = family() == AF_INET6;
  std::string out(ipv6 ? "[" : "");
  return out.append(host.data()).append(ipv6 ? "]:" : ":").append(port.data());
}

address unix_address(std::string_view path) noexcept {
  address out;
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  const std::size_t size = std::min(path.size(), max_unix_path);
  std::memcpy(name.sun_path, path.data(), size);
  std::memcpy(&out.storage, &name, sizeof name);
  out.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + size + 1);
  return out;
}

std::optional<ip_number> ip_number::parse(std::string_view text) {
  ip_number out;
  std::string plain(text);
  if (::inet_pton(AF_INET, plain.c_str(), out.bytes_.data()) == 1) {
    out.size_ = 4;
    return out;
  }
  plain.resize(std::min(plain.find('%'), plain.size()));
  if (::inet_pton(AF_INET6, plain.c_str(), out.bytes_.data()) != 1) return std::nullopt;
  out.size_ = 16;
  return out;
}

bool ip_number::matches(const ip_number& other, std::size_t bits) const noexcept {
  if (size_ != other.size_) return false;
  bits = std::min(bits, this->bits());
  const std::size_t whole = bits / 8;
  if (std::memcmp(bytes_.data(), other.bytes_.data(), whole) != 0) return false;
  const auto mask = static_cast<std::uint8_t>(0xFF00U >> (bits % 8));
  return bits % 8 == 0 || ((bytes_[whole] ^ other.bytes_[whole]) & mask) == 0;
}

std::string ip_number::text() const {
  std::array<char, INET6_ADDRSTRLEN> out{};
  ::inet_ntop(size_ == 4 ? AF_INET : AF_INET6, bytes_.data(), out.data(), out.size());
  return out.data();
}

}  // namespace inferbench::transport
