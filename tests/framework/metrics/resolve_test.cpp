#include "metrics/resolve.hpp"

#include <gtest/gtest.h>

#include "record_of.hpp"

namespace inferbench::metrics {
namespace {

using testing_::failure;
using testing_::success;

/// A tokenizer that makes one token of each byte.
std::optional<std::uint64_t> letters(std::string_view text) { return text.size(); }

/// A success. `output`: the server's count of output tokens; -1: the server sent none.
client::record with_text(std::int64_t output, std::string text) {
  client::record r = success({.tokens = {1}});
  r.output_tokens = output;
  r.text = std::move(text);
  return r;
}

TEST(resolve, the_servers_count_takes_precedence_over_the_tokenizers) {
  client::record r = with_text(7, "abc");
  EXPECT_EQ(resolve(r, false, letters), token_source::server);
  EXPECT_EQ(r.output_tokens, 7);
}

TEST(resolve, without_a_server_count_the_text_is_counted) {
  for (const std::int64_t unknown : {-1, 0}) {
    client::record r = with_text(unknown, "abc");
    EXPECT_EQ(resolve(r, false, letters), token_source::text);
    EXPECT_EQ(r.output_tokens, 3);
  }
}

TEST(resolve, an_empty_text_has_no_tokens) {
  client::record r = with_text(-1, "");
  resolve(r, false, letters);
  EXPECT_EQ(r.output_tokens, 0);
}

TEST(resolve, without_a_tokenizer_an_answer_is_one_token) {
  client::record r = with_text(-1, "abc");
  EXPECT_EQ(resolve(r, false, {}), token_source::assumed);
  EXPECT_EQ(r.output_tokens, 1);
}

TEST(resolve, a_tokenizer_that_fails_counts_as_missing) {
  client::record r = with_text(-1, "abc");
  EXPECT_EQ(resolve(r, false, [](std::string_view) { return std::nullopt; }),
            token_source::assumed);
  EXPECT_EQ(r.output_tokens, 1);
}

TEST(resolve, the_text_of_a_failure_is_not_counted) {
  client::record r = failure({.tokens = {1}}, IFB_E_IO, 200, "ended early");
  r.text = "abc";
  resolve(r, false, letters);
  EXPECT_EQ(r.output_tokens, -1);
}

TEST(resolve, the_prompt_count_is_the_servers_or_if_missing_the_clients) {
  client::record r = with_text(1, "a");
  r.sample_tokens = 11;
  r.prompt_tokens = -1;
  resolve(r, false, letters);
  EXPECT_EQ(r.prompt_tokens, 11);
  r.prompt_tokens = 12;
  resolve(r, false, letters);
  EXPECT_EQ(r.prompt_tokens, 12);
}

TEST(resolve, a_pooling_prompt_that_the_server_did_not_count_is_zero) {
  client::record r = success({});
  r.sample_tokens = 11;
  r.prompt_tokens = -1;
  resolve(r, true, letters);
  EXPECT_EQ(r.prompt_tokens, 0);
}

TEST(resolve, a_resolved_record_keeps_its_count_and_source_without_a_tokenizer) {
  for (const char* text : {"abc", ""}) {
    client::record r = with_text(-1, text);
    resolve(r, false, letters);
    const std::int64_t count = r.output_tokens;
    EXPECT_EQ(resolve(r, false, {}), token_source::text);
    EXPECT_EQ(r.output_tokens, count);
    EXPECT_EQ(r.attributes.size(), 1U);
  }
}

TEST(resolve, an_assumed_count_stays_assumed_if_the_record_is_resolved_again) {
  client::record r = with_text(-1, "abc");
  resolve(r, false, {});
  EXPECT_EQ(resolve(r, false, letters), token_source::assumed);
  EXPECT_EQ(r.output_tokens, 1);
}

TEST(resolve, an_answer_shorter_than_promised_is_marked_once) {
  client::record r = with_text(2, "abc");
  r.wanted_tokens = 50;
  resolve(r, false, letters);
  EXPECT_FALSE(shorter_than_promised(r)) << "the server may stop at the end of sequence";
  for (int i = 0; i < 2; ++i)
    resolve(r, false, letters, {.whole_length = true});
  EXPECT_EQ(r.attributes, (decltype(r.attributes){{"short_answer", "2 of 50"}}));
  EXPECT_TRUE(r.ok());

  client::record whole = with_text(50, "abc");
  whole.wanted_tokens = 50;
  resolve(whole, false, letters, {.whole_length = true});
  EXPECT_FALSE(shorter_than_promised(whole));
  client::record counted = with_text(-1, "abc");
  counted.wanted_tokens = 50;
  resolve(counted, false, letters, {.whole_length = true});
  EXPECT_FALSE(shorter_than_promised(counted))
      << "the tokenizer's count may differ from the number of generated tokens";
}

TEST(resolve, with_strict_answers_an_answer_that_ended_early_is_a_failure) {
  client::record r = with_text(2, "abc");
  r.wanted_tokens = 50;
  r.attributes = {{"end_mark", "none"}};
  EXPECT_TRUE(without_end_mark(r));
  resolve(r, false, letters, {.whole_length = true, .strict = true});
  EXPECT_EQ(r.status, IFB_E_PROTOCOL);
  EXPECT_EQ(r.error,
            "the answer ended early (--strict-answers): the stream stopped without [DONE] and "
            "without a finish reason, and it has 2 of 50 tokens, although the server was told to "
            "ignore the end of sequence");
  client::record good = with_text(2, "abc");
  good.wanted_tokens = 50;
  resolve(good, false, letters, {.strict = true});
  EXPECT_TRUE(good.ok()) << "the server may stop at the end of sequence";
}

}  // namespace
}  // namespace inferbench::metrics
