// Tests of fetch() over TLS.
#include <string>

#include <gtest/gtest.h>

#include "framework/transport/fetch_servers.hpp"
#include "framework/transport/tls_side.hpp"
#include "transport/fetch.hpp"

namespace inferbench::transport {
namespace {

using test::clock_;
using test::hello;
using test::secure_fetch;
using test::secure_server;

TEST_F(secure_fetch, reads_an_answer_over_tls_that_ends_without_goodbye) {
  secure_server server(good, "HTTP/1.0 200 OK\r\n\r\n" + std::string(100000, 'x'));
  const fetch_result result =
      fetch(clock_, resolve(parse_url("https://127.0.0.1:" + server.port()), routes), {});
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.body.size(), 100000U);
  EXPECT_TRUE(server.heard().starts_with("GET / HTTP/1.1\r\nHost: 127.0.0.1:" + server.port()));
}

TEST_F(secure_fetch, keeps_the_status_of_an_error_whose_connection_breaks) {
  const auto get = [&](const std::string& status) {
    secure_server server(good, "HTTP/1.1 " + status + "\r\nContent-Length: 100\r\n\r\nlater", {},
                         "garbage");
    return fetch(clock_, resolve(parse_url("https://127.0.0.1:" + server.port()), routes), {});
  };
  const fetch_result result = get("503 Busy");
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.status, 503U);
  EXPECT_EQ(result.body, "later");
  EXPECT_TRUE(get("200 OK").error.starts_with("no answer from ")) << "the body is needed";
}

TEST_F(secure_fetch, says_that_a_certificate_is_not_trusted) {
  secure_server server(test::make_identity(), "");
  const fetch_result result =
      fetch(clock_, resolve(parse_url("https://127.0.0.1:" + server.port()), routes), {});
  const std::string where = "127.0.0.1:" + server.port();
  EXPECT_EQ(result.error, "no connection to https://" + where + ": the certificate of " + where +
                              " is not trusted: self-signed certificate");
  EXPECT_EQ(result.remedy, "name its authority with --ca-cert, or accept any with --insecure");
}

TEST_F(secure_fetch, goes_through_a_tunnel) {
  secure_server server(good, hello, "HTTP/1.1 200 OK\r\n\r\n");
  routes.proxies.https = "127.0.0.1:" + server.port();
  const fetch_result result =
      fetch(clock_, resolve(parse_url("https://localhost:8443/v1"), routes), {});
  EXPECT_EQ(result.error, "");
  EXPECT_EQ(result.body, "hello");
  EXPECT_TRUE(server.asked().starts_with("CONNECT localhost:8443 HTTP/1.1\r\n")) << server.asked();
  EXPECT_TRUE(server.heard().starts_with("GET /v1 HTTP/1.1\r\nHost: localhost:8443\r\n"));
}

}  // namespace
}  // namespace inferbench::transport
