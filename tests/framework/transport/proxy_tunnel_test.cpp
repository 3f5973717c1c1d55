#include "transport/proxy_tunnel.hpp"

#include <string_view>

#include <gtest/gtest.h>

namespace inferbench::transport {
namespace {

TEST(proxy_tunnel, leaves_the_bytes_after_the_answer_to_the_server) {
  proxy_tunnel subject;
  std::string_view bytes = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
  EXPECT_EQ(subject.feed(bytes), tunnel_step::open);
  EXPECT_EQ(bytes, "hello");
}

TEST(proxy_tunnel, takes_an_answer_in_parts_and_skips_interim_answers) {
  proxy_tunnel subject;
  std::string_view bytes = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 2";
  EXPECT_EQ(subject.feed(bytes), tunnel_step::more);
  EXPECT_EQ(bytes, "");
  bytes = "00\r\n\r\n";
  EXPECT_EQ(subject.feed(bytes), tunnel_step::open);
}

TEST(proxy_tunnel, a_refusal_has_status_reason_and_a_remedy_if_a_password_is_missing) {
  proxy_tunnel full;
  std::string_view bytes = "HTTP/1.1 502 Bad Gateway\r\n\r\n";
  EXPECT_EQ(full.feed(bytes), tunnel_step::refused);
  EXPECT_EQ(full.reason(), "HTTP 502 Bad Gateway");
  EXPECT_EQ(full.remedy(), "");

  proxy_tunnel locked;
  bytes = "HTTP/1.1 407\r\n\r\n";
  EXPECT_EQ(locked.feed(bytes), tunnel_step::refused);
  EXPECT_EQ(locked.reason(), "HTTP 407");
  EXPECT_EQ(locked.remedy(), "give its URL a user and a password: http://USER:PASSWORD@HOST:PORT");
}

TEST(proxy_tunnel, an_answer_that_is_not_http_is_a_refusal) {
  proxy_tunnel subject;
  std::string_view bytes = "SOCKS?\r\n\r\n";
  EXPECT_EQ(subject.feed(bytes), tunnel_step::refused);
  EXPECT_EQ(subject.reason(), "the answer does not begin with HTTP/1.");
}

}  // namespace
}  // namespace inferbench::transport
