#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model_box.hpp"

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

constexpr const char* small =
    R"({"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
        "max_input_chars_per_word": 10,
        "vocab": {"[UNK]": 0, "un": 1, "unaff": 2, "##aff": 3, "##able": 4, "##a": 5, "é": 6,
                  "##é": 7, "##": 8, "a": 9, "##ff": 10}})";

}  // namespace

TEST(wordpiece, takes_the_longest_token_that_fits) {
  const auto model = model_of(small);
  EXPECT_THAT(ids_of(*model, "unaffable"), ElementsAre(2, 4));
  EXPECT_THAT(ids_of(*model, "unaéé"), ElementsAre(1, 5, 7, 7));
  EXPECT_THAT(ids_of(*model, ""), IsEmpty());
}

TEST(wordpiece, a_piece_that_cannot_be_spelled_to_its_end_is_unknown_as_a_whole) {
  const auto model = model_of(small);
  EXPECT_THAT(ids_of(*model, "unx"), ElementsAre(0));
  EXPECT_THAT(ids_of(*model, "##a"), ElementsAre(5));
  EXPECT_THAT(ids_of(*model, "x"), ElementsAre(0));
}

TEST(wordpiece, the_limit_counts_characters) {
  const auto model = model_of(small);
  EXPECT_THAT(ids_of(*model, "éééééééééé"), testing::SizeIs(10));
  EXPECT_THAT(ids_of(*model, "ééééééééééé"), ElementsAre(0));
}

TEST(wordpiece, without_an_unknown_token_there_is_nothing) {
  const auto model =
      model_of(R"({"type": "WordPiece", "unk_token": "[X]", "vocab": {"a": 1, "##b": 2}})");
  EXPECT_THAT(ids_of(*model, "abbc"), IsEmpty());
  EXPECT_THAT(ids_of(*model, "abb"), ElementsAre(1, 2, 2));
}

TEST(wordpiece, finds_the_same_as_a_search_from_the_end) {
  std::mt19937 random(5);
  for (int round = 0; round < 50; ++round) {
    std::string json = R"({"type": "WordPiece", "vocab": {"[UNK]": 0)";
    std::vector<std::string> tokens = {"[UNK]"};
    for (int i = 0; i < 40; ++i) {
      std::string token = random() % 2 == 0 ? "##" : "";
      for (std::size_t n = random() % 4 + 1; n > 0; --n)
        token += static_cast<char>('a' + random() % 3);
      if (std::ranges::find(tokens, token) != tokens.end()) continue;
      json += ", \"" + token + "\": " + std::to_string(tokens.size());
      tokens.push_back(token);
    }
    const auto model = model_of(json + "}}");
    for (int text_round = 0; text_round < 100; ++text_round) {
      std::string text;
      for (std::size_t n = random() % 12 + 1; n > 0; --n)
        text += static_cast<char>('a' + random() % 3);
      std::vector<std::uint32_t> expected;
      for (std::size_t at = 0; at < text.size();) {
        std::size_t end = text.size();
        auto found = tokens.end();
        for (; end > at; --end) {
          found = std::ranges::find(tokens, (at > 0 ? "##" : "") + text.substr(at, end - at));
          if (found != tokens.end()) break;
        }
        if (found == tokens.end()) {
          expected = {0};
          break;
        }
        expected.push_back(static_cast<std::uint32_t>(found - tokens.begin()));
        at = end;
      }
      ASSERT_EQ(ids_of(*model, text), expected) << text;
    }
  }
}

TEST(wordpiece, an_old_file_without_a_type_is_known_by_its_members) {
  const auto model = model_of(
      R"({"unk_token": "?", "continuing_subword_prefix": "##", "max_input_chars_per_word": 5,
          "vocab": {"?": 0, "a": 1, "##a": 2}})");
  EXPECT_THAT(ids_of(*model, "aaa"), ElementsAre(1, 2, 2));
}

TEST(wordpiece, takes_raw_bytes_where_the_vocabulary_spells_them) {
  const auto model = model_of(R"({"type": "WordPiece", "vocab": {"Ġ": 1, "##Ã": 2, "##©": 3}})",
                              tokenizers::hf::alphabet::bytes);
  EXPECT_THAT(ids_of(*model, " é"), ElementsAre(1, 2, 3));
}

TEST(wordpiece, an_error_in_the_file_is_reported_with_its_path) {
  EXPECT_THAT(refusal_of(R"({"type": "WordPiece", "vocab": 3})"), HasSubstr("vocab: expected"));
  EXPECT_THAT(refusal_of(R"({"type": "WordPiece", "vocab": {}, "max_input_chars_per_word": -1})"),
              HasSubstr("max_input_chars_per_word: expected"));
}
