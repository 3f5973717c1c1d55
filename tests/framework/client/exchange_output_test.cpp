// The output that a codec reports: tokens by channel, their times, and counts.
#include <cstddef>
#include <cstdint>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/abi.h>

#include "client/exchange.hpp"
#include "client/record.hpp"
#include "framework/client/exchange_bench.hpp"
#include "framework/client/fake_codec.hpp"

namespace inferbench::client {
namespace {

using ::testing::ElementsAre;
using testing::fake_codec;
using ::testing::HasSubstr;

class exchange_output : public testing::exchange_bench {};

TEST_F(exchange_output, output_that_is_not_text_counts_like_text_and_is_not_kept) {
  begin();
  EXPECT_EQ(work.feed(std::string(stream_head) + event("role"), 3000), progress::more);
  EXPECT_EQ(work.feed(event("sound"), 4000), progress::more);
  EXPECT_EQ(work.feed(event("sound"), 5000), progress::more);
  const record r = work.finish();
  EXPECT_THAT(r.text_events, ElementsAre(0, 0, 0, 2));
  EXPECT_EQ(r.first_text_ns, 4000U);
  EXPECT_EQ(r.last_text_ns, 5000U);
  EXPECT_EQ(r.first_answer_ns, 0U);
  EXPECT_EQ(r.text, "");
}

TEST_F(exchange_output, output_of_the_answer_that_is_not_text_leaves_the_choice_open) {
  begin();
  ifb_token token = IFB_TOKEN_INIT;
  token.choice = 2;
  token.data = {"picture", 7};
  work.on_token(token);
  token.data = {};
  token.choice = 1;
  token.text = fake_codec::str("text");
  work.on_token(token);
  const record r = work.finish();
  EXPECT_EQ(r.text, "text");
  EXPECT_THAT(r.text_events, ElementsAre(2, 0, 0, 0));
  EXPECT_EQ(r.first_answer_ns, r.tokens.front());
}

TEST_F(exchange_output, a_token_of_an_older_header_has_no_data) {
  begin();
  ifb_token token = IFB_TOKEN_INIT;
  token.struct_size = offsetof(ifb_token, data);
  token.data = {"beyond its size", 15};
  work.on_token(token);
  EXPECT_THAT(work.finish().text_events, ElementsAre(0, 0, 0, 0));
}

TEST_F(exchange_output, an_impossible_count_is_left_out_and_reported) {
  begin();
  EXPECT_EQ(work.feed(streamed({"one", "usage", "many"}), 3000), progress::done);
  EXPECT_THAT(work.take_remark(),
              HasSubstr("reports 9223372036854775807 output tokens for request 7"));
  EXPECT_EQ(work.finish().output_tokens, 5);
}

TEST_F(exchange_output, a_stamp_of_the_codec_in_the_future_counts_as_now) {
  begin();
  EXPECT_EQ(work.feed(streamed({"one", "future"}), 3000), progress::done);
  EXPECT_THAT(work.take_remark(), HasSubstr("it stamped a token of request 7 with a time"));
  const record r = work.finish();
  EXPECT_EQ(r.tokens.back(), 3000U);
  EXPECT_EQ(r.last_text_ns, 3000U);
}

TEST_F(exchange_output, a_stamp_of_the_codec_before_the_start_counts_as_the_start) {
  begin();
  ifb_token token{};
  token.struct_size = sizeof token;
  token.text = fake_codec::str("early");
  token.at = 5;
  work.on_token(token);
  const record r = work.finish();
  EXPECT_THAT(r.tokens.absolute(), ElementsAre(2000));
  EXPECT_EQ(r.first_text_ns, 2000U);
  EXPECT_EQ(r.first_answer_ns, 2000U);
}

TEST_F(exchange_output, events_with_text_are_counted_by_channel) {
  begin();
  const auto say = [&](std::uint32_t channel, const char* text) {
    ifb_token token{};
    token.struct_size = sizeof token;
    token.channel = channel;
    token.text = fake_codec::str(text);
    work.on_token(token);
  };
  say(IFB_CHANNEL_REASONING, "well");
  say(IFB_CHANNEL_ANSWER, "");
  say(IFB_CHANNEL_ANSWER, "yes");
  say(IFB_CHANNEL_ANSWER, "!");
  say(IFB_CHANNEL_TOOL_CALL, "{}");
  say(IFB_CHANNEL_AUDIO, "a");
  say(4711, "b");
  const record r = work.finish();
  EXPECT_THAT(r.text_events, ElementsAre(2, 1, 1, 2));
  EXPECT_EQ(r.tokens.size(), 7U);
  EXPECT_EQ(r.text, "yes!");
}

}  // namespace
}  // namespace inferbench::client
