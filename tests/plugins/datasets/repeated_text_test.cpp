#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/datasets/tokenizers.hpp"

namespace {

using support::dataset_box;
using ::testing::HasSubstr;

TEST(repeated_texts, have_one_repetition_less_than_tokens_and_no_blanks) {
  dataset_box box("repeated-text");
  ASSERT_EQ(box.create({{"input-len", 5}, {"output-len", 9}}), IFB_OK);
  ASSERT_EQ(box.prepare(3), IFB_OK);
  EXPECT_EQ(box.info.rows, 3);
  for (std::uint64_t i = 0; i < 3; ++i) {
    ASSERT_EQ(box.read(i), IFB_OK);
    EXPECT_EQ(box.prompt(), "hihihihi");
    EXPECT_EQ(box.sample.input_tokens, 5);  // as asked: nobody counts
    EXPECT_EQ(box.sample.output_tokens, 9);
  }
}

TEST(repeated_texts, are_counted_by_the_tokenizer_if_there_is_one) {
  dataset_box box("repeated-text");
  box.host.services[IFB_SERVICE_TOKENIZER] = &support::byte_counter;
  ASSERT_EQ(box.create({{"input-len", 5}, {"text", "abc"}}), IFB_OK);
  ASSERT_EQ(box.prepare(1), IFB_OK);
  ASSERT_EQ(box.read(0), IFB_OK);
  EXPECT_EQ(box.prompt(), "abcabcabcabc");
  EXPECT_EQ(box.sample.input_tokens, 13);
}

TEST(repeated_texts, have_no_end_if_the_run_ends_at_a_time) {
  dataset_box box("repeated-text");
  ASSERT_EQ(box.create({}), IFB_OK);
  ASSERT_EQ(box.prepare(-1), IFB_OK);
  EXPECT_EQ(box.info.rows, -1);
  ASSERT_EQ(box.read(1'000'000'000'000), IFB_OK);
  EXPECT_EQ(box.prompt().size(), 2 * 1023U);
}

TEST(repeated_texts, need_a_short_text) {
  const auto refusal_of_text = [](const std::string& text) {
    dataset_box box("repeated-text");
    EXPECT_EQ(box.create({{"text", text}}), IFB_OK);
    EXPECT_EQ(box.prepare(1), IFB_E_CONFIG);
    return box.message();
  };
  EXPECT_THAT(refusal_of_text(""), HasSubstr("an empty text has no tokens"));
  EXPECT_THAT(refusal_of_text(std::string(1001, 'x')), HasSubstr("longer than 1000 bytes"));
}

}  // namespace
