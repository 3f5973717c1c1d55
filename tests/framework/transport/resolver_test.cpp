#include "transport/resolver.hpp"

#include <string>

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

TEST(resolver, has_no_tls_and_no_proxy_where_nobody_asks_for_them) {
  const endpoint plain = resolve(parse_url("http://127.0.0.1:8000"));
  EXPECT_EQ(plain.tls, nullptr);
  EXPECT_EQ(plain.proxy + plain.tunnel + plain.absolute + plain.proxy_authorization, "");
}

TEST(resolver, shares_the_tls_it_is_given_and_makes_one_where_it_is_given_none) {
  const route_options routes{{}, std::make_shared<const tls_context>()};
  EXPECT_EQ(resolve(parse_url("https://127.0.0.1"), routes).tls, routes.tls);
  EXPECT_NE(resolve(parse_url("https://127.0.0.1")).tls, nullptr);
}

TEST(resolver, leaves_the_name_of_a_server_to_its_proxy) {
  const route_options routes{{"http://me:pass@127.0.0.1:3128", "127.0.0.1:3129", {}}, {}};
  const endpoint plain = resolve(parse_url("http://no-such-host.invalid:8000/v1"), routes);
  ASSERT_EQ(plain.addresses.size(), 1U);
  EXPECT_EQ(plain.addresses[0].text(), "127.0.0.1:3128");
  EXPECT_EQ(plain.proxy, "127.0.0.1:3128");
  EXPECT_EQ(plain.absolute, "http://no-such-host.invalid:8000");
  EXPECT_EQ(plain.proxy_authorization, "Basic bWU6cGFzcw==");
  EXPECT_EQ(plain.tunnel, "");

  const endpoint secure = resolve(parse_url("https://no-such-host.invalid/v1"), routes);
  EXPECT_EQ(secure.addresses[0].text(), "127.0.0.1:3129");
  EXPECT_EQ(secure.tunnel,
            "CONNECT no-such-host.invalid:443 HTTP/1.1\r\nHost: no-such-host.invalid:443\r\n\r\n");
  EXPECT_EQ(secure.absolute + secure.proxy_authorization, "");
}

TEST(resolver, authorises_a_tunnel_and_puts_ipv6_into_brackets) {
  const route_options routes{{{}, "http://me:pass@127.0.0.1:3128", {}}, {}};
  EXPECT_EQ(resolve(parse_url("https://[::1]"), routes).tunnel,
            "CONNECT [::1]:443 HTTP/1.1\r\nHost: [::1]:443\r\n"
            "Proxy-Authorization: Basic bWU6cGFzcw==\r\n\r\n");
}

/// A label of more than 63 characters: no name server is asked.
const std::string unknown = std::string(64, 'a') + ".invalid";

TEST(resolver, names_a_proxy_that_cannot_be_found) {
  try {
    (void)resolve(parse_url("http://127.0.0.1"), {{"http://" + unknown, {}, {}}, {}});
    FAIL();
  } catch (const base::error& e) {
    EXPECT_NE(
        e.message().find("cannot find the host " + unknown + " of the proxy " + unknown + ":80"),
        std::string::npos)
        << e.message();
  }
}

TEST(resolver, takes_a_socket_as_it_is) {
  const endpoint local =
      resolve(parse_url("unix:/run/a.sock:/v1"), {{"http://proxy:1", {}, {}}, {}});
  ASSERT_EQ(local.addresses.size(), 1U);
  EXPECT_EQ(local.addresses[0].text(), "/run/a.sock");
  EXPECT_EQ(local.absolute, "");
}

TEST(resolver, names_the_host_that_cannot_be_found) {
  try {
    (void)resolve(parse_url("http://" + unknown + ":8000"));
    FAIL();
  } catch (const base::error& e) {
    EXPECT_NE(
        e.message().find("cannot find the host " + unknown + " of http://" + unknown + ":8000: "),
        std::string::npos);
    EXPECT_FALSE(e.remedy().empty());
  }
}

}  // namespace
}  // namespace inferbench::transport
