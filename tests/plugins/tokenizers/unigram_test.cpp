#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model_box.hpp"

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

using token = std::pair<std::string, double>;

std::string json_of(const std::vector<token>& tokens, const std::string& members = "") {
  std::string out = R"({"type": "Unigram", "unk_id": 0, )" + members + "\"vocab\": [";
  for (const auto& [text, score] : tokens)
    out += (out.back() == '[' ? "[\"" : ", [\"") + text + "\", " + std::to_string(score) + "]";
  return out + "]}";
}

}  // namespace

TEST(unigram, takes_the_most_likely_spelling) {
  const auto model =
      model_of(json_of({{"?", 0}, {"a", -1}, {"b", -1}, {"ab", -1.5}, {"abc", -9}, {"c", -1}}));
  EXPECT_THAT(ids_of(*model, "abc"), ElementsAre(3, 5));
  EXPECT_THAT(ids_of(*model, "ba"), ElementsAre(2, 1));
  EXPECT_THAT(ids_of(*model, ""), IsEmpty());
}

TEST(unigram, neighbouring_unknown_characters_are_one) {
  const auto model = model_of(json_of({{"?", 0}, {"a", -1}}));
  EXPECT_THAT(ids_of(*model, "xéay"), ElementsAre(0, 1, 0));
}

TEST(unigram, the_text_of_several_unknown_characters_may_be_a_token) {
  // Two unknown characters have a better score than "xy", but their text is looked up and found.
  const auto model = model_of(json_of({{"?", 30}, {"xy", 30}, {"a", 30}}));
  EXPECT_THAT(ids_of(*model, "xy"), ElementsAre(1));
  EXPECT_THAT(ids_of(*model, "xyx"), ElementsAre(0));
}

TEST(unigram, unknown_characters_become_bytes_if_all_bytes_have_a_token) {
  const std::vector<token> tokens = {{"?", 0}, {"a", -1}, {"<0xC3>", -2}, {"<0xA9>", -2}};
  EXPECT_THAT(ids_of(*model_of(json_of(tokens, R"("byte_fallback": true, )")), "aéé"),
              ElementsAre(1, 2, 3, 2, 3));
  EXPECT_THAT(ids_of(*model_of(json_of(tokens, R"("byte_fallback": true, )")), "éx"),
              ElementsAre(0));
  EXPECT_THAT(ids_of(*model_of(json_of(tokens)), "é"), ElementsAre(0));
}

TEST(unigram, without_an_unknown_token_unknown_text_is_dropped) {
  const auto model = model_of(R"({"type": "Unigram", "unk_id": null, "vocab": [["a", -1]]})");
  EXPECT_THAT(ids_of(*model, "axa"), ElementsAre(0, 0));
}

TEST(unigram, a_token_that_is_there_twice_has_both_ids) {
  const auto model = model_of(json_of({{"?", 0}, {"a", -1}, {"a", -3}}));
  EXPECT_EQ(model->size(), 3U);
  EXPECT_EQ(model->id_of("a"), 2U);
  EXPECT_EQ(model->token_of(1), "a");
  EXPECT_THAT(ids_of(*model, "a"), ElementsAre(2));
}

TEST(unigram, finds_a_spelling_as_likely_as_any) {
  std::mt19937 random(11);
  for (int round = 0; round < 40; ++round) {
    std::vector<token> tokens = {{"?", 0}, {"a", -3}, {"b", -3}, {"c", -3}};
    for (int i = 0; i < 20; ++i) {
      std::string text;
      for (std::size_t n = random() % 4 + 2; n > 0; --n)
        text += static_cast<char>('a' + random() % 3);
      tokens.emplace_back(text, -1.0 - static_cast<double>(random() % 1000) / 100);
    }
    const auto model = model_of(json_of(tokens));
    for (int text_round = 0; text_round < 50; ++text_round) {
      std::string text;
      for (std::size_t n = random() % 15 + 1; n > 0; --n)
        text += static_cast<char>('a' + random() % 3);
      std::vector<double> best(text.size() + 1, -std::numeric_limits<double>::infinity());
      best[0] = 0;
      for (std::size_t end = 1; end <= text.size(); ++end)
        for (std::size_t begin = 0; begin < end; ++begin)
          if (const auto id = model->id_of(text.substr(begin, end - begin)); id)
            best[end] = std::max(best[end], best[begin] + tokens[*id].second);
      double score = 0;
      std::string spelled;
      for (const auto id : ids_of(*model, text)) {
        score += tokens[id].second;
        spelled += tokens[id].first;
      }
      ASSERT_EQ(spelled, text);
      ASSERT_DOUBLE_EQ(score, best.back()) << text;
    }
  }
}

TEST(unigram, an_error_in_the_file_is_reported_with_its_path) {
  EXPECT_THAT(refusal_of(R"({"type": "Unigram", "vocab": {}})"),
              HasSubstr("vocab: expected a list"));
  EXPECT_THAT(refusal_of(R"({"type": "Unigram", "vocab": [["a"]]})"),
              HasSubstr("vocab[0]: expected a token and its score"));
  EXPECT_THAT(refusal_of(R"({"type": "Unigram", "vocab": [["a", "b"]]})"),
              HasSubstr("vocab[0][1]: expected a number"));
  EXPECT_THAT(refusal_of(R"({"type": "Unigram", "unk_id": 1, "vocab": [["a", 0]]})"),
              HasSubstr("unk_id: there is no such token"));
}
