#include <gtest/gtest.h>

#include "framework/transport/cuts.hpp"
#include "framework/transport/http1_transcript.hpp"
#include "transport/http1_response_parser.hpp"

namespace inferbench::transport {
namespace {

using test::answer;
using test::chunk;

const std::string head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n";

answer parse_body(const std::string& body, bool eof = false, const std::string& fields = {}) {
  const std::string text = head + fields + "\r\n" + body;
  const answer whole = test::parse({text}, false, eof);
  for (const auto& reads : test::all_cuts(text)) {
    answer parts = test::parse(reads, false, eof);
    parts.left_over = whole.left_over;
    EXPECT_EQ(parts, whole) << body;
  }
  return whole;
}

TEST(http1_chunked, joins_chunks_and_ends_with_the_empty_one) {
  const answer a = parse_body(chunk("hello ") + chunk(std::string(300, 'x')) + "0\r\n\r\n");
  EXPECT_EQ(a.body, "hello " + std::string(300, 'x'));
  EXPECT_TRUE(a.ended);
  EXPECT_TRUE(a.reusable);
}

TEST(http1_chunked, takes_sizes_in_any_case_with_zeros_and_blanks) {
  EXPECT_EQ(parse_body("00A\r\n0123456789\r\na  \r\n0123456789\r\n000\r\n\r\n").body,
            "01234567890123456789");
}

TEST(http1_chunked, skips_extensions) {
  const answer a =
      parse_body("3;name=\"va;l\"\r\nabc\r\n2 ; x\r\nde\r\n0;last\r\nExpires: never\r\n\r\n");
  EXPECT_EQ(a.body, "abcde");
  EXPECT_TRUE(a.ended);
}

TEST(http1_chunked, yields_trailers_after_the_end) {
  const answer a = parse_body(
      chunk("abc") + "0\r\ngrpc-status: 0\r\nGrpc-Message:\r\nX:\t a b \nx: again\r\n\r\n");
  EXPECT_EQ(a.body, "abc");
  EXPECT_TRUE(a.ended);
  EXPECT_TRUE(a.reusable);
  EXPECT_EQ(a.trailers, "grpc-status=0|Grpc-Message=|X=a b|x=again|");
  EXPECT_EQ(a.head, "200 OK|Transfer-Encoding=chunked") << "a trailer is no header";
}

TEST(http1_chunked, a_trailer_does_not_change_the_framing) {
  const answer a = parse_body(chunk("abc") + "0\r\nContent-Length: 9\r\nConnection: close\r\n\r\n");
  EXPECT_EQ(a.body, "abc");
  EXPECT_TRUE(a.reusable);
}

TEST(http1_chunked, leaves_out_malformed_trailers) {
  const std::string zero(1, '\0');
  const answer a = parse_body(chunk("abc") + "0\r\nno colon\r\na b: c\r\n: empty\r\nx: " + zero +
                              "\r\ngood: 1\r\n folded\r\n\r\n");
  EXPECT_TRUE(a.ended);
  EXPECT_EQ(a.trailers, "good=1|");
}

TEST(http1_chunked, forgets_trailers_with_the_next_answer) {
  http1_response_parser parser;
  const std::string with = head + "\r\n" + chunk("abc") + "0\r\nX: y\r\n\r\n";
  const std::string without = head + "\r\n" + chunk("abc") + "0\r\n\r\n";
  EXPECT_EQ(test::parse(parser, {with}).trailers, "X=y|");
  EXPECT_EQ(test::parse(parser, {without}).trailers, "");
  EXPECT_EQ(test::parse(parser, {with}).trailers, "X=y|");
}

TEST(http1_chunked, accepts_bare_line_feeds) { EXPECT_EQ(parse_body("3\nabc\n0\n\n").body, "abc"); }

TEST(http1_chunked, data_may_look_like_anything) {
  EXPECT_EQ(parse_body(chunk("0\r\n\r\n") + "0\r\n\r\n").body, "0\r\n\r\n");
}

TEST(http1_chunked, an_invalid_size_line_fails_at_once) {
  const answer text = parse_body(chunk("ok") + "zz\r\n");
  EXPECT_EQ(text.body, "ok");
  EXPECT_EQ(text.error,
            "the chunked body is malformed: unexpected byte 0x7a where a chunk size belongs");
  EXPECT_EQ(parse_body("\r\n").error,
            "the chunked body is malformed: unexpected byte 0x0d where a chunk size belongs");
  EXPECT_EQ(parse_body("-1\r\n").error,
            "the chunked body is malformed: unexpected byte 0x2d where a chunk size belongs");
  EXPECT_EQ(parse_body("5g").error,
            "the chunked body is malformed: unexpected byte 0x67 in a chunk size");
  EXPECT_EQ(parse_body("5 5\r\n").error,
            "the chunked body is malformed: unexpected byte 0x35 in a chunk size");
  EXPECT_EQ(parse_body("5\rx").error,
            "the chunked body is malformed: unexpected byte 0x78 in a chunk size");
}

TEST(http1_chunked, a_chunk_longer_than_its_size_fails) {
  EXPECT_EQ(parse_body("3\r\nabcd\r\n").error,
            "the chunked body is malformed: unexpected byte 0x64 after a chunk");
  EXPECT_EQ(parse_body("3\r\nabc\rx").error,
            "the chunked body is malformed: unexpected byte 0x78 after a chunk");
}

TEST(http1_chunked, sizes_extensions_and_trailers_are_bounded) {
  EXPECT_EQ(parse_body(std::string(20, 'f')).error,
            "the chunked body has a chunk size that is too large");
  EXPECT_EQ(test::parse({head + "\r\n" + std::string(70000, '0')}).error,
            "the chunked body has a chunk size that is too large");
  const std::string error =
      "the chunked body has a chunk extension or trailer longer than 65536 bytes";
  EXPECT_EQ(test::parse({head + "\r\n1;" + std::string(70000, 'x')}).error, error);
  EXPECT_EQ(test::parse({head + "\r\n1" + std::string(70000, ' ')}).error, error);
  EXPECT_EQ(test::parse({head + "\r\n0\r\nA: " + std::string(70000, 'x')}).error, error);
  std::string many;
  while (many.size() < 70000)
    many += "A: b\r\n";
  EXPECT_EQ(test::parse({head + "\r\n0\r\n" + many}).error, error);
}

TEST(http1_chunked, without_its_last_chunk_is_an_error_at_the_end_only) {
  EXPECT_EQ(parse_body(chunk("abc")).error, "");
  EXPECT_NE(parse_body(chunk("abc"), true).error, "");
  EXPECT_NE(parse_body(chunk("abc") + "0\r\n", true).error, "");
}

TEST(http1_chunked, wins_over_a_length_and_spoils_the_connection) {
  const answer a = parse_body(chunk("abc") + "0\r\n\r\n", false, "Content-Length: 1\r\n");
  EXPECT_EQ(a.body, "abc");
  EXPECT_FALSE(a.reusable);
}

TEST(http1_chunked, in_an_answer_of_http_1_0_is_read_and_the_connection_not_kept) {
  const answer a = test::parse(
      {"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n" +
       chunk("abc") + "0\r\n\r\n"});
  EXPECT_EQ(a.body, "abc");
  EXPECT_FALSE(a.reusable);
}

TEST(http1_chunked, other_transfer_codings_fail) {
  for (const char* value : {"gzip, chunked", "gzip", "chunked, chunked"})
    EXPECT_EQ(
        test::parse({std::string("HTTP/1.1 200 OK\r\nTransfer-Encoding: ") + value + "\r\n\r\n"})
            .error,
        "the answer has a transfer coding other than chunked")
        << value;
  EXPECT_EQ(
      test::parse({"HTTP/1.1 200 OK\r\nTransfer-Encoding: identity, Chunked\r\n\r\n0\r\n\r\n"})
          .error,
      "");
}

}  // namespace
}  // namespace inferbench::transport
