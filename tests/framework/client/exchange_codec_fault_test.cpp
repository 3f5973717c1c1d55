// Codecs that refuse, break the rules of the ABI, or report no outcome: each fault fails its
// request.
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/abi.h>

#include "client/exchange.hpp"
#include "client/record.hpp"
#include "framework/client/exchange_bench.hpp"

namespace inferbench::client {
namespace {

using ::testing::HasSubstr;

class exchange_codec_fault : public testing::exchange_bench {};

TEST_F(exchange_codec_fault, a_status_that_a_call_does_not_have_fails_the_request) {
  const auto error_of = [&](const std::vector<std::string>& events) {
    begin();
    EXPECT_EQ(work.feed(streamed(events), 3000), progress::done);
    const record r = work.finish();
    EXPECT_EQ(r.status, IFB_E_INTERNAL);
    return r.error;
  };
  for (const ifb_status odd : {4242, static_cast<int>(IFB_SKIP), static_cast<int>(IFB_MORE)}) {
    codec.odd = odd;
    EXPECT_EQ(error_of({"one", "odd", "two"}), "on_message of backend fake returned the status " +
                                                   std::to_string(odd) +
                                                   ", which this call does not have");
  }
  codec.head_status = 5;
  EXPECT_EQ(error_of({"one"}),
            "on_head of backend fake returned the status 5, which this call does not have");
  codec.head_status = IFB_OK;
  for (const bool silent : {false, true}) {
    codec.silent = silent;
    codec.end_status = 99;
    EXPECT_EQ(error_of({"one"}),
              "on_end of backend fake returned the status 99, which this call does not have");
  }
}

TEST_F(exchange_codec_fault, a_sample_that_is_refused_with_an_odd_status_has_failed) {
  codec.open_status = 99;
  EXPECT_FALSE(work.prepare(sample, 1, 0));
  EXPECT_EQ(work.finish().error,
            "open of backend fake returned the status 99, which this call does not have");
  codec.open_status = IFB_OK;
  codec.request_status = IFB_MORE;
  EXPECT_FALSE(work.prepare(sample, 1, 0));
  EXPECT_EQ(work.finish().error,
            "request of backend fake returned the status 2, which this call does not have");
}

TEST_F(exchange_codec_fault, an_error_that_this_version_does_not_know_is_an_internal_error) {
  codec.odd = -4242;
  begin();
  EXPECT_EQ(work.feed(streamed({"one", "odd"}), 3000), progress::done);
  const record r = work.finish();
  EXPECT_EQ(r.status, IFB_E_INTERNAL);
  EXPECT_EQ(r.error, "on_message of backend fake failed: internal error of the plugin");
}

TEST_F(exchange_codec_fault, an_unknown_framing_fails_the_request) {
  codec.framing = 99;
  begin();
  EXPECT_EQ(work.feed(streamed({"one"}), 3000), progress::done);
  EXPECT_FALSE(work.reusable());
  const record r = work.finish();
  EXPECT_EQ(r.status, IFB_E_INTERNAL);
  EXPECT_EQ(r.error, "on_head of backend fake chose the framing 99, which this host does not know");
}

TEST_F(exchange_codec_fault, a_codec_that_makes_no_exchange_fails_the_request) {
  codec.makes_nothing = true;
  EXPECT_FALSE(work.prepare(sample, 1, 0));
  const record r = work.finish();
  EXPECT_EQ(r.status, IFB_E_INTERNAL);
  EXPECT_EQ(r.error, "open of backend fake succeeded and made no exchange");
  EXPECT_EQ(codec.closed, 0);
}

TEST_F(exchange_codec_fault, a_codec_that_asks_for_a_leg_after_the_end_is_reported) {
  codec.legs = 2;
  begin();
  EXPECT_EQ(work.feed(streamed({"one", "done"}), 3000), progress::done);
  EXPECT_THAT(work.take_remark(), HasSubstr("it asked for another leg of request 7 after its end"));
  EXPECT_TRUE(work.finish().ok());
}

TEST_F(exchange_codec_fault, a_stream_without_an_outcome_ended_early) {
  codec.silent = true;
  begin();
  EXPECT_EQ(work.feed(streamed({"one"}), 3000), progress::done);
  EXPECT_THAT(work.finish().error, HasSubstr("did not report the end of the answer"));
}

TEST_F(exchange_codec_fault, a_stream_without_tokens_fails_as_the_codec_says) {
  begin();
  EXPECT_EQ(work.feed(streamed({"usage"}), 3000), progress::done);
  const record r = work.finish();
  EXPECT_THAT(r.error, HasSubstr("TTFT"));
  EXPECT_EQ(r.output_tokens, 5);
}

TEST_F(exchange_codec_fault, a_refused_sample_is_a_failed_request) {
  codec.open_status = IFB_E_UNSUPPORTED;
  EXPECT_FALSE(work.prepare(sample, 1, 0));
  const record r = work.finish();
  EXPECT_EQ(r.status, IFB_E_UNSUPPORTED);
  EXPECT_EQ(r.error, "this prompt has no shape");
  EXPECT_EQ(codec.closed, 0);
}

}  // namespace
}  // namespace inferbench::client
