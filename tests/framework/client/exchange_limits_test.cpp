// The limits of an answer: of a message, of the whole answer, and of the quoted part of an error.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/abi.h>

#include "client/exchange.hpp"
#include "client/headers.hpp"
#include "client/record.hpp"
#include "framework/client/exchange_bench.hpp"
#include "support/gzip.hpp"

namespace inferbench::client {
namespace {

using ::testing::HasSubstr;

class exchange_limits : public testing::exchange_bench {
 protected:
  /// The record of an answer that comes in reads of `read` bytes. Uses a second exchange, because
  /// the parsers get their limits at construction.
  record answer(const std::string& bytes, std::size_t read = SIZE_MAX) {
    head_writer limited_heads(shared);
    exchange limited(shared, limited_heads);
    EXPECT_TRUE(limited.prepare(sample, 7, 1000));
    limited.start(2000);
    limited.sent(2200);
    auto now = progress::more;
    for (std::size_t at = 0; at < bytes.size() && now == progress::more; at += read) {
      now = limited.feed(std::string_view(bytes).substr(at, read), 3000);
      if (read == SIZE_MAX) break;
    }
    EXPECT_EQ(now, progress::done);
    reusable = limited.reusable();
    return limited.finish();
  }

  bool reusable = false;
};

TEST_F(exchange_limits, an_error_body_is_kept_in_bounds) {
  shared.max_error_body = 10;
  begin();
  EXPECT_EQ(
      work.feed("HTTP/1.1 500 \r\nContent-Length: 4000\r\n\r\n" + std::string(4000, 'x'), 3000),
      progress::done);
  EXPECT_EQ(work.finish().error, "HTTP 500: xxxxxxxxxx");
}

TEST_F(exchange_limits, an_answer_beyond_the_limit_fails_without_being_kept) {
  shared.max_message = 8;
  begin();
  EXPECT_EQ(work.feed("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n123456789", 3000),
            progress::done);
  EXPECT_FALSE(work.reusable());
  EXPECT_EQ(work.finish().error, "the answer is longer than 8 B (--max-message)");
}

TEST_F(exchange_limits, an_event_or_line_beyond_the_limit_fails_and_names_the_flag) {
  shared.max_message = std::size_t{1} << 20U;
  const std::string too_long = "ok\n\ndata: " + std::string(shared.max_message, 'x');
  for (const std::size_t read : {std::size_t{1000}, SIZE_MAX}) {
    codec.framing = IFB_FRAMING_SSE;
    const record r = answer("HTTP/1.1 200 OK\r\n\r\ndata: " + too_long, read);
    EXPECT_EQ(r.status, IFB_E_PROTOCOL);
    EXPECT_EQ(r.error, "an event is longer than 1 MiB (--max-message)");
    EXPECT_EQ(r.text, "ok");
    EXPECT_FALSE(reusable);
    codec.framing = IFB_FRAMING_LINES;
    EXPECT_EQ(answer("HTTP/1.1 200 OK\r\n\r\n" + too_long, read).error,
              "a line is longer than 1 MiB (--max-message)");
  }
}

TEST_F(exchange_limits, an_answer_fails_at_the_same_byte_however_it_is_cut_into_reads) {
  const std::string all = streamed({"one", "two", "three"});
  const auto third = all.find("three");
  shared.max_answer = third;
  for (std::size_t read = 1; read <= all.size(); ++read) {
    const record r = answer(all, read);
    EXPECT_EQ(r.status, IFB_E_PROTOCOL) << read;
    EXPECT_EQ(r.error, "the answer is longer than " + std::to_string(third) + " B (--max-answer)");
    EXPECT_EQ(r.text, "onetwo") << read;
    EXPECT_FALSE(reusable);
  }
  shared.max_answer = all.size();
  EXPECT_TRUE(answer(all).ok());
  EXPECT_TRUE(reusable);
  EXPECT_TRUE(answer(all + "HTTP/1.1 200 OK").ok()) << "bytes after an answer do not belong to it";
  EXPECT_FALSE(reusable);
}

TEST_F(exchange_limits, each_leg_has_an_answer_of_its_own) {
  codec.legs = 2;
  const std::string leg = streamed({"one"});
  shared.max_answer = leg.size();
  head_writer limited_heads(shared);
  exchange limited(shared, limited_heads);
  ASSERT_TRUE(limited.prepare(sample, 7, 1000));
  limited.start(2000);
  EXPECT_EQ(limited.feed(leg, 3000), progress::another);
  EXPECT_EQ(limited.feed(leg, 3000), progress::done);
  EXPECT_TRUE(limited.finish().ok());
}

TEST_F(exchange_limits, values_that_the_codec_adds_to_the_record_count_like_the_answer) {
  shared.max_answer = 1024;
  head_writer limited_heads(shared);
  exchange limited(shared, limited_heads);
  ASSERT_TRUE(limited.prepare(sample, 7, 1000));
  limited.start(2000);
  const std::string text(200, 'x');
  ifb_token token{};
  token.struct_size = sizeof token;
  token.text = {text.data(), text.size()};
  for (int i = 0; i < 100; ++i)
    limited.on_token(token);
  for (int i = 0; i < 100; ++i)
    limited.on_attribute("name", text);
  EXPECT_EQ(limited.feed(streamed({"one"}), 3000), progress::done);
  const record r = limited.finish();
  EXPECT_EQ(r.error, "the kept part of the answer is longer than 1 KiB (--max-answer)");
  EXPECT_EQ(r.text.size(), 1000U);
  EXPECT_TRUE(r.attributes.empty());
}

TEST_F(exchange_limits, the_servers_words_in_an_error_are_kept_in_bounds) {
  shared.max_error_body = 10;
  const std::string words(1000, 'w');
  EXPECT_EQ(answer("HTTP/1.1 500 " + words + "\r\nContent-Length: 0\r\n\r\n").error,
            "HTTP 500 wwwwwwwwww");
  EXPECT_THAT(answer("HTTP/1.1 301 \r\nLocation: " + words + "\r\nContent-Length: 0\r\n\r\n").error,
              HasSubstr("HTTP 301 to wwwwwwwwww, which"));
  EXPECT_THAT(answer("HTTP/1.1 200 \r\nContent-Encoding: " + words + "\r\n\r\n").error,
              HasSubstr("(Content-Encoding: wwwwwwwwww)"));
}

TEST_F(exchange_limits, the_decoded_size_of_a_compressed_answer_is_limited) {
  shared.max_answer = 1U << 20U;
  shared.max_message = 1U << 24U;
  exchange limited(shared, heads);
  const std::string body = inferbench::testing::gzip(std::string(1U << 22U, ' '));
  ASSERT_LT(body.size(), 100000U);
  ASSERT_TRUE(limited.prepare(sample, 7, 1000));
  limited.start(2000);
  EXPECT_EQ(limited.feed("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n" + body, 3000),
            progress::done);
  EXPECT_EQ(limited.finish().error, "the answer is longer than 1 MiB (--max-answer)");
}

TEST_F(exchange_limits, an_endless_error_is_read_in_part_and_keeps_its_status) {
  begin();
  const std::string piece(1000, 'x');
  EXPECT_EQ(work.feed("HTTP/1.1 500 Oh\r\n\r\n" + piece, 3000), progress::more);
  EXPECT_TRUE(work.in_error());
  EXPECT_EQ(work.feed(piece, 3000), progress::more);
  EXPECT_EQ(work.feed(piece, 4000), progress::done);
  EXPECT_FALSE(work.reusable());
  const record r = work.finish();
  EXPECT_EQ(r.status, IFB_E_REMOTE);
  EXPECT_EQ(r.http_status, 500U);
  EXPECT_EQ(r.error, "HTTP 500 Oh: " + std::string(2048, 'x'));
}

TEST_F(exchange_limits, an_event_beyond_the_limit_that_only_the_end_completes_is_a_failure) {
  shared.max_message = 20;
  codec.framing = IFB_FRAMING_SSE;
  head_writer limited_heads(shared);
  exchange limited(shared, limited_heads);
  ASSERT_TRUE(limited.prepare(sample, 7, 1000));
  limited.start(2000);
  // The line feed that joins the lines of a JSON value exceeds the limit by one byte.
  EXPECT_EQ(limited.feed("HTTP/1.1 200 OK\r\n\r\ndata:{\n" + std::string(19, 'x'), 3000),
            progress::more);
  EXPECT_EQ(limited.eof(4000), progress::done);
  const record r = limited.finish();
  EXPECT_EQ(r.status, IFB_E_PROTOCOL);
  EXPECT_EQ(r.error, "an event is longer than 20 B (--max-message)");
}

}  // namespace
}  // namespace inferbench::client
