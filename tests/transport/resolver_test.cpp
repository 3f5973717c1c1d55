#include "transport/resolver.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace inferbench::transport {
namespace {

TEST(resolver, reads_numeric_addresses) {
  const endpoint v4 = resolve(parse_url("http://127.0.0.1:8000/v1"));
  ASSERT_EQ(v4.addresses.size(), 1U);
  EXPECT_EQ(v4.addresses[0].family(), AF_INET);
  EXPECT_EQ(v4.addresses[0].text(), "127.0.0.1:8000");
  EXPECT_EQ(v4.where.target, "/v1");
  const endpoint v6 = resolve(parse_url("http://[::1]:8000"));
  ASSERT_EQ(v6.addresses.size(), 1U);
  EXPECT_EQ(v6.addresses[0].text(), "[::1]:8000");
}

TEST(resolver, says_that_https_has_to_wait_and_what_to_do) {
  try {
    (void)resolve(parse_url("https://127.0.0.1"));
    FAIL();
  } catch (const base::error& e) {
    EXPECT_STREQ(e.what(),
                 "https is not supported by this build yet, asked for by https://127.0.0.1; "
                 "use http://, or a local proxy that speaks https to the server");
  }
}

TEST(resolver, names_the_host_that_cannot_be_found) {
  try {
    (void)resolve(parse_url("http://no-such-host.invalid:8000"));
    FAIL();
  } catch (const base::error& e) {
    EXPECT_NE(e.message().find("cannot find the host no-such-host.invalid of "
                               "http://no-such-host.invalid:8000: "),
              std::string::npos);
    EXPECT_FALSE(e.remedy().empty());
  }
}

}  // namespace
}  // namespace inferbench::transport
