#include "transport/http1_response_parser.hpp"

#include <gtest/gtest.h>

#include "framework/transport/allocations.hpp"
#include "framework/transport/cuts.hpp"
#include "framework/transport/http1_transcript.hpp"

namespace inferbench::transport {
namespace {

using test::answer;

answer parse_all_cuts(const std::string& text, bool to_head = false, bool eof = true,
                      std::size_t limit = 64 * 1024) {
  const answer whole = test::parse({text}, to_head, eof, limit);
  for (const auto& reads : test::all_cuts(text)) {
    answer parts = test::parse(reads, to_head, eof, limit);
    parts.left_over = whole.left_over;
    EXPECT_EQ(parts, whole) << text;
  }
  return whole;
}

const std::string ok = "HTTP/1.1 200 OK\r\n";

TEST(http1_response_parser, reads_head_and_body_of_a_given_length) {
  const answer a = parse_all_cuts(ok + "Content-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello",
                                  false, false);
  EXPECT_EQ(a.head, "200 OK|Content-Type=text/plain|Content-Length=5");
  EXPECT_EQ(a.body, "hello");
  EXPECT_TRUE(a.ended);
  EXPECT_TRUE(a.reusable);
}

TEST(http1_response_parser, leaves_bytes_after_the_answer) {
  const answer a = test::parse({ok + "Content-Length: 2\r\n\r\nhiHTTP/1.1"});
  EXPECT_EQ(a.body, "hi");
  EXPECT_EQ(a.left_over, "HTTP/1.1");
  EXPECT_EQ(test::parse({ok + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nx"}).left_over, "x");
}

TEST(http1_response_parser, reads_one_answer_after_another) {
  http1_response_parser parser;
  std::string text;
  for (int i = 0; i < 3; ++i) {
    parser.begin();
    EXPECT_FALSE(parser.started());
    const std::string answer =
        ok + "N: " + std::to_string(i) + "\r\nContent-Length: 1\r\n\r\n" + std::to_string(i);
    std::string_view input = answer;
    ASSERT_EQ(parser.next(input).kind, http1_piece::head);
    EXPECT_TRUE(parser.started());
    EXPECT_EQ(parser.find("n"), std::to_string(i));
    text += parser.next(input).data;
    ASSERT_EQ(parser.next(input).kind, http1_piece::end);
    EXPECT_EQ(parser.next(input).kind, http1_piece::more);
    EXPECT_EQ(parser.finish(), http1_piece::more);
  }
  EXPECT_EQ(text, "012");
}

TEST(http1_response_parser, reads_a_head_the_same_whatever_head_came_before) {
  const std::string bodies = "2\r\nhi\r\n0\r\n\r\n";
  const std::string texts[] = {
      ok + "X-Id: 17\r\nTransfer-Encoding: chunked\r\n\r\n" + bodies,
      ok + "X-Id: 18\r\nTransfer-Encoding: chunked\r\n\r\n" + bodies,
      ok + "X-Id: 1 \r\nTransfer-Encoding: chunked\r\n\r\n" + bodies,
      ok +
          "X-Id: \x01"
          "7\r\nTransfer-Encoding: chunked\r\n\r\n" +
          bodies,
      ok + "X-Id: \r\n\r\nTransfer-Encoding: chunked\r\n\r\n" + bodies,
      ok + "X-Id: 178\r\nTransfer-Encoding: chunked\r\n\r\n" + bodies,
      ok + "Y-Id: 17\r\nTransfer-Encoding: chunked\r\n\r\n" + bodies,
      ok + "X-Id: 17\r\nTransfer-Encoding: gzipped\r\n\r\n" + bodies,
      ok + "X-Id: 17\r\nTransfer-Encoding: chunked\r\nA: b\r\n\r\n" + bodies,
      ok + "X-Id: 17\n\nTransfer-Encoding: chunked\r\n\r\n" + bodies,
      "HTTP/1.1 404 No\r\nX-Id: 17\r\nTransfer-Encoding: chunked\r\n\r\n" + bodies,
      "HTTP/1.0 200 OK\r\nX-Id: 17\r\nTransfer-Encoding: chunked\r\n\r\n" + bodies,
      "HTTP/1.1 100 Go\r\n\r\n" + ok + "X-Id: 17\r\nTransfer-Encoding: chunked\r\n\r\n" + bodies,
      ok + "Empty:\r\nContent-Length: 12\r\n\r\nhello, world",
      ok + "Empty:\r\nContent-Length: 13\r\n\r\nhello, worlds",
      ok + "Empty:\r\nContent-Length: 1x\r\n\r\nhello, world",
      ok + "Folded: a\r\n b\r\nConnection: keepalive\r\nContent-Length: 2\r\n\r\nhi",
      ok + "Folded: a   b\r\nConnection: keepalive\r\nContent-Length: 2\r\n\r\nhi",
      ok + "Folded: a   b\r\nConnection: close    \r\nContent-Length: 2\r\n\r\nhi",
      ok + "\r\nuntil the end",
      "HTTP/1.1 204 OK\r\n\r\n",
  };
  for (const std::string& before : texts) {
    for (const std::string& text : texts) {
      for (const bool to_head : {false, true}) {
        const answer alone = test::parse({text}, to_head);
        http1_response_parser parser;
        (void)test::parse(parser, {before});
        EXPECT_EQ(test::parse(parser, {text}, to_head), alone) << before << text;
        // The same parser reads the answer again, first whole, then in parts.
        EXPECT_EQ(test::parse(parser, {text}, to_head), alone) << text;
        answer parts = test::parse(parser, test::cut(text, 7), to_head);
        parts.left_over = alone.left_over;
        EXPECT_EQ(parts, alone) << text;
      }
    }
  }
}

TEST(http1_response_parser, says_nothing_of_the_answer_before_once_it_begins) {
  http1_response_parser parser;
  (void)test::parse(parser, {ok + "A: b\r\nContent-Length: 0\r\n\r\n"});
  parser.begin();
  EXPECT_FALSE(parser.started());
  EXPECT_EQ(parser.status(), 0U);
  EXPECT_EQ(parser.reason(), "");
  EXPECT_EQ(parser.find("a"), "");
  EXPECT_EQ(parser.head().header_count, 0U);
}

TEST(http1_response_parser, hands_out_body_bytes_as_views_into_the_read) {
  http1_response_parser parser;
  const std::string text = ok + "Transfer-Encoding: chunked\r\n\r\n" + test::chunk("abcdef");
  std::string_view input = text;
  (void)parser.next(input);
  const auto piece = parser.next(input);
  EXPECT_EQ(piece.data, "abcdef");
  EXPECT_GE(piece.data.data(), text.data());
  EXPECT_LT(piece.data.data(), text.data() + text.size());
}

TEST(http1_response_parser, reads_a_body_without_length_until_the_connection_ends) {
  const answer a = parse_all_cuts(ok + "\r\nall of it");
  EXPECT_EQ(a.body, "all of it");
  EXPECT_TRUE(a.ended);
  EXPECT_FALSE(a.reusable);
  EXPECT_FALSE(test::parse({ok + "\r\nall of it"}, false, false).ended);
}

TEST(http1_response_parser, expects_no_body_where_there_is_none) {
  for (const char* status : {"204 No Content", "304 Not Modified"}) {
    const answer a = parse_all_cuts(
        "HTTP/1.1 " + std::string(status) + "\r\nContent-Length: 5\r\n\r\n", false, false);
    EXPECT_TRUE(a.ended) << status;
    EXPECT_TRUE(a.reusable);
  }
  const answer head = parse_all_cuts(ok + "Transfer-Encoding: chunked\r\n\r\n", true, false);
  EXPECT_TRUE(head.ended);
  EXPECT_TRUE(parse_all_cuts(ok + "Content-Length: 0\r\n\r\n", false, false).ended);
}

TEST(http1_response_parser, skips_interim_answers) {
  const answer a =
      parse_all_cuts("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" +
                     ok + "Content-Length: 1\r\n\r\nx");
  EXPECT_EQ(a.head, "200 OK|Content-Length=1");
  EXPECT_EQ(a.body, "x");
  std::string endless;
  for (int i = 0; i < 70; ++i)
    endless += "HTTP/1.1 100 Continue\r\n\r\n";
  EXPECT_EQ(parse_all_cuts(endless).error, "the server sends interim answers without end");
  EXPECT_EQ(parse_all_cuts("HTTP/1.1 101 Switching Protocols\r\n\r\n").error,
            "the server switched to another protocol, unasked");
}

TEST(http1_response_parser, reports_whether_the_connection_can_be_used_again) {
  const auto reusable = [](const std::string& start, const std::string& fields) {
    return parse_all_cuts(start + fields + "Content-Length: 0\r\n\r\n").reusable;
  };
  EXPECT_TRUE(reusable(ok, ""));
  EXPECT_TRUE(reusable(ok, "Connection: keep-alive\r\nKeep-Alive: timeout=5, max=100\r\n"));
  EXPECT_FALSE(reusable(ok, "Connection: close\r\n"));
  EXPECT_FALSE(reusable(ok, "connection: Upgrade , CLOSE\r\n"));
  EXPECT_FALSE(reusable(ok, "Connection: keep-alive\r\nConnection: close\r\n"));
  EXPECT_FALSE(reusable(ok, "Keep-Alive: timeout=5, max=0\r\n"));
  EXPECT_FALSE(reusable("HTTP/1.0 200 OK\r\n", ""));
  EXPECT_TRUE(reusable("HTTP/1.0 200 OK\r\n", "Connection: Keep-Alive\r\n"));
  EXPECT_FALSE(reusable("HTTP/1.0 200 OK\r\n", "Connection: close, keep-alive\r\n"));
}

TEST(http1_response_parser, is_not_reusable_before_the_end) {
  EXPECT_FALSE(test::parse({ok + "Content-Length: 5\r\n\r\nhell"}, false, false).reusable);
}

TEST(http1_response_parser, keeps_empty_values_and_strips_blanks_around_others) {
  EXPECT_EQ(parse_all_cuts(ok + "A:\r\nB:   \r\nC: \t x y \t\r\nContent-Length:0\r\n\r\n").head,
            "200 OK|A=|B=|C=x y|Content-Length=0");
}

TEST(http1_response_parser, accepts_bare_line_feeds_and_a_status_without_reason) {
  EXPECT_EQ(parse_all_cuts("HTTP/1.1 200\nContent-Length: 1\n\nx").body, "x");
  EXPECT_EQ(parse_all_cuts("HTTP/1.1 500 \r\nContent-Length: 0\r\n\r\n").head,
            "500 |Content-Length=0");
  EXPECT_EQ(parse_all_cuts(ok + "\r\n").head, "200 OK");
}

TEST(http1_response_parser, joins_a_folded_header_line) {
  EXPECT_EQ(parse_all_cuts(ok + "A: one\r\n  two\n\tthree\r\nContent-Length: 0\r\n\r\n").head,
            "200 OK|A=one    two \tthree|Content-Length=0");
}

TEST(http1_response_parser, fails_on_bytes_that_are_not_an_http_head) {
  const std::string not_http = "the answer does not begin with HTTP/1.";
  EXPECT_EQ(parse_all_cuts("SSH-2.0-OpenSSH").error, not_http);
  EXPECT_EQ(parse_all_cuts("\x15\x03\x01").error,
            "the server speaks TLS; use a base URL that begins with https://");
  // A SETTINGS frame, which a server that speaks only HTTP/2 sends first.
  EXPECT_EQ(parse_all_cuts(std::string("\0\0\0\4\0\0\0\0\0", 9)).error,
            "the server answers in HTTP/2 and does not seem to accept HTTP/1.1; enable HTTP/1.1 on "
            "the server, or put a proxy in front of it and name the proxy with --base-url");
  EXPECT_EQ(parse_all_cuts("HTTP/2 200\r\n\r\n").error, not_http);
  EXPECT_EQ(parse_all_cuts("\r\nHTTP/1.1 200 OK\r\n\r\n").error, not_http);
  const std::string status = "the status line of the answer is malformed";
  for (const char* line : {"HTTP/1.x 200 OK", "HTTP/1.1  200 OK", "HTTP/1.1 20 OK", "HTTP/1.1 2000",
                           "HTTP/1.1 099 x", "HTTP/1.1 -20", "HTTP/1.1", "HTTP/1.1 200OK"})
    EXPECT_EQ(parse_all_cuts(std::string(line) + "\r\n\r\n").error, status) << line;
}

TEST(http1_response_parser, fails_on_a_malformed_header_line_and_names_its_place) {
  EXPECT_EQ(parse_all_cuts(ok + "no colon\r\n\r\n").error,
            "a header line of the answer is malformed");
  EXPECT_EQ(parse_all_cuts(ok + "A: 1\r\nB : 2\r\n\r\n").error,
            "a header line of the answer is malformed, after A");
  for (const std::string& line : {std::string(": x"), std::string(" A: folded first"),
                                  std::string("A: x\ry"), std::string("A: x\0y", 6)})
    EXPECT_EQ(parse_all_cuts(ok + line + "\r\n\r\n").error,
              "a header line of the answer is malformed")
        << line;
}

TEST(http1_response_parser, bounds_the_head) {
  const std::string error = "the header of the answer is longer than 100 bytes";
  EXPECT_EQ(parse_all_cuts(ok + "A: " + std::string(200, 'x'), false, true, 100).error, error);
  EXPECT_EQ(parse_all_cuts(ok + "A: " + std::string(200, 'x') + "\r\n\r\n", false, true, 100).error,
            error);
  const std::string fits = ok + "A: " + std::string(100 - ok.size() - 7, 'x') + "\r\n\r\n";
  ASSERT_EQ(fits.size(), 100U);
  EXPECT_EQ(parse_all_cuts(fits + "body", false, true, 100).body, "body");
  EXPECT_EQ(parse_all_cuts(ok + std::string(1 << 20, 'x'), false, true).error,
            "the header of the answer is longer than 65536 bytes");
}

TEST(http1_response_parser, accepts_a_repeated_length_but_not_two_different_lengths) {
  EXPECT_EQ(parse_all_cuts(ok + "Content-Length: 1\r\nContent-Length: 1\r\n\r\nx").body, "x");
  EXPECT_EQ(parse_all_cuts(ok + "Content-Length: 1, 1\r\n\r\nx").body, "x");
  for (const char* value : {"1, 2", "-1", "+1", "1x", "0x1", "", "1 1", "99999999999999999999"})
    EXPECT_EQ(parse_all_cuts(ok + "Content-Length: " + value + "\r\n\r\nx").error,
              "the answer has a malformed or contradictory Content-Length")
        << value;
}

TEST(http1_response_parser, says_where_an_answer_was_cut_short) {
  EXPECT_EQ(test::parse({}).error, "the connection was closed before any byte of the answer");
  EXPECT_EQ(parse_all_cuts("HTTP/1.1 2").error,
            "the connection was closed inside the header of the answer");
  EXPECT_EQ(parse_all_cuts("HTTP/1.1 100 Continue\r\n\r\n").error,
            "the connection was closed inside the header of the answer");
  EXPECT_EQ(parse_all_cuts(ok + "Content-Length: 10\r\n\r\n1234").error,
            "the connection was closed after 4 of 10 body bytes");
  EXPECT_EQ(parse_all_cuts(ok + "Transfer-Encoding: chunked\r\n\r\n" + test::chunk("abc")).error,
            "the connection was closed inside a chunked body, after 3 bytes and before its last "
            "chunk");
}

TEST(http1_response_parser, a_reset_at_every_byte_is_an_error_or_the_whole_answer) {
  const std::string text =
      ok + "Transfer-Encoding: chunked\r\n\r\n" + test::chunk("abc") + "0\r\n\r\n";
  for (std::size_t size = 0; size < text.size(); ++size) {
    const answer a = test::parse({std::string_view(text).substr(0, size)});
    EXPECT_FALSE(a.ended) << size;
    EXPECT_FALSE(a.error.empty()) << size;
  }
  EXPECT_TRUE(test::parse({text}).ended);
}

TEST(http1_response_parser, survives_any_bytes) {
  std::mt19937 random(3);
  const std::string seed = ok + "Transfer-Encoding: chunked\r\nA: b\r\n\r\n" +
                           test::chunk("abcdef") + "0\r\nT: x\r\n\r\n";
  for (int round = 0; round < 3000; ++round) {
    std::string text = seed;
    for (int i = 0; i < 3; ++i)
      text[random() % text.size()] = static_cast<char>(random());
    const answer whole = test::parse({text});
    answer bytes = test::parse(test::cut(text, 1));
    bytes.left_over = whole.left_over;
    EXPECT_EQ(bytes, whole) << text;
  }
}

TEST(http1_response_parser, another_parser_can_read_the_rest_of_a_body_from_any_place) {
  const std::string chunked = ok + "Transfer-Encoding: chunked\r\n\r\n" + test::chunk("hello") +
                              "5;x\r\nworld\r\n0\r\nX: y\r\n\r\n";
  const std::string sized = ok + "Content-Length: 10\r\nConnection: close\r\n\r\nhelloworld";
  for (const std::string& text : {chunked, sized})
    for (std::size_t cut = text.find("\r\n\r\n") + 4; cut < text.size(); ++cut) {
      http1_response_parser first;
      first.begin();
      std::string body;
      std::string_view input = std::string_view(text).substr(0, cut);
      for (auto piece = first.next(input); piece.kind != http1_piece::more;
           piece = first.next(input))
        body += piece.data;
      http1_response_parser second;
      second.continue_at(first.here());
      input = std::string_view(text).substr(cut);
      auto piece = second.next(input);
      for (; piece.kind == http1_piece::body; piece = second.next(input))
        body += piece.data;
      EXPECT_EQ(piece.kind, http1_piece::end) << cut;
      EXPECT_EQ(body, "helloworld") << cut;
      EXPECT_EQ(second.reusable(), text == chunked) << cut;
      EXPECT_EQ(second.head().status, 0U);
    }
}

TEST(http1_response_parser, the_rest_of_a_body_is_checked_like_the_body) {
  http1_response_parser first;
  first.begin();
  const std::string begun = ok + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc";
  std::string_view input = begun;
  for (auto piece = first.next(input); piece.kind != http1_piece::more; piece = first.next(input)) {
  }
  http1_response_parser second;
  second.continue_at(first.here());
  input = "d\r\n";
  EXPECT_EQ(second.next(input).kind, http1_piece::failed);
  EXPECT_FALSE(second.reusable());
  second.continue_at(first.here());
  input = "\r\n0\r\n\r\n";
  EXPECT_EQ(second.next(input).kind, http1_piece::end) << "the same parser can be used again";
}

TEST(http1_response_parser, allocates_nothing_in_the_steady_state) {
  http1_response_parser parser;
  std::string text = ok + "Content-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
  for (int i = 0; i < 20; ++i)
    text += test::chunk(std::string(200, 'x'));
  text += "0\r\n\r\n";
  const auto run = [&] {
    parser.begin();
    std::string_view input = text;
    for (auto piece = parser.next(input); piece.kind != http1_piece::end;
         piece = parser.next(input))
      if (piece.kind == http1_piece::failed) FAIL() << parser.error();
  };
  run();
  const auto before = test::allocations();
  run();
  EXPECT_EQ(test::allocations(), before);
}

}  // namespace
}  // namespace inferbench::transport
