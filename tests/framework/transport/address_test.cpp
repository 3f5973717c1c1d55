#include "transport/address.hpp"

#include <gtest/gtest.h>

namespace inferbench::transport {
namespace {

bool in(const char* number, const char* net, std::size_t bits) {
  return ip_number::parse(number).value().matches(ip_number::parse(net).value(), bits);
}

TEST(address, of_a_socket_is_its_path) {
  const address here = unix_address("/run/server.sock");
  EXPECT_EQ(here.family(), AF_UNIX);
  EXPECT_EQ(here.text(), "/run/server.sock");
  const std::string longest(max_unix_path, 'x');
  EXPECT_EQ(unix_address(longest).text(), longest);
}

TEST(ip_number, reads_both_families_and_nothing_else) {
  EXPECT_EQ(ip_number::parse("127.0.0.1").value().text(), "127.0.0.1");
  EXPECT_EQ(ip_number::parse("0:0::1").value().text(), "::1");
  EXPECT_EQ(ip_number::parse("fe80::1%eth0").value().text(), "fe80::1");
  for (const char* text : {"", "localhost", "127.0.0.1.1", "1.2.3", "::1::", "127.0.0.1%lo"})
    EXPECT_FALSE(ip_number::parse(text)) << text;
}

TEST(ip_number, matches_by_leading_bits_within_a_family) {
  EXPECT_TRUE(in("10.1.2.3", "10.0.0.0", 8));
  EXPECT_FALSE(in("11.1.2.3", "10.0.0.0", 8));
  EXPECT_TRUE(in("192.168.127.1", "192.168.0.0", 17));
  EXPECT_FALSE(in("192.168.128.1", "192.168.0.0", 17));
  EXPECT_TRUE(in("1.2.3.4", "9.9.9.9", 0));
  EXPECT_TRUE(in("1.2.3.4", "1.2.3.4", 32));
  EXPECT_FALSE(in("1.2.3.5", "1.2.3.4", 128)) << "more bits than there are";
  EXPECT_TRUE(in("fd00::1", "fd00::", 8));
  EXPECT_FALSE(in("::1", "0.0.0.0", 0));
}

}  // namespace
}  // namespace inferbench::transport
