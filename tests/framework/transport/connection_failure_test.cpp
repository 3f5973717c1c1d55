#include "transport/connection_failure.hpp"

#include <cerrno>

#include <gtest/gtest.h>

namespace inferbench::transport {
namespace {

TEST(connection_failure, is_in_the_words_of_the_system_unless_the_machine_has_too_little) {
  EXPECT_EQ(socket_error_text(ECONNREFUSED), "Connection refused");
  EXPECT_EQ(socket_error_text(EMFILE),
            "too many open files (raise ulimit -n, or use more --workers)");
  EXPECT_EQ(socket_error_text(EADDRNOTAVAIL),
            "no local port is free (too many connections, open or just closed, to one address)");
}

}  // namespace
}  // namespace inferbench::transport
