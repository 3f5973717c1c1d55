// Compressed answers, for which no request asks.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/abi.h>

#include "client/exchange.hpp"
#include "client/record.hpp"
#include "framework/client/exchange_bench.hpp"
#include "support/gzip.hpp"

namespace inferbench::client {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class exchange_compression : public testing::exchange_bench {};

TEST_F(exchange_compression, asks_for_no_compression) {
  begin();
  EXPECT_THAT(std::string(work.head()), HasSubstr("Accept-Encoding: identity\r\n"));
}

TEST_F(exchange_compression, a_compressed_stream_is_decoded_and_reported) {
  const std::string body = inferbench::testing::gzip("data: one\n\ndata: two\n\n");
  const std::string head =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Encoding: gzip\r\n"
      "Content-Length: " +
      std::to_string(body.size()) + "\r\n\r\n";
  begin();
  EXPECT_EQ(work.feed(head + body.substr(0, 7), 3000), progress::more);
  EXPECT_EQ(work.feed(body.substr(7), 4000), progress::done);
  EXPECT_TRUE(work.reusable());
  EXPECT_THAT(codec.messages, ElementsAre("one", "two"));
  EXPECT_THAT(work.take_remark(), HasSubstr("compressed (Content-Encoding: gzip): events come in "
                                            "blocks, and their times are those of the blocks"));
  EXPECT_TRUE(work.finish().ok());

  begin();
  EXPECT_EQ(work.feed(head + body, 3000), progress::done);
  EXPECT_EQ(work.take_remark(), "") << "once";
  EXPECT_TRUE(work.finish().ok());
}

TEST_F(exchange_compression, a_compressed_answer_that_is_cut_short_or_damaged_has_failed) {
  const std::string body = inferbench::testing::gzip(std::string(1000, 'x'));
  const std::string head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ";
  begin();
  EXPECT_EQ(work.feed(head + "12\r\n\r\n" + body.substr(0, 12), 3000), progress::done);
  record r = work.finish();
  EXPECT_EQ(r.status, IFB_E_IO);
  EXPECT_EQ(r.error, "the compressed answer ended before it was complete");
  begin();
  EXPECT_EQ(work.feed(head + "20\r\n\r\n" + std::string(20, 'x'), 3000), progress::done);
  r = work.finish();
  EXPECT_EQ(r.status, IFB_E_PROTOCOL);
  EXPECT_THAT(r.error, HasSubstr("the answer cannot be read: the gzip body is damaged"));
}

TEST_F(exchange_compression, the_reason_of_a_compressed_error_is_read) {
  const std::string body = inferbench::testing::gzip("{\"error\":\"no such model\"}");
  begin();
  EXPECT_EQ(work.feed("HTTP/1.1 404 Oh\r\nContent-Encoding: gzip\r\nContent-Length: " +
                          std::to_string(body.size()) + "\r\n\r\n" + body,
                      3000),
            progress::done);
  EXPECT_EQ(work.finish().error,
            "HTTP 404 Oh: {\"error\":\"no such model\"}; check --model and "
            "--served-model-name");
}

TEST_F(exchange_compression, an_answer_in_an_unknown_coding_fails_with_a_clear_text) {
  begin();
  EXPECT_EQ(
      work.feed(
          "HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\nContent-Length: 3\r\n\r\n\x1f\x8b\x08",
          3000),
      progress::done);
  EXPECT_FALSE(work.reusable());
  EXPECT_THAT(codec.messages, ElementsAre());
  const record r = work.finish();
  EXPECT_EQ(r.status, IFB_E_PROTOCOL);
  EXPECT_THAT(r.error, HasSubstr("compressed (Content-Encoding: zstd)"));

  begin();
  EXPECT_EQ(
      work.feed("HTTP/1.1 200 OK\r\nContent-Encoding: Identity\r\nContent-Length: 3\r\n\r\nyes",
                3000),
      progress::done);
  EXPECT_TRUE(work.finish().ok());
}

TEST_F(exchange_compression, a_compressed_error_body_is_left_out) {
  begin();
  EXPECT_EQ(
      work.feed("HTTP/1.1 500 Oh\r\nContent-Encoding: br\r\nContent-Length: 3\r\n\r\n\x1f\x8b\x08",
                3000),
      progress::done);
  EXPECT_EQ(work.finish().error, "HTTP 500 Oh");
}

}  // namespace
}  // namespace inferbench::client
