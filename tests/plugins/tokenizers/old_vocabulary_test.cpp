// Tests vocabularies in the formats that are older than tokenizer.json.
#include "tokenizers/model_files/old_vocabulary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/tokenizers/model_folder.hpp"

namespace tokenizers::model_files {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class old_vocabulary : public model_folder {
 protected:
  std::string made() {
    auto from = files();
    auto c = read_model_config(from);
    return make_tokenizer_json(from, c);
  }
  std::string refusal_of_it() {
    return failure_of([this] { made(); }).message();
  }
};

TEST_F(old_vocabulary, of_gpt2_becomes_a_byte_level_bpe) {
  put("vocab.json", R"({"a": 0, "b": 1, "ab": 2})");
  put("merges.txt", "#version: 0.2\na b\r\n\n");
  const std::string expected =
      R"({"version":"1.0","pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false,)"
      R"("trim_offsets":true,"use_regex":true},"post_processor":{"type":"ByteLevel",)"
      R"("add_prefix_space":true,"trim_offsets":false,"use_regex":true},"decoder":{"type":)"
      R"("ByteLevel","add_prefix_space":true,"trim_offsets":true,"use_regex":true},"model":)"
      R"({"type":"BPE","continuing_subword_prefix":"","end_of_word_suffix":"","vocab":)"
      R"({"a": 0, "b": 1, "ab": 2},"merges":["a b"]}})";
  EXPECT_EQ(made(), expected);
  put("config.json", R"({"model_type": "gpt2"})");
  EXPECT_EQ(made(), expected);
  put("tokenizer_config.json", R"({"tokenizer_class": "GPT2Tokenizer", "add_prefix_space": true})");
  EXPECT_THAT(made(), HasSubstr(R"("pre_tokenizer":{"type":"ByteLevel","add_prefix_space":true)"));
}

TEST_F(old_vocabulary, gives_the_special_tokens_of_the_class) {
  put("vocab.json", R"({"<s>": 0, "</s>": 7})");
  put("merges.txt", "");
  put("tokenizer_config.json", R"({"tokenizer_class": "RobertaTokenizer", "cls_token": "</s>"})");
  auto from = files();
  auto c = read_model_config(from);
  EXPECT_THAT(make_tokenizer_json(from, c),
              HasSubstr(R"({"type":"RobertaProcessing","sep":["</s>",7],"cls":["</s>",7],)"
                        R"("trim_offsets":true,"add_prefix_space":false})"));
  EXPECT_EQ(c.token("mask_token"), "<mask>");
  EXPECT_EQ(c.token("cls_token"), "</s>");
  put("vocab.json", R"({"<s>": 0})");
  EXPECT_THAT(refusal_of_it(), HasSubstr("vocab.json: \"</s>\" is missing"));
}

TEST_F(old_vocabulary, of_qwen2_normalizes_and_splits) {
  put("vocab.json", "{}");
  put("merges.txt", "");
  put("config.json", R"({"model_type": "qwen2"})");
  EXPECT_THAT(made(), AllOf(HasSubstr(R"("normalizer":{"type":"NFC"})"),
                            HasSubstr(R"({"type":"Split","pattern":{"Regex":"(?i:'s|'t)"),
                            HasSubstr(R"("use_regex":false)")));
}

TEST_F(old_vocabulary, of_bert_becomes_wordpiece) {
  put("vocab.txt", "[PAD]\n[UNK]\n[CLS]\r\n[SEP]\n##a");
  const std::string text = made();
  for (
      const char* part :
      {R"({"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,"lowercase":true})",
       R"({"type":"BertPreTokenizer"})", R"({"type":"WordPiece","prefix":"##","cleanup":true})",
       R"("single":[{"SpecialToken":{"id":"[CLS]","type_id":0}},{"Sequence":{"id":"A","type_id":0}},)"
       R"({"SpecialToken":{"id":"[SEP]","type_id":0}}])",
       R"({"Sequence":{"id":"B","type_id":1}},{"SpecialToken":{"id":"[SEP]","type_id":1}}])",
       R"("[CLS]":{"id":"[CLS]","ids":[2],"tokens":["[CLS]"]})",
       R"("unk_token":"[UNK]","continuing_subword_prefix":"##","max_input_chars_per_word":100)",
       R"("##a":4)"})
    EXPECT_THAT(text, HasSubstr(part));
  put("tokenizer_config.json",
      R"({"tokenizer_class": "BertTokenizer", "do_lower_case": false, "strip_accents": true})");
  EXPECT_THAT(made(), HasSubstr(R"("strip_accents":true,"lowercase":false)"));
  put("vocab.txt", "[UNK]\n");
  EXPECT_THAT(refusal_of_it(), HasSubstr("vocab.txt: \"[CLS]\" is missing"));
}

TEST_F(old_vocabulary, that_is_in_another_format_is_refused_with_the_plugin_that_reads_it) {
  EXPECT_THAT(refusal_of_it(), AllOf(HasSubstr("has no tokenizer.json"), HasSubstr("--tokenizer")));
  put("tokenizer.model", "");
  EXPECT_THAT(refusal_of_it(),
              HasSubstr("there is tokenizer.model, which the tokenizer mode sentencepiece reads"));
  std::filesystem::remove(folder.path / "tokenizer.model");
  put("qwen.tiktoken", "");
  EXPECT_THAT(refusal_of_it(), HasSubstr("which the tokenizer mode tiktoken reads"));
  put("vocab.json", "{}");
  EXPECT_THAT(refusal_of_it(), HasSubstr("has no tokenizer.json")) << "merges are missing";
  put("merges.txt", "");
  put("tokenizer_config.json", R"({"tokenizer_class": "CLIPTokenizer"})");
  EXPECT_THAT(refusal_of_it(),
              HasSubstr("what vocab.json and merges.txt mean for CLIPTokenizer is not known"));
  put("tokenizer_config.json", R"({"tokenizer_class": "BertTokenizer"})");
  EXPECT_THAT(refusal_of_it(), HasSubstr("mean for BertTokenizer is not known"));
}

TEST_F(old_vocabulary, reports_the_position_of_an_error) {
  put("merges.txt", "#version\na b\nno\n");
  put("vocab.json", "{}");
  EXPECT_THAT(refusal_of_it(), StartsWith("merges.txt: line 3: expected two tokens"));
  for (const char* bad : {" a", "a ", "a b c", " "}) {
    put("merges.txt", bad);
    EXPECT_THAT(refusal_of_it(), StartsWith("merges.txt: line 1")) << bad;
  }
  put("vocab.json", "[]");
  EXPECT_THAT(refusal_of_it(), StartsWith("vocab.json: expected an object"));
  put("vocab.json", "{\"a\": ");
  EXPECT_THAT(refusal_of_it(), StartsWith("vocab.json:1:"));
}

}  // namespace
}  // namespace tokenizers::model_files
