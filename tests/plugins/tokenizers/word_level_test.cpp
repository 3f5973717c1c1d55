#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model_box.hpp"

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(word_level, a_piece_is_a_token_or_unknown) {
  const auto model =
      model_of(R"({"type": "WordLevel", "unk_token": "?", "vocab": {"a": 0, "ab": 1, "?": 2}})");
  EXPECT_THAT(ids_of(*model, "ab"), ElementsAre(1));
  EXPECT_THAT(ids_of(*model, "abc"), ElementsAre(2));
}

TEST(word_level, without_an_unknown_token_there_is_nothing) {
  const auto model = model_of(R"({"unk_token": "?", "vocab": {"a": 0}})");
  EXPECT_THAT(ids_of(*model, "b"), IsEmpty());
}

TEST(word_level, a_token_that_is_there_twice_has_its_last_id) {
  const auto model = model_of(R"({"unk_token": "?", "vocab": {"a": 0, "a": 5}})");
  EXPECT_THAT(ids_of(*model, "a"), ElementsAre(5));
  EXPECT_EQ(model->size(), 1U);
  EXPECT_EQ(model->token_of(0), std::nullopt);
}

TEST(word_level, an_error_in_the_file_is_reported_with_its_path) {
  EXPECT_THAT(refusal_of(R"({"type": "WordLevel", "vocab": {"a": {}}})"), HasSubstr("vocab.a: "));
  EXPECT_THAT(refusal_of(R"({"type": "WordLevel", "unk_token": 1, "vocab": {}})"),
              HasSubstr("unk_token: expected a string"));
}
