#include "prompts/salt_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/dataset/fake_dataset.hpp"
#include "framework/services/piece_tokenizer.hpp"
#include "framework/services/scripted_tokenizer.hpp"

namespace inferbench::prompts {
namespace {

using ::testing::Each;
using ::testing::Ge;
using ::testing::Lt;
using ::testing::SizeIs;
using ::testing::StartsWith;

const services::tokenizer tokens_(fake::choice<fake::pieces>("pieces"), {});

salt_text::salted_text grown(const std::string& salt, std::string_view prompt,
                             std::string_view content = {}) {
  return salt_text(salt, &tokens_, false).salted(prompt, content);
}

TEST(salt_text, comes_first_and_is_counted_together_with_the_text) {
  // "x-" is two tokens; the letters after it keep their tokens.
  EXPECT_EQ(grown("x-", "abcdef").text, "x-abcdef");
  EXPECT_EQ(grown("x-", "abcdef").grown, 2);
  // The tokens are "xab", "cde" and "f", one more than without the salt.
  EXPECT_EQ(grown("x", "abcdef").grown, 1);
  // The tokens are "xab" and "cd", as many as without the salt.
  EXPECT_EQ(grown("x", "abcd").grown, 0);
  EXPECT_EQ(grown("x-", "").text, "x-");
}

TEST(salt_text, comes_after_the_beginning_token_if_the_prompt_contains_it) {
  EXPECT_EQ(grown("x-", "<s>abc").text, "<s>x-abc");
  EXPECT_EQ(grown("x-", "a<s>bc").text, "x-a<s>bc");
}

TEST(salt_text, comes_before_the_content_of_a_rendered_prompt) {
  EXPECT_EQ(grown("x-", "<s>[user] hi there [end]", "hi there").text, "<s>[user] x-hi there [end]");
  EXPECT_EQ(grown("x-", "<s>[user] hi [end]", "\n hi \n").text, "<s>[user] x-hi [end]");
  EXPECT_EQ(grown("x-", "<s>[user] hi", "gone").text, "<s>x-[user] hi");
}

TEST(salt_text, of_a_prompt_of_a_length_takes_the_place_of_its_first_tokens) {
  const salt_text salt("x-1 ", &tokens_, true);
  ASSERT_THAT(salt.ids(), SizeIs(4));
  const auto result = salt.salted("abcdefghi1234567890");
  EXPECT_EQ(result.grown, 0);
  // The letters are three tokens, the digits ten; the first digit is removed, too.
  EXPECT_EQ(result.text, "x-1 234567890");
  EXPECT_EQ(tokens_.count(result.text), tokens_.count("abcdefghi1234567890"));
}

TEST(salt_text, a_changed_count_at_the_seam_is_corrected_at_the_end) {
  const salt_text salt("x", &tokens_, true);
  for (std::size_t size = 8; size < 60; ++size) {
    std::string prompt;
    for (std::size_t i = 0; i < size; ++i)
      prompt += i % 7 == 6 ? '.' : static_cast<char>('a' + i % 26);
    const auto result = salt.salted(prompt);
    EXPECT_EQ(result.grown, 0) << prompt;
    EXPECT_EQ(tokens_.count(result.text), tokens_.count(prompt)) << result.text;
    EXPECT_THAT(result.text, StartsWith("x"));
  }
}

TEST(salt_text, prompts_that_begin_alike_still_do) {
  const salt_text salt("x", &tokens_, true);
  const std::string common = "abcdefgh.ijklmnop.qrs.";
  const std::string one = salt.salted(common + "one").text;
  const std::string two = salt.salted(common + "another, which is longer").text;
  const std::string kept = common.substr(3);
  EXPECT_THAT(one, StartsWith("x" + kept));
  EXPECT_THAT(two, StartsWith("x" + kept));
}

TEST(salt_text, of_a_short_prompt_nothing_is_taken) {
  const salt_text salt("x-1 ", &tokens_, true);
  const auto result = salt.salted("1234567");
  EXPECT_EQ(result.text, "x-1 1234567");
  EXPECT_EQ(result.grown, 4);
  EXPECT_EQ(salt.salted("").text, "x-1 ");
}

TEST(salt_text, is_the_tokenizer_s_tokens) {
  const salt_text salt("x-", &tokens_, false);
  EXPECT_EQ(salt.first(), fake::pieces::bos);
  EXPECT_THAT(salt.ids(), SizeIs(2));
}

TEST(salt_text, with_a_tokenizer_that_fails_is_not_counted_and_the_reason_is_logged) {
  fake::log_book book;
  fake::scripted_tokenizer script;
  script.status = IFB_E_DATA;
  script.message = "id 7 stands for no bytes";
  const services::tokenizer failing(script.choice(), {.log = &book.log});
  const salt_text salt("x-", &failing, true);
  EXPECT_EQ(salt.salted("abcdefghi1234567890").text, "x-abcdefghi1234567890");
  EXPECT_EQ(salt.salted("abcdefghi1234567890").grown, 0);
  EXPECT_THAT(salt.ids(), SizeIs(8));
  EXPECT_THAT(book.lines(),
              ::testing::ElementsAre("tokenizer scripted fails, so some lengths in tokens are not "
                                     "known: id 7 stands for no bytes"));
}

TEST(salt_text, without_a_tokenizer_has_its_own_ids_and_no_counts) {
  const salt_text one("[00000001] ", nullptr, false);
  const salt_text two("[00000002] ", nullptr, false);
  EXPECT_THAT(one.ids(), SizeIs(8));
  EXPECT_THAT(one.ids(), Each(Ge(256U)));
  EXPECT_THAT(one.ids(), Each(Lt(1000U)));
  EXPECT_NE(one.ids(), two.ids());
  EXPECT_EQ(one.ids(), salt_text("[00000001] ", nullptr, false).ids());
  EXPECT_EQ(one.salted("abc").text, "[00000001] abc");
  EXPECT_EQ(one.salted("abc").grown, 0);
  EXPECT_FALSE(one.first());
}

}  // namespace
}  // namespace inferbench::prompts
