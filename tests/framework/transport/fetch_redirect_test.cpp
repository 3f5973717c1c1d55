// Tests of the redirects that fetch() follows.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/clock.hpp"
#include "framework/transport/fetch_servers.hpp"
#include "framework/transport/local_listener.hpp"
#include "support/temporary_folder.hpp"
#include "transport/fetch.hpp"

namespace inferbench::transport {
namespace {

using test::clock_;
using test::hello;
using test::secure_fetch;
using test::secure_server;
using test::serial_server;

std::string moved(int status, const std::string& location) {
  return "HTTP/1.1 " + std::to_string(status) + " Moved\r\nLocation: " + location +
         "\r\nContent-Length: 0\r\n\r\n";
}

fetch_request with_key(const std::string& target) {
  fetch_request request;
  request.target = target;
  request.headers = {{"Authorization", "Bearer secret"}};
  return request;
}

TEST(fetch, follows_redirects_on_one_server_with_its_headers) {
  serial_server server({moved(301, "/v1/models/"), moved(302, "?a=b"), moved(307, "../x"), hello});
  const fetch_result result =
      fetch(clock_, resolve(parse_url(server.url() + "/prefix")), with_key("/v1/models"));
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.body, "hello");
  ASSERT_EQ(server.heads().size(), 4U);
  const std::vector<std::string> lines{"GET /prefix/v1/models HTTP", "GET /v1/models/ HTTP",
                                       "GET /v1/models/?a=b HTTP", "GET /v1/x HTTP"};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_TRUE(server.heads()[i].starts_with(lines[i])) << server.heads()[i];
    EXPECT_NE(server.heads()[i].find("Bearer secret"), std::string::npos);
  }
}

TEST(fetch, sends_no_secrets_to_another_server) {
  serial_server other({hello});
  serial_server server({moved(308, other.url() + "/there")});
  const fetch_result result = fetch(clock_, resolve(parse_url(server.url())), with_key("/here"));
  EXPECT_EQ(result.body, "hello");
  EXPECT_EQ(other.heads()[0], "GET /there HTTP/1.1\r\nHost: " + other.url().substr(7) +
                                  "\r\nConnection: close\r\n\r\n");
}

TEST(fetch, follows_no_more_than_five_redirects) {
  serial_server server({moved(303, "/1"), moved(303, "/2"), moved(303, "/3"), moved(303, "/4"),
                        moved(303, "/5"), moved(303, "/6")});
  const fetch_result result = fetch(clock_, resolve(parse_url(server.url())), with_key("/0"));
  EXPECT_EQ(result.error, server.url() + "/5 redirects, after 5 others");
  EXPECT_EQ(result.remedy, "give the final address with --base-url");
}

TEST(fetch, leaves_redirects_of_a_post_and_without_location_to_the_caller) {
  {
    serial_server server({moved(307, "/there")});
    fetch_request request = with_key("/here");
    request.method = "POST";
    EXPECT_EQ(fetch(clock_, resolve(parse_url(server.url())), request).status, 307U);
  }
  serial_server server({"HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n"});
  EXPECT_EQ(fetch(clock_, resolve(parse_url(server.url())), with_key("/here")).status, 302U);
}

TEST(fetch, does_not_follow_a_redirect_to_another_protocol) {
  serial_server server({moved(302, "ftp://a/")});
  EXPECT_EQ(fetch(clock_, resolve(parse_url(server.url())), with_key("/here")).error,
            server.url() + "/here redirects to an unusable address: the URL \"ftp://a/\" has the " +
                "scheme ftp");
}

TEST(fetch, does_not_follow_a_redirect_to_a_unix_socket) {
  // Not below TMPDIR, which may be long or contain blanks: a URL contains none.
  const support::temporary_folder folder{"/tmp"};
  const std::string location = "unix:" + folder.path("a.sock") + ":/x";
  const test::local_listener listener(resolve(parse_url(location)).addresses[0]);
  serial_server server({moved(302, location)});
  fetch_request request = with_key("/here");
  request.total_timeout_ns = base::ns_per_s;  // for a fetch that follows: no answer would come
  EXPECT_EQ(fetch(clock_, resolve(parse_url(server.url())), request).error,
            server.url() + "/here redirects to an unusable address: the URL \"" + location +
                "\" is that of a unix socket");
}

TEST(fetch, may_wait_without_a_limit) {
  for (const std::uint64_t limit : {std::uint64_t{0}, UINT64_MAX}) {
    serial_server server({moved(307, "/b"), hello});
    fetch_request request = with_key("/a");
    request.total_timeout_ns = limit;
    EXPECT_EQ(fetch(clock_, resolve(parse_url(server.url())), request).body, "hello");
  }
}

TEST_F(secure_fetch, follows_a_redirect_to_https_and_none_back) {
  secure_server server(good, hello);
  serial_server plain({moved(301, "https://127.0.0.1:" + server.port() + "/x")});
  fetch_request request = with_key("/x");
  request.routes = &routes;
  EXPECT_EQ(fetch(clock_, resolve(parse_url(plain.url())), request).body, "hello");
  EXPECT_EQ(server.heard().find("secret"), std::string::npos);

  secure_server back(good, moved(301, "http://127.0.0.1:1/x"));
  const std::string from = "https://127.0.0.1:" + back.port();
  EXPECT_EQ(fetch(clock_, resolve(parse_url(from), routes), request).error,
            from + "/x redirects to http://127.0.0.1:1/x, which is not followed");
}

}  // namespace
}  // namespace inferbench::transport
