// An exchange: the framing of an answer, and the record that a good answer becomes.
#include "client/exchange.hpp"

#include <cstddef>
#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/abi.h>

#include "client/record.hpp"
#include "framework/client/exchange_bench.hpp"

namespace inferbench::client {
namespace {

using ::testing::ElementsAre;

class exchange_test : public testing::exchange_bench {};

TEST_F(exchange_test, a_stream_becomes_a_record_with_a_stamp_for_each_event) {
  begin();
  EXPECT_EQ(work.feed(streamed({"role", "one", "think", " two", "usage"}), 3000), progress::done);
  EXPECT_TRUE(work.reusable());
  const record r = work.finish();
  EXPECT_TRUE(r.ok()) << r.error;
  EXPECT_EQ(r.sequence, 7U);
  EXPECT_EQ(r.id, "bench-0");
  EXPECT_EQ(r.due_ns, 1000U);
  EXPECT_EQ(r.start_ns, 2000U);
  EXPECT_EQ(r.connected_ns, 2100U);
  EXPECT_EQ(r.sent_ns, 2200U);
  EXPECT_EQ(r.first_byte_ns, 3000U);
  EXPECT_EQ(r.end_ns, 3000U);
  EXPECT_EQ(r.http_status, 200U);
  EXPECT_EQ(r.tokens.size(), 4U);
  EXPECT_EQ(r.text, "one two");
  EXPECT_EQ(r.finish_reason, "stop");
  EXPECT_EQ(r.prompt_tokens, 3);
  EXPECT_EQ(r.output_tokens, 5);
  EXPECT_EQ(r.cached_tokens, -1);
  EXPECT_EQ(codec.closed, 1);
}

TEST_F(exchange_test, events_carry_the_time_of_the_read_that_completed_them) {
  begin();
  const std::string all = streamed({"role", "a", "b"});
  const auto half = all.find("data: b") + 3;
  EXPECT_EQ(work.feed(all.substr(0, half), 3000), progress::more);
  EXPECT_EQ(work.feed(all.substr(half), 4000), progress::done);
  const record r = work.finish();
  EXPECT_THAT(r.tokens.absolute(), ElementsAre(3000, 3000, 4000));
  EXPECT_EQ(r.first_text_ns, 3000U);
  EXPECT_EQ(r.last_text_ns, 4000U);
  EXPECT_EQ(r.first_answer_ns, 3000U);
}

TEST_F(exchange_test, how_the_answer_is_cut_into_reads_changes_nothing) {
  const std::string all = streamed({"role", "one", "usage", " two"});
  for (std::size_t cut = 1; cut < all.size(); ++cut) {
    begin();
    EXPECT_EQ(work.feed(all.substr(0, cut), 3000), progress::more) << cut;
    EXPECT_EQ(work.feed(all.substr(cut), 3000), progress::done) << cut;
    const record r = work.finish();
    EXPECT_TRUE(r.ok()) << cut << ": " << r.error;
    EXPECT_EQ(r.text, "one two") << cut;
    EXPECT_EQ(r.tokens.size(), 3U) << cut;
  }
}

TEST_F(exchange_test, a_stream_without_length_ends_with_the_connection) {
  begin();
  EXPECT_EQ(
      work.feed("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: x\n\n", 3000),
      progress::more);
  EXPECT_EQ(work.eof(4000), progress::done);
  EXPECT_FALSE(work.reusable());
  const record r = work.finish();
  EXPECT_TRUE(r.ok()) << r.error;
  EXPECT_THAT(r.tokens.absolute(), ElementsAre(3000));
}

TEST_F(exchange_test, an_answer_that_is_not_a_stream_is_one_message) {
  begin();
  EXPECT_EQ(
      work.feed("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5\r\n\r\nwh",
                3000),
      progress::more);
  EXPECT_EQ(work.feed("ole", 4000), progress::done);
  EXPECT_THAT(codec.messages, ElementsAre("whole"));
  EXPECT_THAT(work.finish().tokens.absolute(), ElementsAre(4000));
}

TEST_F(exchange_test, the_codec_chooses_lines_and_raw_reads) {
  codec.framing = IFB_FRAMING_LINES;
  begin();
  EXPECT_EQ(work.feed("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\na\nb\r\nc", 3000),
            progress::done);
  EXPECT_THAT(codec.messages, ElementsAre("a", "b", "c"));
  EXPECT_TRUE(work.finish().ok());

  codec.messages.clear();
  codec.framing = IFB_FRAMING_RAW;
  begin();
  EXPECT_EQ(work.feed("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab", 3000), progress::more);
  EXPECT_EQ(work.feed("cd", 4000), progress::done);
  EXPECT_THAT(codec.messages, ElementsAre("ab", "cd"));
}

TEST_F(exchange_test, trailers_reach_the_codec_with_the_end) {
  begin();
  const std::string all = streamed({"one"});
  EXPECT_EQ(work.feed(all.substr(0, all.size() - 2) + "grpc-status: 0\r\nX: y\r\n\r\n", 3000),
            progress::done);
  EXPECT_THAT(codec.endings, ElementsAre("grpc-status=0|X=y|"));
  EXPECT_TRUE(work.reusable());
  EXPECT_TRUE(work.finish().ok());
}

TEST_F(exchange_test, the_codec_is_closed_even_if_the_record_is_not_taken) {
  {
    exchange dropped(shared, heads);
    ASSERT_TRUE(dropped.prepare(sample, 1, 0));
  }
  EXPECT_EQ(codec.closed, 1);
}

TEST_F(exchange_test, bytes_beyond_the_answer_spoil_the_connection) {
  begin();
  EXPECT_EQ(work.feed(streamed({"one"}) + "HTTP/1.1 200", 3000), progress::done);
  EXPECT_FALSE(work.reusable());
}

TEST_F(exchange_test, keeps_the_headers_in_which_a_router_names_its_choice) {
  ASSERT_TRUE(work.prepare(sample, 7, 1000));
  work.sent(2200);
  std::string answer = streamed({"one", "usage"});
  answer.insert(answer.find("\r\n") + 2,
                "X-VLLM-Worker: w\xff"
                "1\r\nx-vllm-: empty\r\nX-Other: 2\r\n");
  EXPECT_EQ(work.feed(answer, 3000), progress::done);
  const record r = work.finish();
  EXPECT_TRUE(r.ok()) << r.error;
  EXPECT_THAT(r.attributes, ElementsAre(std::pair<std::string, std::string>("x-vllm-worker",
                                                                            "w\xEF\xBF\xBD"
                                                                            "1")));
}

TEST_F(exchange_test, a_stream_without_field_names_is_good) {
  codec.framing = IFB_FRAMING_SSE;
  begin();
  EXPECT_EQ(work.feed("HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n{}\n\n{1}\n\n{2}", 3000),
            progress::more);
  EXPECT_EQ(work.feed("\n", 3000), progress::done);
  EXPECT_TRUE(work.finish().ok());
}

TEST_F(exchange_test, a_stream_under_another_type_is_good) {
  codec.framing = IFB_FRAMING_SSE;
  begin();
  EXPECT_EQ(work.feed("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
                      "11\r\n\r\ndata: one\n\n",
                      3000),
            progress::done);
  const record r = work.finish();
  EXPECT_TRUE(r.ok()) << r.error;
  EXPECT_EQ(r.text, "one");
}

}  // namespace
}  // namespace inferbench::client
