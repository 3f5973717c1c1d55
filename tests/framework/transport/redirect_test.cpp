#include "transport/redirect.hpp"

#include <gtest/gtest.h>

namespace inferbench::transport {
namespace {

std::string to(const char* base, const char* location) {
  return redirected(parse_url(base), location).text();
}

TEST(redirect, may_be_absolute) {
  EXPECT_EQ(to("http://a/x", "https://b:8443/y?z=1#top"), "https://b:8443/y?z=1");
  EXPECT_EQ(to("https://a/x", "//b/y"), "https://b/y");
  EXPECT_EQ(to("http://a/x", "http://b"), "http://b");
}

TEST(redirect, may_be_relative_to_host_folder_or_page) {
  EXPECT_EQ(to("http://a:1/x/y?q=1", "/z"), "http://a:1/z");
  EXPECT_EQ(to("http://a/x/y?q=1", "z"), "http://a/x/z");
  EXPECT_EQ(to("http://a/x/y", "../z"), "http://a/z");
  EXPECT_EQ(to("http://a/x/y", "./z/."), "http://a/x/z/");
  EXPECT_EQ(to("http://a/x/y", "../../../z/.."), "http://a/");
  EXPECT_EQ(to("http://a/x/y?q=1", "?q=2"), "http://a/x/y?q=2");
  EXPECT_EQ(to("http://a", "z"), "http://a/z");
  EXPECT_EQ(to("http://a/x", "y?a=../b"), "http://a/y?a=../b");
  EXPECT_EQ(to("http://a/x", "y/a:b"), "http://a/y/a:b") << "no scheme: a slash comes first";
}

TEST(redirect, to_the_server_of_a_socket_stays_on_the_socket) {
  EXPECT_EQ(to("unix:/run/a.sock:/v1/models", "http://localhost/v1/models/"),
            "unix:/run/a.sock:/v1/models/");
  EXPECT_EQ(to("unix:/run/a.sock:/v1", "/v2"), "unix:/run/a.sock:/v2");
  EXPECT_EQ(to("unix:/run/a.sock:/v1", "http://other/v1"), "http://other/v1");
}

TEST(redirect, to_an_address_that_is_not_a_server_is_refused) {
  EXPECT_THROW((void)to("http://a", "ftp://b/"), base::error);
  EXPECT_THROW((void)to("http://a", "http://"), base::error);
  EXPECT_THROW((void)to("http://a", "javascript:alert(1)"), base::error);
  EXPECT_THROW((void)to("http://a", "http://me:secret@b/"), base::error);
}

TEST(redirect, to_a_unix_socket_is_refused) {
  for (const char* base : {"http://a", "http://localhost", "https://a", "unix:/run/a.sock"}) {
    EXPECT_THROW((void)to(base, "unix:/run/b.sock:/x"), base::error) << base;
    EXPECT_THROW((void)to(base, "UNIX:/run/b.sock"), base::error) << base;
  }
}

}  // namespace
}  // namespace inferbench::transport
