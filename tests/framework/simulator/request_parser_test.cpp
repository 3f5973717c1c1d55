#include "simulator/request_parser.hpp"

#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inferbench::simulator {
namespace {

using status = request_parser::status;

constexpr std::string_view post =
    "POST /v1/completions?x=1 HTTP/1.1\r\nHost: a:8000\r\nContent-Length: 5\r\n"
    "X-Request-Id: \t r1 \r\nEmpty:\r\n\r\nhello";

constexpr std::string_view chunked =
    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    "3;name=\"v\"\r\nabc\r\n0A\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n";

void expect_post(const request_parser& parser) {
  ASSERT_EQ(parser.state(), status::complete);
  const http_request& request = parser.request();
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.path, "/v1/completions");
  EXPECT_EQ(request.body, "hello");
  EXPECT_EQ(request.field("x-request-id"), "r1");
  EXPECT_EQ(request.field("empty"), "");
  EXPECT_EQ(request.fields.size(), 4U);
  EXPECT_TRUE(request.keep_alive);
  EXPECT_FALSE(request.http10);
}

int failure_of(std::string_view bytes) {
  request_parser parser;
  parser.feed(bytes);
  return parser.state() == status::failed ? parser.failure() : 0;
}

// A request with these header lines. Each line must end with CR LF.
std::string with(std::string_view lines, std::string_view body = {}) {
  return "POST / HTTP/1.1\r\nHost: a\r\n" + std::string(lines) + "\r\n" + std::string(body);
}

TEST(request_parser, a_request_is_read_whole) {
  request_parser parser;
  EXPECT_EQ(parser.feed(post), post.size());
  expect_post(parser);
}

TEST(request_parser, a_request_is_read_byte_by_byte) {
  request_parser parser;
  for (std::size_t i = 0; i < post.size(); ++i) {
    EXPECT_EQ(parser.state(), status::unfinished) << i;
    EXPECT_EQ(parser.begun(), i > 0) << i;
    EXPECT_EQ(parser.feed(post.substr(i, 1)), 1U);
  }
  expect_post(parser);
}

TEST(request_parser, a_request_is_read_in_two_parts_cut_anywhere) {
  for (std::size_t cut = 0; cut <= chunked.size(); ++cut) {
    request_parser parser;
    std::size_t used = parser.feed(chunked.substr(0, cut));
    used += parser.feed(chunked.substr(cut));
    EXPECT_EQ(used, chunked.size());
    ASSERT_EQ(parser.state(), status::complete) << cut;
    EXPECT_EQ(parser.request().body, "abc0123456789");
  }
}

TEST(request_parser, bytes_after_a_request_are_left_for_the_next_request) {
  request_parser parser;
  const std::string two = std::string(post) + std::string(chunked);
  EXPECT_EQ(parser.feed(two), post.size());
  expect_post(parser);
  EXPECT_EQ(parser.feed("x"), 0U);
  parser.reset();
  EXPECT_EQ(parser.feed(std::string_view(two).substr(post.size())), chunked.size());
  ASSERT_EQ(parser.state(), status::complete);
  EXPECT_EQ(parser.request().fields.size(), 2U);
}

TEST(request_parser, empty_lines_before_a_request_are_skipped) {
  request_parser parser;
  parser.feed("\r\n\r\nGET /health HTTP/1.1\r\nHost: a\r\n\r\n");
  ASSERT_EQ(parser.state(), status::complete);
  EXPECT_EQ(parser.request().path, "/health");
}

TEST(request_parser, an_absolute_target_is_reduced_to_its_path) {
  for (const auto& [target, path] : {std::pair{"http://a:1/v1/models?q", "/v1/models"},
                                     std::pair{"http://a:1", "/"}, std::pair{"/x://y", "/x://y"}}) {
    request_parser parser;
    parser.feed("GET " + std::string(target) + " HTTP/1.1\r\nHost: a\r\n\r\n");
    ASSERT_EQ(parser.state(), status::complete) << target;
    EXPECT_EQ(parser.request().path, path);
  }
}

