#include "transport/proxy.hpp"

#include <gtest/gtest.h>

namespace inferbench::transport {
namespace {

std::string complaint(std::string_view text) {
  try {
    (void)parse_proxy(text);
  } catch (const base::error& e) {
    return e.what();
  }
  return "none";
}

TEST(proxy, is_read_with_and_without_scheme_port_and_path) {
  EXPECT_EQ(parse_proxy("http://proxy.example:3128").text(), "proxy.example:3128");
  EXPECT_EQ(parse_proxy("proxy.example:3128/").text(), "proxy.example:3128");
  EXPECT_EQ(parse_proxy("HTTP://proxy.example").text(), "proxy.example:80");
  EXPECT_EQ(parse_proxy("http://[::1]:3128").text(), "[::1]:3128");
  EXPECT_EQ(parse_proxy("http://[::1]:3128").host, "::1");
  EXPECT_EQ(parse_proxy("http://a").authorization, "");
}

TEST(proxy, takes_user_and_password_out_of_the_url) {
  EXPECT_EQ(parse_proxy("http://Aladdin:open%20sesame@a:1").authorization,
            "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
  EXPECT_EQ(parse_proxy("Aladdin:open sesame@a:1").authorization,
            "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==");
  EXPECT_EQ(parse_proxy("http://me@a").authorization, "Basic bWU6");
  EXPECT_EQ(parse_proxy("http://me:p%40:%zz%4@a").authorization, "Basic bWU6cEA6JXp6JTQ=")
      << "me:p@:%zz%4";
  EXPECT_EQ(parse_proxy("http://me:a@b@host:1").text(), "host:1");
}

TEST(proxy, that_cannot_be_used_is_refused_without_its_password) {
  const std::string remedy =
      "; correct --proxy or the variables HTTP_PROXY and HTTPS_PROXY, or go without: --proxy none";
  EXPECT_EQ(complaint("https://me:secret@a:1"),
            "cannot use a proxy with https://, only with http://" + remedy);
  EXPECT_EQ(complaint("socks5://a:1"),
            "cannot use a proxy with socks5://, only with http://" + remedy);
  EXPECT_EQ(complaint("http://me:secret@a:0"),
            "cannot use the proxy: the URL \"http://a:0\" has the port 0" + remedy);
  EXPECT_EQ(complaint("http://me:secret@"),
            "cannot use the proxy: the URL \"http://\" names no host" + remedy);
}

bool direct(const char* server, const char* no_proxy) {
  return goes_direct(parse_url(server), no_proxy);
}

TEST(no_proxy, names_hosts_and_domains) {
  EXPECT_TRUE(direct("http://a.example", "a.example"));
  EXPECT_TRUE(direct("http://A.Example", "b, a.EXAMPLE"));
  EXPECT_TRUE(direct("http://x.a.example", "a.example"));
  EXPECT_TRUE(direct("http://x.a.example", ".a.example"));
  EXPECT_TRUE(direct("http://a.example", ".a.example"));
  EXPECT_TRUE(direct("http://a.example.", "a.example"));
  EXPECT_FALSE(direct("http://xa.example", "a.example"));
  EXPECT_FALSE(direct("http://example", "a.example"));
  EXPECT_FALSE(direct("http://a.example", ""));
  EXPECT_FALSE(direct("http://a.example", ",, ."));
  EXPECT_TRUE(direct("http://a.example", "b c\ta.example"));
}

TEST(no_proxy, names_everything_with_a_star) {
  EXPECT_TRUE(direct("http://a", "*"));
  EXPECT_TRUE(direct("http://10.0.0.1", "x,*"));
  EXPECT_FALSE(direct("http://a.b", "*.b")) << "a star matches everything or nothing";
}

TEST(no_proxy, may_be_for_one_port) {
  EXPECT_TRUE(direct("http://a:8000", "a:8000"));
  EXPECT_FALSE(direct("http://a:8001", "a:8000"));
  EXPECT_TRUE(direct("https://a", "a:443"));
  EXPECT_TRUE(direct("http://10.0.0.1:8000", "10.0.0.1:8000"));
  EXPECT_TRUE(direct("http://[::1]:8000", "[::1]:8000"));
  EXPECT_FALSE(direct("http://[::1]:8001", "[::1]:8000"));
}

TEST(no_proxy, names_addresses_and_ranges) {
  EXPECT_TRUE(direct("http://10.1.2.3", "10.1.2.3"));
  EXPECT_TRUE(direct("http://10.1.2.3", "10.0.0.0/8"));
  EXPECT_FALSE(direct("http://11.1.2.3", "10.0.0.0/8"));
  EXPECT_TRUE(direct("http://[fd00::7]", "fd00::/8"));
  EXPECT_TRUE(direct("http://[::1]", "::1"));
  EXPECT_TRUE(direct("http://[::1]", "[::1]"));
  EXPECT_TRUE(direct("http://[0:0::1]", "::1"));
  EXPECT_FALSE(direct("http://10.1.2.3", "2.3")) << "an address is not a domain";
  EXPECT_FALSE(direct("http://10.1.2.3", "10.0.0.0/33"));
  EXPECT_FALSE(direct("http://10.1.2.3", "10.0.0.0/x"));
  EXPECT_FALSE(direct("http://ten.example", "10.0.0.0/8"));
}

TEST(no_proxy, takes_loopback_as_any_other_host) {
  EXPECT_FALSE(direct("http://127.0.0.1", "a"));
  EXPECT_FALSE(direct("http://localhost", "a"));
}

TEST(proxy, is_chosen_by_scheme_and_never_for_a_socket) {
  const proxy_settings both{"http://plain:1", "http://secure:2", "direct.example"};
  EXPECT_EQ(proxy_for(parse_url("http://a"), both).value().host, "plain");
  EXPECT_EQ(proxy_for(parse_url("https://a"), both).value().host, "secure");
  EXPECT_FALSE(proxy_for(parse_url("https://direct.example"), both));
  EXPECT_FALSE(proxy_for(parse_url("unix:/run/a.sock"), both));
  EXPECT_FALSE(proxy_for(parse_url("http://a"), {}));
}

}  // namespace
}  // namespace inferbench::transport
