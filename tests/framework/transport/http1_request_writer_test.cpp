#include "transport/http1_request_writer.hpp"

#include <gtest/gtest.h>

#include "transport/http1_grammar.hpp"

namespace inferbench::transport {
namespace {

ifb_field field(std::string_view name, std::string_view value) {
  return {{name.data(), name.size()}, {value.data(), value.size()}};
}

TEST(http1_request_writer, writes_line_host_headers_and_length) {
  const std::vector<ifb_field> headers{field("Content-Type", "application/json"),
                                       field("X-Empty", "")};
  http1_request_head head;
  head.method = "POST";
  head.prefix = "/proxy";
  head.target = "/v1/completions";
  head.host = "127.0.0.1:8000";
  head.headers = headers;
  head.body_bytes = 12;
  std::string out = "kept ";
  ASSERT_TRUE(write_request_head(out, head));
  EXPECT_EQ(out,
            "kept POST /proxy/v1/completions HTTP/1.1\r\nHost: 127.0.0.1:8000\r\n"
            "Content-Type: application/json\r\nX-Empty: \r\nContent-Length: 12\r\n\r\n");
}

TEST(http1_request_writer, asks_for_the_root_where_there_is_no_path) {
  std::string out;
  ASSERT_TRUE(write_request_head(out, {.method = "GET", .target = "", .host = "a"}));
  EXPECT_EQ(out, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
}

TEST(http1_request_writer, gives_a_proxy_the_whole_url) {
  std::string out;
  ASSERT_TRUE(write_request_head(out, {.method = "GET",
                                       .absolute = "http://a:8000",
                                       .prefix = "/x",
                                       .target = "/y",
                                       .host = "a:8000"}));
  EXPECT_EQ(out, "GET http://a:8000/x/y HTTP/1.1\r\nHost: a:8000\r\n\r\n");
  out.clear();
  ASSERT_TRUE(write_request_head(
      out, {.method = "GET", .absolute = "http://a", .target = "", .host = "a"}));
  EXPECT_EQ(out, "GET http://a/ HTTP/1.1\r\nHost: a\r\n\r\n");
  EXPECT_FALSE(write_request_head(
      out, {.method = "GET", .absolute = "http://a b", .target = "/", .host = "a"}));
}

TEST(http1_request_writer, leaves_out_given_framing_headers_and_sends_a_given_host) {
  const std::vector<ifb_field> headers{field("content-length", "99"),
                                       field("TRANSFER-ENCODING", "chunked"),
                                       field("host", "other"), field("A", "b")};
  std::string out;
  ASSERT_TRUE(write_request_head(
      out, {.method = "POST", .target = "/", .host = "a", .headers = headers, .body_bytes = 0}));
  EXPECT_EQ(out, "POST / HTTP/1.1\r\nhost: other\r\nA: b\r\nContent-Length: 0\r\n\r\n");
}

TEST(http1_request_writer, refuses_headers_that_would_break_the_framing_and_writes_nothing) {
  const auto refused = [](std::string_view method, std::string_view target, std::string_view host,
                          const ifb_field& header) {
    std::string out;
    const std::vector<ifb_field> headers{header};
    const bool written = write_request_head(
        out, {.method = method, .target = target, .host = host, .headers = headers});
    EXPECT_EQ(written, !out.empty());
    return !written;
  };
  const ifb_field fine = field("A", "b");
  EXPECT_FALSE(refused("GET", "/", "a", fine));
  EXPECT_TRUE(refused("GE T", "/", "a", fine));
  EXPECT_TRUE(refused("", "/", "a", fine));
  EXPECT_TRUE(refused("GET", "/ HTTP/1.1\r\nX: y", "a", fine));
  EXPECT_TRUE(refused("GET", "v1", "a", fine));
  EXPECT_TRUE(refused("GET", "/", "a\r\n", fine));
  EXPECT_TRUE(refused("GET", "/", "a", field("A", "b\r\nX: y")));
  EXPECT_TRUE(refused("GET", "/", "a", field("A:", "b")));
  EXPECT_TRUE(refused("GET", "/", "a", field("", "b")));
}

TEST(http1_grammar, accepts_values_without_control_characters_other_than_the_tab) {
  EXPECT_TRUE(valid_value(""));
  EXPECT_TRUE(valid_value("a\tb \xC3\xA4"));
  EXPECT_FALSE(valid_value("a\nb"));
  EXPECT_FALSE(valid_value(std::string_view("\0", 1)));
  EXPECT_FALSE(valid_value("\x7F"));
}

}  // namespace
}  // namespace inferbench::transport