TEST(request_parser, a_connection_is_kept_as_version_and_header_say) {
  const auto kept = [](std::string_view version, std::string_view line) {
    request_parser parser;
    parser.feed("GET / " + std::string(version) + "\r\nHost: a\r\n" + std::string(line) + "\r\n");
    EXPECT_EQ(parser.state(), status::complete);
    return parser.request().keep_alive;
  };
  EXPECT_TRUE(kept("HTTP/1.1", ""));
  EXPECT_FALSE(kept("HTTP/1.1", "Connection: TE, Close\r\n"));
  EXPECT_FALSE(kept("HTTP/1.0", ""));
  EXPECT_TRUE(kept("HTTP/1.0", "connection: Keep-Alive\r\n"));
}

TEST(request_parser, a_client_that_waits_for_100_continue_is_recognised) {
  request_parser parser;
  parser.feed(with("Expect: 100-Continue\r\nContent-Length: 2\r\n"));
  EXPECT_TRUE(parser.awaits_continue());
  parser.feed("a");
  EXPECT_FALSE(parser.awaits_continue());
  parser.feed("b");
  EXPECT_EQ(parser.state(), status::complete);
}

TEST(request_parser, two_readings_of_the_length_are_refused) {
  EXPECT_EQ(failure_of(with("Content-Length: 1\r\nContent-Length: 2\r\n")), 400);
  EXPECT_EQ(failure_of(with("Content-Length: 1\r\nTransfer-Encoding: chunked\r\n")), 400);
  EXPECT_EQ(failure_of(with("Transfer-Encoding: gzip, chunked\r\n")), 501);
  EXPECT_EQ(failure_of(with("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n")), 501);
  EXPECT_EQ(failure_of("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"), 400);
}

TEST(request_parser, a_malformed_length_is_refused) {
  for (const char* length : {"-1", "+1", "0x5", "1 2", "", "1.0", "99999999999999999999999"})
    EXPECT_EQ(failure_of(with("Content-Length: " + std::string(length) + "\r\n")), 400) << length;
}

