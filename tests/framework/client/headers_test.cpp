#include "client/headers.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/client/fake_codec.hpp"

namespace inferbench::client {
namespace {

using ::testing::EndsWith;
using testing::fake_codec;
using ::testing::HasSubstr;
using ::testing::Not;

ifb_http_request get() {
  ifb_http_request out{};
  out.method = fake_codec::str("GET");
  out.target = fake_codec::str("/v1/x");
  return out;
}

class headers : public ::testing::Test {
 protected:
  std::string head_of(const ifb_http_request& request, std::string_view id = {},
                      std::uint32_t to = 0) {
    std::string out = "what was there before";
    EXPECT_TRUE(subject.write(out, to, request, id));
    return out;
  }

  transport::endpoint server{transport::parse_url("http://host:8000/base"), {}};
  transport::endpoint other{transport::parse_url("unix:/run/a.sock:/base"), {}};
  backend shared = [this] {
    backend out;
    out.servers = {&server, &other};
    return out;
  }();
  head_writer subject{shared};
};

TEST_F(headers, through_a_proxy_carry_the_whole_url_and_the_password_of_the_proxy) {
  server.absolute = "http://host:8000";
  server.proxy_authorization = "Basic bWU6cGFzcw==";
  const std::string head = head_of(get());
  EXPECT_THAT(head, HasSubstr("GET http://host:8000/base/v1/x HTTP/1.1\r\nHost: host:8000\r\n"));
  EXPECT_THAT(head, HasSubstr("Proxy-Authorization: Basic bWU6cGFzcw==\r\n"));
}

TEST_F(headers, of_the_user_replace_headers_for_the_proxy) {
  server.proxy_authorization = "Basic x";
  shared.headers = {{"proxy-authorization", "Bearer y"}};
  const std::string head = head_of(get());
  EXPECT_THAT(head, HasSubstr("proxy-authorization: Bearer y\r\n"));
  EXPECT_THAT(head, Not(HasSubstr("Basic x")));
}

TEST_F(headers, to_a_server_or_a_socket_have_no_trace_of_a_proxy) {
  const std::string head = head_of(get(), {}, 1);
  EXPECT_THAT(head, HasSubstr("GET /base/v1/x HTTP/1.1\r\nHost: localhost\r\n"));
  EXPECT_THAT(head, Not(HasSubstr("Proxy")));
}

TEST_F(headers, end_with_id_and_length_of_their_own_request) {
  const ifb_bytes body[] = {{"{\"a\"", 4}, {":1}", 3}};
  ifb_http_request request = get();
  const std::string first = head_of(request, "r-1");
  EXPECT_THAT(first, EndsWith("\r\nx-request-id: r-1\r\nContent-Length: 0\r\n\r\n"));
  request.body = body;
  request.body_count = 2;
  const std::string second = head_of(request, "r-23");
  EXPECT_THAT(second, EndsWith("\r\nx-request-id: r-23\r\nContent-Length: 7\r\n\r\n"));
  const auto shared_part = [](const std::string& head) {
    return head.substr(0, head.find("x-request-id"));
  };
  EXPECT_EQ(shared_part(first), shared_part(second));
}

TEST_F(headers, of_requests_that_differ_in_any_part_are_their_own) {
  const ifb_field one{fake_codec::str("A"), fake_codec::str("1")};
  const ifb_field two{fake_codec::str("A"), fake_codec::str("2")};
  const ifb_field both[] = {{fake_codec::str("B"), fake_codec::str("3")}, one};
  ifb_http_request post = get();
  post.method = fake_codec::str("POST");
  ifb_http_request elsewhere = get();
  elsewhere.target = fake_codec::str("/v1/xy");
  ifb_http_request with_one = get();
  with_one.headers = &one;
  with_one.header_count = 1;
  ifb_http_request with_two = with_one;
  with_two.headers = &two;
  ifb_http_request with_both = get();
  with_both.headers = both;
  with_both.header_count = 2;
  const std::vector<ifb_http_request> all{get(), post, elsewhere, with_one, with_two, with_both};
  for (const ifb_http_request& before : all)
    for (const ifb_http_request& request : all) {
      head_of(before, "r");
      const std::string found = head_of(request, "r");
      head_writer fresh(shared);
      std::string expected;
      ASSERT_TRUE(fresh.write(expected, 0, request, "r"));
      EXPECT_EQ(found, expected);
    }
}

TEST_F(headers, of_the_user_give_way_to_the_id_of_the_request_only) {
  shared.headers = {{"X-Request-Id", "mine"}};
  EXPECT_THAT(head_of(get()), HasSubstr("X-Request-Id: mine\r\n"));
  const std::string with_id = head_of(get(), "r-1");
  EXPECT_THAT(with_id, HasSubstr("x-request-id: r-1\r\n"));
  EXPECT_THAT(with_id, Not(HasSubstr("mine")));
}

TEST_F(headers, name_the_session_if_a_header_for_it_is_wanted) {
  shared.session_header = "X-Session-ID";
  shared.headers = {{"x-session-id", "mine"}};
  std::string head;
  ASSERT_TRUE(subject.write(head, 0, get(), "r-1", "chat-7"));
  EXPECT_THAT(head, EndsWith("\r\nX-Session-ID: chat-7\r\nx-request-id: r-1\r\n"
                             "Content-Length: 0\r\n\r\n"));
  EXPECT_THAT(head, Not(HasSubstr("mine")));
  ASSERT_TRUE(subject.write(head, 0, get(), {}, "chat-8"));
  EXPECT_THAT(head, EndsWith("\r\nX-Session-ID: chat-8\r\nContent-Length: 0\r\n\r\n"));
  ASSERT_TRUE(subject.write(head, 0, get(), "r-2"));
  EXPECT_THAT(head, HasSubstr("x-session-id: mine\r\n")) << "a request without a session";
  EXPECT_FALSE(subject.write(head, 0, get(), "r-3", "a\r\nEvil: yes"));
}

TEST_F(headers, that_a_codec_repeats_are_sent_once_with_the_last_value) {
  const ifb_field both[] = {{fake_codec::str("Cookie"), fake_codec::str("a=1")},
                            {fake_codec::str("X"), fake_codec::str("y")},
                            {fake_codec::str("cookie"), fake_codec::str("b=2")}};
  ifb_http_request request = get();
  request.headers = both;
  request.header_count = 3;
  const std::string head = head_of(request);
  EXPECT_THAT(head, HasSubstr("cookie: b=2\r\n"));
  EXPECT_THAT(head, Not(HasSubstr("a=1")));
}

TEST_F(headers, of_a_codec_replace_the_defaults_and_the_host) {
  const ifb_field own[] = {{fake_codec::str("user-agent"), fake_codec::str("mine")},
                           {fake_codec::str("accept"), fake_codec::str("text/event-stream")},
                           {fake_codec::str("host"), fake_codec::str("model.example")},
                           {fake_codec::str("Authorization"), fake_codec::str("AWS4 x")}};
  ifb_http_request request = get();
  request.headers = own;
  request.header_count = 4;
  const std::string head = head_of(request);
  EXPECT_THAT(head, HasSubstr("user-agent: mine\r\n"));
  EXPECT_THAT(head, HasSubstr("accept: text/event-stream\r\n"));
  EXPECT_THAT(head, HasSubstr("host: model.example\r\n"));
  EXPECT_THAT(head, HasSubstr("Authorization: AWS4 x\r\n"));
  EXPECT_THAT(head, HasSubstr("Accept-Encoding: identity\r\n"));
  EXPECT_THAT(head, Not(HasSubstr("inferbench/")));
  EXPECT_THAT(head, Not(HasSubstr("*/*")));
  EXPECT_THAT(head, Not(HasSubstr("host:8000")));
  // The API key comes first in the headers of the backend, and the user's headers follow.
  shared.headers = {{"Authorization", "Bearer key"}, {"Accept", "a/b"}};
  head_writer with_user(shared);
  std::string of_user;
  ASSERT_TRUE(with_user.write(of_user, 0, request, {}));
  EXPECT_THAT(of_user, HasSubstr("Authorization: Bearer key\r\n"));
  EXPECT_THAT(of_user, HasSubstr("Accept: a/b\r\n"));
  EXPECT_THAT(of_user, Not(HasSubstr("AWS4")));
}

TEST_F(headers, of_the_framing_are_written_by_the_client_alone) {
  const ifb_field own[] = {{fake_codec::str("content-length"), fake_codec::str("99")},
                           {fake_codec::str("Transfer-Encoding"), fake_codec::str("chunked")}};
  ifb_http_request request = get();
  request.headers = own;
  request.header_count = 2;
  shared.headers = {{"Content-Length", "98"}};
  const std::string head = head_of(request, "r-1");
  EXPECT_THAT(head, EndsWith("\r\nContent-Length: 0\r\n\r\n"));
  EXPECT_THAT(head, Not(HasSubstr("99")));
  EXPECT_THAT(head, Not(HasSubstr("98")));
  EXPECT_THAT(head, Not(HasSubstr("chunked")));
}

TEST_F(headers, know_the_server_to_which_they_go) {
  const ifb_http_target first = subject.target(0);
  const ifb_http_target of_socket = subject.target(1);
  EXPECT_EQ(first.server, 0U);
  EXPECT_EQ(plugin::view(first.scheme), "http");
  EXPECT_EQ(plugin::view(first.authority), "host:8000");
  EXPECT_EQ(plugin::view(first.prefix), "/base");
  EXPECT_EQ(first.unix_ns, 0);
  EXPECT_EQ(of_socket.server, 1U);
  EXPECT_EQ(plugin::view(of_socket.authority), "localhost");
}

TEST_F(headers, that_would_break_the_framing_are_refused_each_time) {
  std::string out;
  head_of(get(), "r-1");
  EXPECT_FALSE(subject.write(out, 0, get(), "r-2\r\nEvil: yes"));
  const ifb_field evil{fake_codec::str("A"), fake_codec::str("1\r\nEvil: yes")};
  ifb_http_request request = get();
  request.headers = &evil;
  request.header_count = 1;
  EXPECT_FALSE(subject.write(out, 0, request, "r-3"));
  EXPECT_FALSE(subject.write(out, 0, request, "r-3"));
  const ifb_field hidden{fake_codec::str("A"), {"1\0x", 3}};
  request.headers = &hidden;
  EXPECT_FALSE(subject.write(out, 0, request, "r-4"));
  EXPECT_THAT(head_of(get(), "r-5"), HasSubstr("GET /base/v1/x HTTP/1.1"));
}

}  // namespace
}  // namespace inferbench::client
