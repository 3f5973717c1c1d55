// Two connected sockets without addresses.
#pragma once

#include <array>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include "base/fd.hpp"

namespace inferbench::transport::test {

struct socket_pair {
  socket_pair() {
    std::array<int, 2> ends{-1, -1};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()), 0);
    near = base::fd(ends[0]);
    far = base::fd(ends[1]);
    const int flags = ::fcntl(near.get(), F_GETFL);
    EXPECT_EQ(::fcntl(near.get(), F_SETFL, flags | O_NONBLOCK), 0);
  }

  base::fd near;  // does not block
  base::fd far;
};

}  // namespace inferbench::transport::test