TEST(request_parser, a_malformed_head_is_refused) {
  EXPECT_EQ(failure_of("GET\r\n\r\n"), 400);
  EXPECT_EQ(failure_of("GET / \r\n\r\n"), 400);
  EXPECT_EQ(failure_of("G\x01T / HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(failure_of("GET  HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(failure_of("GET /a b HTTP/1.1\r\n\r\n"), 400);
  EXPECT_EQ(failure_of("GET / HTTP/2.0\r\n\r\n"), 505);
  EXPECT_EQ(failure_of("GET / HTTP/1.1\r\n\r\n"), 400) << "no Host";
  EXPECT_EQ(failure_of(with("Host: b\r\n")), 400);
  EXPECT_EQ(failure_of(with("Name : x\r\n")), 400);
  EXPECT_EQ(failure_of(with("A: x\r\n continued\r\n")), 400);
  EXPECT_EQ(failure_of(with("no colon\r\n")), 400);
  EXPECT_EQ(failure_of(with(": x\r\n")), 400);
  EXPECT_EQ(failure_of(with(std::string("A: x\0y\r\n", 8))), 400);
  EXPECT_EQ(failure_of(with("A: x\ny\r\n")), 400);
  EXPECT_EQ(failure_of("GET / HTTP/1.1\nHost: a\n\n"), 400);
  EXPECT_EQ(failure_of(with("Expect: miracles\r\n")), 417);
}

TEST(request_parser, malformed_chunks_are_refused) {
  const auto after_head = [](std::string_view chunks) {
    return failure_of(with("Transfer-Encoding: chunked\r\n", chunks));
  };
  EXPECT_EQ(after_head("x\r\n"), 400);
  EXPECT_EQ(after_head("\r\n"), 400);
  EXPECT_EQ(after_head("-1\r\n"), 400);
  EXPECT_EQ(after_head("11111111111111111\r\n"), 400);
  EXPECT_EQ(after_head("FFFFFFFFFFFFFFFF\r\n"), 413);
  EXPECT_EQ(after_head("1\nabc"), 400);
  EXPECT_EQ(after_head("1\r\nabc"), 400);
}

TEST(request_parser, a_body_beyond_the_limit_is_refused_before_it_is_read) {
  request_parser parser({.body = 10});
  parser.feed(with("Content-Length: 11\r\n"));
  EXPECT_EQ(parser.failure(), 413);
  request_parser exact({.body = 10});
  exact.feed(with("Content-Length: 10\r\n", "0123456789"));
  EXPECT_EQ(exact.state(), status::complete);
  request_parser pieces({.body = 10});
  pieces.feed(with("Transfer-Encoding: chunked\r\n", "9\r\n123456789\r\n2\r\n"));
  EXPECT_EQ(pieces.failure(), 413);
}

TEST(request_parser, a_body_can_be_taken_and_its_views_stay_valid) {
  request_parser parser;
  const std::string body(100'000, 'b');
  parser.feed(with("Content-Length: 100000\r\nX-Request-Id: r1\r\n", body));
  ASSERT_EQ(parser.state(), status::complete);
  const std::string_view before = parser.request().body;
  const std::string taken = parser.take_body();
  EXPECT_EQ(taken, body);
  EXPECT_EQ(taken.data(), before.data()) << "moved, not copied";
  EXPECT_EQ(parser.request().body, "");
  EXPECT_EQ(parser.request().field("x-request-id"), "r1");
  parser.reset();
  parser.feed(post);
  expect_post(parser);
}

TEST(request_parser, a_large_body_is_moved_to_larger_memory_only_a_few_times) {
  constexpr std::size_t size = 50'000'000;
  const std::string piece(256 << 10U, 'b');
  for (const bool chunked_body : {false, true}) {
    request_parser parser({.body = size});
    const std::string length = std::to_string(size);
    parser.feed(chunked_body ? with("Transfer-Encoding: chunked\r\n", "2FAF080\r\n")
                             : with("Content-Length: " + length + "\r\n"));
    for (std::size_t fed = 0; fed < size; fed += piece.size())
      parser.feed(std::string_view(piece).substr(0, size - fed));
    if (chunked_body) parser.feed("\r\n0\r\n\r\n");
    ASSERT_EQ(parser.state(), status::complete);
    const std::string body = parser.take_body();
    EXPECT_EQ(body.size(), size);
    EXPECT_LE(body.capacity(), chunked_body ? 2 * size : size + 1) << "what was announced";
  }
}

TEST(request_parser, an_endless_head_is_refused_at_its_limit) {
  request_parser parser;
  std::size_t fed = 0;
  parser.feed("GET / HTTP/1.1\r\nHost: a\r\nA: ");
  while (parser.state() == status::unfinished && fed < 1'000'000)
    fed += parser.feed("xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx");
  EXPECT_EQ(parser.failure(), 431);
  EXPECT_LE(fed, 64U << 10U);
}

TEST(request_parser, too_many_fields_are_refused) {
  std::string lines;
  for (int i = 0; i < 201; ++i)
    lines += "A: b\r\n";
  EXPECT_EQ(failure_of(with(lines)), 431);
}

TEST(request_parser, endless_chunk_extensions_and_trailers_are_refused) {
  const auto endless = [](std::string_view start, std::string_view more) {
    request_parser parser;
    parser.feed(with("Transfer-Encoding: chunked\r\n", start));
    for (int i = 0; i < 100'000 && parser.state() == status::unfinished; ++i)
      parser.feed(more);
    return parser.failure();
  };
  EXPECT_EQ(endless("1;", "xxxxxxxx"), 431);
  EXPECT_EQ(endless("0\r\n", "A: b\r\n"), 431);
  EXPECT_EQ(endless("", "1;xxxxxxxxxxxxxxxxxxxxxxxx\r\na\r\n"), 431);
}

TEST(request_parser, many_small_chunks_are_one_body) {
  request_parser parser;
  parser.feed(with("Transfer-Encoding: chunked\r\n"));
  for (int i = 0; i < 100'000; ++i)
    parser.feed("1\r\na\r\n");
  parser.feed("0\r\n\r\n");
  ASSERT_EQ(parser.state(), status::complete);
  EXPECT_EQ(parser.request().body.size(), 100'000U);
}

TEST(request_parser, no_prefix_of_a_request_with_a_flipped_byte_is_beyond_its_means) {
  for (std::size_t at = 0; at < chunked.size(); ++at) {
    for (const char byte : {'\0', '\n', '\r', ' ', ':', '\x7F', '\xFF', '9'}) {
      std::string bytes(chunked);
      bytes[at] = byte;
      request_parser parser;
      EXPECT_LE(parser.feed(bytes), bytes.size());
      if (parser.state() == status::failed) {
        EXPECT_GE(parser.failure(), 400);
        EXPECT_FALSE(parser.reason().empty());
      }
    }
  }
}

}  // namespace
}  // namespace inferbench::simulator
