#include "cli/tokenizer_lines.hpp"

#include <cstdint>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/dataset/fake_dataset.hpp"
#include "framework/services/fake_tokenizer.hpp"
#include "framework/services/scripted_tokenizer.hpp"

namespace inferbench::cli {
namespace {

class tokenizer_lines : public ::testing::Test {
 protected:
  std::string encode(std::string_view line) const {
    return answer_line(by, tokenizer_task::encode, line);
  }
  std::string decode(std::string_view line) const {
    return answer_line(by, tokenizer_task::decode, line);
  }
  std::string count(std::string_view line) const {
    return answer_line(by, tokenizer_task::count, line);
  }
  std::string render(std::string_view line) const {
    return answer_line(by, tokenizer_task::render, line);
  }

  fake::log_book book;
  const plugin::services shared{};
  const services::tokenizer by{fake::choice<fake::words>("words"), shared};
};

TEST_F(tokenizer_lines, a_text_is_encoded_with_and_without_the_added_tokens) {
  EXPECT_EQ(encode(R"({"text": "a bcd"})"), R"({"ids": [1, 3], "ids_special": [1000, 1, 3]})");
  EXPECT_EQ(encode(R"({"text": "", "pair": null})"), R"({"ids": [], "ids_special": [1000]})");
}

TEST_F(tokenizer_lines, a_pair_reports_which_text_each_id_belongs_to) {
  EXPECT_EQ(encode(R"({"text": "a", "pair": "bb ccc"})"),
            R"({"ids": [1, 2, 3], "ids_special": [1000, 1, 2, 3], "type_ids": [0, 0, 1, 1]})");
}

TEST_F(tokenizer_lines, a_text_of_more_tokens_than_guessed_arrives_whole) {
  std::string text, ids;
  for (int i = 0; i < 1000; ++i) {
    text += i == 0 ? "a" : " a";
    ids += i == 0 ? "1" : ", 1";
  }
  EXPECT_EQ(encode(R"({"text": ")" + text + "\"}"),
            "{\"ids\": [" + ids + "], \"ids_special\": [1000, " + ids + "]}");
  EXPECT_EQ(count(R"({"text": ")" + text + "\"}"), R"({"count": 1000})");
  EXPECT_EQ(count(R"({"text": "a", "pair": "bb ccc"})"), R"({"count": 3})");
}

TEST_F(tokenizer_lines, ids_are_decoded_with_and_without_special_tokens) {
  EXPECT_EQ(decode(R"({"ids": [1000, 1, 2]})"),
            R"({"decoded": "<s> x xx", "decoded_skip": "x xx"})");
  EXPECT_EQ(decode(R"({"ids": []})"), R"({"decoded": "", "decoded_skip": ""})");
}

TEST_F(tokenizer_lines, a_conversation_is_rendered_or_refused_in_the_templates_words) {
  EXPECT_EQ(render(R"({"messages":[]})"), R"({"rendered": "<|{\"messages\":[]}|>"})");
  EXPECT_EQ(render(R"({"messages":[],"tools":[]})"),
            R"({"error": "TemplateError", "message": "no tools: none at all"})");
}

TEST_F(tokenizer_lines, a_line_that_cannot_be_read_has_an_answer_too) {
  for (const char* line :
       {"", "{", "[]", "7", "{\"text\": 7}", "{\"tekst\": \"a\"}", "{\"text\": \"a\", \"pair\": 7}",
        "{\"text\": \"\xFF\"}", "{\"text\": \"\\udc00\"}", "{\"text\": \"\\ud800\"}"})
    EXPECT_EQ(encode(line).substr(0, 26), R"({"error": "InvalidInput", )") << line;
  for (const char* line : {"{}", "{\"ids\": \"1\"}", "{\"ids\": [-1]}", "{\"ids\": [4294967296]}",
                           "{\"ids\": [1.5]}", "{\"ids\": [[1]]}"})
    EXPECT_EQ(decode(line).substr(0, 26), R"({"error": "InvalidInput", )") << line;
}

TEST_F(tokenizer_lines, an_unsupported_operation_of_a_tokenizer_is_reported) {
  options::plugin_choice plain = fake::choice<fake::words>("plain");
  ifb_plugin bare = *plain.library.plugin;
  bare.query = [](const ifb_plugin*, const char*) -> const void* {
    static const ifb_tokenizer table = [] {
      ifb_tokenizer out = ifb::tokenizer<fake::words>::operations;
      out.encode_pair = nullptr;
      out.render = nullptr;
      return out;
    }();
    return &table;
  };
  plain.library.plugin = &bare;
  const services::tokenizer limited(plain, shared);
  EXPECT_THAT(answer_line(limited, tokenizer_task::encode, R"({"text": "a", "pair": "b"})"),
              ::testing::MatchesRegex(R"(\{"error": "TokenizerError", "message": ".*pair.*"\})"));
  EXPECT_EQ(answer_line(limited, tokenizer_task::render, R"({"messages": []})"),
            R"({"error": "TokenizerError", "message": "the tokenizer has no chat template"})");
}

TEST_F(tokenizer_lines, a_failure_is_reported_in_the_words_of_the_tokenizer) {
  fake::scripted_tokenizer script;
  const services::tokenizer failing(script.choice(), shared);
  script.status = IFB_E_DATA;
  script.message = "id 7 stands for no bytes";
  const std::string answer =
      R"({"error": "TokenizerError", "message": "id 7 stands for no bytes"})";
  EXPECT_EQ(answer_line(failing, tokenizer_task::encode, R"({"text": "a"})"), answer);
  EXPECT_EQ(answer_line(failing, tokenizer_task::encode, R"({"text": "a", "pair": "b"})"), answer);
  EXPECT_EQ(answer_line(failing, tokenizer_task::decode, R"({"ids": [7]})"), answer);
  EXPECT_EQ(answer_line(failing, tokenizer_task::count, R"({"text": "a"})"), answer);
  EXPECT_EQ(answer_line(failing, tokenizer_task::render, R"({"messages": []})"), answer);
}

TEST_F(tokenizer_lines, a_length_that_cannot_be_right_is_an_answer_too) {
  fake::scripted_tokenizer script;
  const services::tokenizer mad(script.choice(), shared);
  script.needed = {SIZE_MAX};
  EXPECT_EQ(answer_line(mad, tokenizer_task::decode, R"({"ids": [7]})"),
            R"({"error": "TokenizerError", "message": "tokenizer scripted asks for room for )"
            R"(18446744073709551615 bytes of text for 1 ids"})");
}

TEST_F(tokenizer_lines, info_describes_the_tokenizer) {
  EXPECT_EQ(info_line(by, book.log),
            R"({"tokenizer": "words", "source": "/models/words", "digest": "00ff", )"
            R"("vocab_size": 900, "vocab_size_with_added": 1001, "special_ids": [999, 1000], )"
            R"("named_special_ids": [1000], "added_to_empty_text": 1})");
  EXPECT_THAT(book.lines(), ::testing::IsEmpty());
}

TEST_F(tokenizer_lines, info_tells_why_a_vocabulary_is_not_known) {
  fake::scripted_tokenizer script;
  const services::tokenizer silent(script.choice(), shared);
  script.status = IFB_E_UNSUPPORTED;
  script.message = "the server does not tell the size of its vocabulary";
  EXPECT_THAT(info_line(silent, book.log), ::testing::HasSubstr(R"("vocab_size": null)"));
  EXPECT_THAT(book.lines(),
              ::testing::ElementsAre("the vocabulary is not known: " + script.message));
}

}  // namespace
}  // namespace inferbench::cli
