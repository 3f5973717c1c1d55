// A codec that ends a request at a message, before the end of the answer.
#include <cstddef>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/abi.h>

#include "client/exchange.hpp"
#include "client/record.hpp"
#include "framework/client/exchange_bench.hpp"
#include "transport/http1_response_parser.hpp"

namespace inferbench::client {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class exchange_early_end : public testing::exchange_bench {};

TEST_F(exchange_early_end, a_codec_that_reported_the_end_gets_no_more_messages) {
  begin();
  EXPECT_EQ(work.feed(streamed({"one", "end", "two"}), 3000), progress::done);
  EXPECT_THAT(codec.messages, ElementsAre("one", "end"));
  EXPECT_THAT(codec.endings, ElementsAre("early"));
  EXPECT_FALSE(work.has_rest());
  EXPECT_TRUE(work.reusable());
  EXPECT_TRUE(work.finish().ok());
}

TEST_F(exchange_early_end, a_request_ends_at_the_message_with_which_its_codec_ends_it) {
  begin();
  ASSERT_EQ(work.feed(std::string(stream_head) + event("one"), 3000), progress::more);
  ASSERT_EQ(work.feed(event("end") + event("two"), 4000, {500}), progress::done);
  EXPECT_THAT(codec.endings, ElementsAre("early"));
  EXPECT_TRUE(work.has_rest());
  EXPECT_FALSE(work.reusable());
  work.skip(event("three"));
  EXPECT_TRUE(work.has_rest());
  work.skip("0\r\n\r\n");
  EXPECT_FALSE(work.has_rest());
  EXPECT_TRUE(work.reusable());
  EXPECT_THAT(codec.messages, ElementsAre("one", "end"));
  EXPECT_THAT(codec.arrivals, ElementsAre(3000, 4000));
  const record r = work.finish();
  EXPECT_TRUE(r.ok()) << r.error;
  EXPECT_EQ(r.end_ns, 4000U);
  EXPECT_EQ(r.late.end_ns, 500U) << "more came in the same read";
  EXPECT_EQ(r.text, "one");
}

TEST_F(exchange_early_end, the_rest_of_an_ended_request_can_be_read_by_another_parser) {
  begin();
  ASSERT_EQ(work.feed(std::string(stream_head) + event("one") + event("end") + "c\r\ndata", 3000),
            progress::done);
  transport::http1_response_parser parser;
  parser.continue_at(work.take_rest());
  EXPECT_FALSE(work.has_rest());
  std::string_view rest = ": two\n\n\r\n0\r\n\r\n";
  auto piece = parser.next(rest);
  for (; piece.kind == transport::http1_piece::body; piece = parser.next(rest)) {
  }
  EXPECT_EQ(piece.kind, transport::http1_piece::end);
  EXPECT_TRUE(parser.reusable());
}

TEST_F(exchange_early_end, how_an_answer_with_an_early_end_is_cut_into_reads_changes_nothing) {
  const std::string all = streamed({"one", "end", "two"});
  for (std::size_t cut = 1; cut < all.size(); ++cut) {
    codec.messages.clear();
    codec.endings.clear();
    begin();
    if (work.feed(all.substr(0, cut), 3000) == progress::more) {
      EXPECT_EQ(work.feed(all.substr(cut), 3000), progress::done) << cut;
    } else {
      work.skip(all.substr(cut));
    }
    EXPECT_FALSE(work.has_rest()) << cut;
    EXPECT_TRUE(work.reusable()) << cut;
    EXPECT_THAT(codec.messages, ElementsAre("one", "end")) << cut;
    EXPECT_THAT(codec.endings, ElementsAre("early")) << cut;
    EXPECT_TRUE(work.finish().ok()) << cut;
  }
}

TEST_F(exchange_early_end, an_early_end_has_the_stamp_of_its_data) {
  begin();
  ASSERT_EQ(work.feed(std::string(stream_head) + event("one") + chunk("data: end\n"), 3000),
            progress::more);
  ASSERT_EQ(work.feed(chunk("\n"), 4000), progress::done);
  EXPECT_EQ(work.finish().end_ns, 3000U);
}

TEST_F(exchange_early_end, an_early_end_without_an_outcome_is_a_failure) {
  codec.silent = true;
  begin();
  ASSERT_EQ(work.feed(std::string(stream_head) + event("one") + event("end"), 3000),
            progress::done);
  EXPECT_TRUE(work.has_rest());
  EXPECT_THAT(work.finish().error, HasSubstr("did not report the end of the answer"));
}

TEST_F(exchange_early_end, an_end_at_the_end_of_the_body_is_not_early) {
  begin();
  codec.silent = true;
  EXPECT_EQ(work.feed("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nend", 3000), progress::done);
  EXPECT_THAT(codec.endings, ElementsAre(""));
  EXPECT_TRUE(work.reusable());
}

TEST_F(exchange_early_end, a_malformed_rest_of_an_ended_request_spoils_only_the_connection) {
  begin();
  ASSERT_EQ(work.feed(std::string(stream_head) + event("one") + event("end") + "zz", 3000),
            progress::done);
  EXPECT_FALSE(work.has_rest());
  EXPECT_FALSE(work.reusable());
  EXPECT_TRUE(work.finish().ok());
}

TEST_F(exchange_early_end, a_codec_that_ended_a_leg_at_a_message_may_ask_for_another) {
  codec.legs = 2;
  begin();
  ASSERT_EQ(work.feed(std::string(stream_head) + event("one") + event("end"), 3000),
            progress::another);
  EXPECT_TRUE(work.has_rest()) << "of the first leg";
  EXPECT_FALSE(work.reusable());
  work.sent(3100);
  EXPECT_FALSE(work.has_rest());
  EXPECT_EQ(work.feed(streamed({"two"}), 4000), progress::done);
  EXPECT_THAT(codec.endings, ElementsAre("early", ""));
  EXPECT_EQ(work.finish().text, "onetwo");
}

TEST_F(exchange_early_end, a_leg_after_an_early_end_that_cannot_be_made_leaves_no_rest) {
  codec.legs = 2;
  begin();
  codec.request_status = IFB_E_DATA;
  ASSERT_EQ(work.feed(std::string(stream_head) + event("one") + event("end"), 3000),
            progress::done);
  EXPECT_FALSE(work.has_rest());
  EXPECT_FALSE(work.reusable());
  EXPECT_EQ(work.finish().error, "no second thought");
}

}  // namespace
}  // namespace inferbench::client
