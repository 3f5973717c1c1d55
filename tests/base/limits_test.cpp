#include "base/limits.hpp"

#include <cerrno>

#include <gtest/gtest.h>
#include <sys/resource.h>

namespace inferbench::base {
namespace {

TEST(raise_descriptor_limit, opens_what_the_system_allows_and_says_how_much_that_is) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit few{16, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  const std::size_t said = raise_descriptor_limit();
  rlimit after{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &after), 0);
  EXPECT_EQ(said, after.rlim_cur);
  EXPECT_GE(after.rlim_cur, before.rlim_max);
}

TEST(is_shortage, tells_this_machine_from_the_other) {
  EXPECT_TRUE(is_shortage(EADDRNOTAVAIL));
  EXPECT_TRUE(is_shortage(EMFILE));
  EXPECT_FALSE(is_shortage(ECONNREFUSED));
  EXPECT_FALSE(is_shortage(0));
}

}  // namespace
}  // namespace inferbench::base
