// Servers on [::1] and on unix sockets; loopback.hpp has the servers on 127.0.0.1.
#pragma once

#include <cstring>
#include <string>

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "base/fd.hpp"
#include "transport/address.hpp"

namespace inferbench::transport::test {

class local_listener {
 public:
  explicit local_listener(const address& where, int backlog = 128)
      : socket_(::socket(where.family(), SOCK_STREAM | SOCK_CLOEXEC, 0)), where_(where) {
    bound_ = ::bind(socket_.get(), where_.get(), where_.size) == 0;
    if (!bound_) return;
    EXPECT_EQ(::listen(socket_.get(), backlog), 0);
    if (where_.family() == AF_INET6)
      ::getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&where_.storage), &where_.size);
  }

  /// False if the machine has no IPv6.
  [[nodiscard]] bool bound() const { return bound_; }
  [[nodiscard]] const address& where() const { return where_; }
  [[nodiscard]] int fd() const { return socket_.get(); }
  [[nodiscard]] base::fd accept() const {
    base::fd peer(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    EXPECT_TRUE(peer);
    return peer;
  }

 private:
  base::fd socket_;
  address where_;
  bool bound_ = false;
};

inline address ipv6_loopback() {
  sockaddr_in6 name{};
  name.sin6_family = AF_INET6;
  name.sin6_addr = in6addr_loopback;
  address out;
  std::memcpy(&out.storage, &name, sizeof name);
  out.size = sizeof name;
  return out;
}

}  // namespace inferbench::transport::test
