// The other side of a connection, on 127.0.0.1, with blocking calls for the test.
#pragma once

#include <array>
#include <cstring>
#include <string>
#include <string_view>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "base/fd.hpp"
#include "transport/event_loop.hpp"
#include "transport/resolver.hpp"

namespace inferbench::transport::test {

/// A bound socket; without listen() its port refuses connections.
class loopback {
 public:
  explicit loopback(bool listening = true, int backlog = 128)
      : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in name{};
    name.sin_family = AF_INET;
    name.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof name;
    EXPECT_EQ(::bind(socket_.get(), reinterpret_cast<sockaddr*>(&name), size), 0);
    EXPECT_EQ(::getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&name), &size), 0);
    if (listening) {
      EXPECT_EQ(::listen(socket_.get(), backlog), 0);
    }
    std::memcpy(&address_.storage, &name, size);
    address_.size = size;
    port_ = ntohs(name.sin_port);
  }

  [[nodiscard]] const address& where() const { return address_; }
  [[nodiscard]] int fd() const { return socket_.get(); }
  [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
  [[nodiscard]] base::fd accept() const {
    base::fd peer(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    EXPECT_TRUE(peer);
    return peer;
  }

 private:
  base::fd socket_;
  address address_;
  std::uint16_t port_ = 0;
};

inline void write_all(const base::fd& peer, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto n = ::send(peer.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n <= 0) return;  // the client has closed the connection
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

/// Reads at least `size` bytes, or up to EOF.
inline std::string read_some(const base::fd& peer, std::size_t size) {
  std::string out;
  std::array<char, 65536> buffer{};
  while (out.size() < size) {
    const auto n = ::recv(peer.get(), buffer.data(), buffer.size(), 0);
    if (n <= 0) break;
    out.append(buffer.data(), static_cast<std::size_t>(n));
  }
  return out;
}

/// Reads the bytes that are there, without waiting.
inline std::string read_now(const base::fd& peer) {
  std::string out;
  std::array<char, 65536> buffer{};
  for (;;) {
    const auto n = ::recv(peer.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (n <= 0) return out;
    out.append(buffer.data(), static_cast<std::size_t>(n));
  }
}

/// Closes with a reset instead of a FIN.
inline void reset(base::fd peer) {
  const linger hard{1, 0};
  ::setsockopt(peer.get(), SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
}

/// Runs the loop until `done`; fails the test after 20 s. `wait`: false if `done` does work that
/// the loop cannot see.
template <typename predicate>
void run_until(event_loop& loop, predicate&& done, bool wait = true) {
  bool too_late = false;
  auto give_up = [&](std::uint64_t) { too_late = true; };
  timer watchdog(timer::action::of(give_up));
  const base::monotonic_clock real;
  loop.arm(watchdog, real.now() + 20 * base::ns_per_s);
  while (!done() && !too_late)
    loop.run_once(wait);
  EXPECT_FALSE(too_late) << "nothing happened for 20 s";
}

}  // namespace inferbench::transport::test
