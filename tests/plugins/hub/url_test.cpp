#include "common/hub/url.hpp"

#include <gtest/gtest.h>

namespace hub {
namespace {

TEST(url, resolves_a_redirect_as_a_browser_does) {
  EXPECT_EQ(resolved("http://a:1/x/y?q", "/z?r=%20"), "http://a:1/z?r=%20");
  EXPECT_EQ(resolved("http://a/x/y", "z"), "http://a/x/z");
  EXPECT_EQ(resolved("http://a/x", "https://b/c"), "https://b/c");
  EXPECT_EQ(resolved("https://a/x", "//b/c"), "https://b/c");
}

TEST(url, follows_nowhere_that_is_not_http_or_is_less_safe) {
  EXPECT_EQ(resolved("https://a/x", "http://a/x"), std::nullopt);
  EXPECT_EQ(resolved("http://a/x", "file:///etc/passwd"), std::nullopt);
  EXPECT_EQ(resolved("http://a/x", "ftp://a/x"), std::nullopt);
  EXPECT_EQ(resolved("not an address", "/x"), std::nullopt);
}

TEST(url, has_an_origin_of_scheme_host_and_port) {
  EXPECT_EQ(origin_of("https://Hub.example/a"), "https://hub.example:443");
  EXPECT_EQ(origin_of("http://hub.example:80/b"), origin_of("http://hub.example/a"));
  EXPECT_NE(origin_of("http://hub.example:81/b"), origin_of("http://hub.example/a"));
  EXPECT_NE(origin_of("https://hub.example"), origin_of("http://hub.example"));
  EXPECT_EQ(origin_of("/x"), "");
}

}  // namespace
}  // namespace hub
