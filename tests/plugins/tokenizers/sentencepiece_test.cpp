// Tests the tokenizer "sentencepiece" through the C contract. The expected ids come from the
// library SentencePiece; the expectations about the classes of transformers are written in this
// file.
#include <atomic>
#include <cstdlib>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sentencepiece_processor.h>

#include "plugins/hub/fake_hub.hpp"
#include "plugins/tokenizers/tokenizer_box.hpp"

namespace tokenizers {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using ids = std::vector<std::uint32_t>;

std::string fixture(const char* name) {
  return hub_test::content(std::string(INFERBENCH_FIXTURES "/sentencepiece/") + name);
}

class library {
 public:
  explicit library(const char* model, bool prefix = true) {
    std::string bytes = fixture(model);
    if (!prefix) bytes += std::string("\x1A\x02\x18\x00", 4);
    EXPECT_TRUE(processor_.LoadFromSerializedProto(bytes).ok());
  }
  ids operator()(const std::string& text) const {
    std::vector<int> made;
    EXPECT_TRUE(processor_.Encode(text, &made).ok());
    return {made.begin(), made.end()};
  }
  [[nodiscard]] std::uint32_t piece(const std::string& text) const {
    const int id = processor_.PieceToId(text);
    EXPECT_EQ(processor_.IdToPiece(id), text);
    return static_cast<std::uint32_t>(id);
  }

 private:
  sentencepiece::SentencePieceProcessor processor_;
};

ids operator+(ids a, const ids& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

class sentencepiece_plugin : public testing::Test, public tokenizer_box {
 protected:
  sentencepiece_plugin() : tokenizer_box("tokenizers/sentencepiece", "sentencepiece") {
    setenv("HF_HUB_OFFLINE", "1", 1);
  }
  void put(const std::string& name, const std::string& text) {
    hub_test::write(folder.path / name, text);
  }
  void create(support::settings more = {}) {
    more.try_emplace("path", folder.path.string());
    ASSERT_EQ(plugin.create(more), IFB_OK) << plugin.error.message;
  }
  void create_llama(const std::string& config) {
    put("tokenizer.model", fixture("bpe.model"));
    put("tokenizer_config.json", config);
    create();
  }
  void create_t5(const std::string& config = R"({"tokenizer_class": "T5Tokenizer"})") {
    put("spiece.model", fixture("unigram.model"));
    put("tokenizer_config.json", config);
    create();
  }
  std::string refusal(const support::settings& given) {
    EXPECT_LT(plugin.create(given), 0);
    return plugin.error.message;
  }

  hub_test::folder folder;
  const library llama{"bpe.model"};
  const library t5{"unigram.model"};
};

TEST_F(sentencepiece_plugin, encodes_as_the_library_does_with_a_begin_before_it) {
  put("tokenizer.model", fixture("bpe.model"));
  create();
  for (const char* text :
       {"the Work of the Licensor", "two  spaces ", "\u00E9\u4E2D\U0001F600", "1234", "\n\t", ""}) {
    EXPECT_EQ(encode(text), llama(text)) << text;
    EXPECT_EQ(encode(text, IFB_ENCODE_SPECIAL), ids{1} + llama(text)) << text;
    EXPECT_EQ(count(text, IFB_ENCODE_SPECIAL), 1 + llama(text).size()) << text;
    EXPECT_EQ(decode(llama(text)), text);
  }
}

TEST_F(sentencepiece_plugin, follows_the_configuration_about_ends) {
  create_llama(R"({"tokenizer_class": "LlamaTokenizer", "add_bos_token": false,
                   "add_eos_token": true})");
  EXPECT_EQ(encode("the", IFB_ENCODE_SPECIAL), llama("the") + ids{2});
  EXPECT_EQ(vocabulary().added, 1U);
}

TEST_F(sentencepiece_plugin, joins_a_pair_with_ends_around_both) {
  create_llama(R"({"add_eos_token": true})");
  std::uint32_t both[16] = {};
  std::uint32_t types[16] = {};
  std::size_t needed = 0;
  ASSERT_EQ(calls.encode_pair(plugin.get(), ifb::str("the"), ifb::str("of"), IFB_ENCODE_SPECIAL,
                              both, types, 16, &needed, nullptr),
            IFB_OK);
  const ids first = ids{1} + llama("the") + ids{2};
  const ids second = ids{1} + llama("of") + ids{2};
  EXPECT_EQ(ids(both, both + needed), first + second);
  EXPECT_EQ(ids(types, types + needed), ids(first.size(), 0) + ids(second.size(), 1));
}

TEST_F(sentencepiece_plugin, finds_special_tokens_in_a_text) {
  create_llama("{}");
  EXPECT_EQ(encode("<s>"), ids{1});
  EXPECT_EQ(encode("<s>the</s>of<unk>"), ids{1} + llama("the") + ids{2} + llama("of") + ids{0})
      << "in the old behaviour each stretch is a text of its own";
}

TEST_F(sentencepiece_plugin, adds_no_space_after_a_special_token_in_the_newer_behaviour) {
  create_llama(R"({"legacy": false})");
  const library bare("bpe.model", false);
  EXPECT_EQ(encode("the"), (ids{llama.piece("\u2581the")}));
  EXPECT_EQ(encode("<s>the</s>"), ids{1} + bare("the") + ids{2});
  EXPECT_EQ(encode("<s> the"), (ids{1, llama.piece("\u2581the")}));
  EXPECT_EQ(encode("the<s>"), (ids{llama.piece("\u2581the"), 1}));
  EXPECT_EQ(encode(""), ids{});
  EXPECT_EQ(encode(" "), bare("\u2581\u2581"));
}

TEST_F(sentencepiece_plugin, leaves_the_first_space_out_where_the_configuration_says_so) {
  create_llama(R"({"legacy": false, "add_prefix_space": false})");
  EXPECT_EQ(encode("the"), library("bpe.model", false)("the"));
  EXPECT_EQ(encode(" the"), (ids{llama.piece("\u2581the")}));
}

TEST_F(sentencepiece_plugin, knows_added_tokens_and_the_white_space_that_they_take) {
  create_llama(R"({"added_tokens_decoder": {
      "420": {"content": "<|left|>", "lstrip": true, "special": true},
      "421": {"content": "<|right|>", "rstrip": true},
      "422": {"content": "word", "single_word": true},
      "425": {"content": "<|left|>er"}},
      "additional_special_tokens": ["<|left|>", "<|new|>"]})");
  EXPECT_EQ(encode("the \u00A0<|left|> of"), llama("the") + ids{420} + llama(" of"));
  EXPECT_EQ(encode("the <|right|> \n of"), llama("the ") + ids{421} + llama("of"));
  EXPECT_EQ(encode("a word b"), llama("a ") + ids{422} + llama(" b"));
  EXPECT_EQ(encode("awordb"), llama("aword") + llama("b"));
  EXPECT_EQ(encode("wordb"), llama("wordb"));
  EXPECT_EQ(encode("<|left|>er"), ids{425}) << "the longest token counts";
  EXPECT_EQ(encode("<|new|>"), ids{424}) << "420 pieces and four tokens come before it";
  EXPECT_EQ(vocabulary().total_size, 425U);
  EXPECT_EQ(decode(llama("the") + ids{421} + llama("of")), "the <|right|> of");
  EXPECT_EQ(decode(llama("the") + ids{420} + llama("of"), IFB_DECODE_SKIP_SPECIAL), "the of");
}

TEST_F(sentencepiece_plugin, decodes_around_special_tokens_as_the_old_behaviour_did) {
  create_llama("{}");
  const auto the = llama.piece("\u2581the");
  EXPECT_EQ(decode({1, the}), "<s>the");
  EXPECT_EQ(decode({the, 2, the}), " the</s>the");
  EXPECT_EQ(decode({1, 2}), "<s></s>");
  EXPECT_EQ(decode({1, the, 2}, IFB_DECODE_SKIP_SPECIAL), "the");
  EXPECT_EQ(decode({1, the, 4'000'000'000U, 419, 2}, IFB_DECODE_SKIP_SPECIAL).substr(0, 3), "the");
  EXPECT_EQ(decode(llama(" the")), "the") << "one space too many is taken for the added one";
  EXPECT_EQ(decode({}), "");
}

TEST_F(sentencepiece_plugin, puts_together_bytes_that_are_a_character) {
  create_llama("{}");
  EXPECT_EQ(encode("\u00E9"), (ids{llama.piece("\u2581"), 3 + 0xC3, 3 + 0xA9}));
  EXPECT_EQ(decode({3 + 0xC3, 3 + 0xA9}), "\u00E9");
  EXPECT_EQ(decode({3 + 0xC3}), "\uFFFD");
}

TEST_F(sentencepiece_plugin, accepts_invalid_utf8) {
  create_llama("{}");
  EXPECT_EQ(encode("a\xFF<s>"), llama("a\uFFFD") + ids{1});
}

TEST_F(sentencepiece_plugin, describes_its_vocabulary) {
  create_llama(R"({"pad_token": "<pad>"})");
  const auto v = vocabulary();
  EXPECT_EQ(v.size, 420U);
  EXPECT_EQ(v.total_size, 421U);
  EXPECT_EQ(ids(v.special_ids, v.special_ids + v.special_id_count), (ids{0, 1, 2, 420}));
  EXPECT_EQ(v.source, folder.path.string());
  EXPECT_EQ(std::string(v.digest).size(), 64U);
}

TEST_F(sentencepiece_plugin, gives_t5_one_end_after_each_text_and_a_hundred_sentinels) {
  create_t5();
  EXPECT_EQ(encode("the of", IFB_ENCODE_SPECIAL), t5("the of") + ids{1});
  EXPECT_EQ(encode("the</s>", IFB_ENCODE_SPECIAL), t5("the") + ids{1});
  EXPECT_EQ(encode("the <extra_id_0> of"), t5("the") + ids{359} + t5("of"));
  EXPECT_EQ(encode("<extra_id_99>"), ids{260});
  EXPECT_EQ(vocabulary().size, 260U);
  EXPECT_EQ(vocabulary().total_size, 360U);
  EXPECT_EQ(vocabulary().added, 1U);
  EXPECT_EQ(decode(t5("the of") + ids{1}), "the of</s>");
  EXPECT_EQ(decode(t5("the of") + ids{1}, IFB_DECODE_SKIP_SPECIAL), "the of");
}

TEST_F(sentencepiece_plugin, leaves_the_sentinels_of_t5_where_the_configuration_has_them) {
  create_t5(R"({"tokenizer_class": "T5TokenizerFast",
                "added_tokens_decoder": {"300": {"content": "<extra_id_0>", "special": true}}})");
  EXPECT_EQ(encode("<extra_id_0>"), ids{300});
  EXPECT_EQ(vocabulary().total_size, 261U);
}

TEST_F(sentencepiece_plugin, renders_the_chat_template) {
  put("tokenizer.model", fixture("bpe.model"));
  put("tokenizer_config.json", R"({"chat_template": "{{ bos_token }}{{ messages[0].content }}"})");
  create();
  std::string text(20, '#');
  std::size_t needed = 0;
  ASSERT_EQ(calls.render(plugin.get(), ifb::str(R"({"messages": [{"content": "Hi"}]})"),
                         text.data(), text.size(), &needed, &plugin.error),
            IFB_OK)
      << plugin.error.message;
  EXPECT_EQ(text.substr(0, needed), "<s>Hi");
}

TEST_F(sentencepiece_plugin, takes_the_path_of_a_model_with_any_name) {
  put("other.model", fixture("bpe.model"));
  create({{"path", (folder.path / "other.model").string()}});
  EXPECT_EQ(encode("the"), llama("the"));
}

TEST_F(sentencepiece_plugin, names_the_missing_file_and_the_plugin_for_the_existing_files) {
  const std::string path = folder.path.string();
  EXPECT_THAT(
      refusal({{"path", path}}),
      AllOf(HasSubstr("has no tokenizer.model and no spiece.model"), HasSubstr("--tokenizer")));
  EXPECT_EQ(plugin.option_at_fault(), "path");
  put("tokenizer.json", "{}");
  EXPECT_THAT(refusal({{"path", path}}), HasSubstr("which the tokenizer mode hf reads"));
  EXPECT_THAT(refusal({}), HasSubstr("no tokenizer is named"));
  put("tokenizer.model", fixture("bpe.model"));
  put("tokenizer_config.json", R"({"tokenizer_class": "XLMRobertaTokenizer"})");
  EXPECT_THAT(refusal({{"path", path}}),
              HasSubstr("what XLMRobertaTokenizer does with a SentencePiece model is not known"));
}

TEST_F(sentencepiece_plugin, refuses_a_file_that_is_not_a_model) {
  const std::string whole = fixture("bpe.model");
  for (const std::string& bad : {std::string(), std::string(1000, '\xFF'),
                                 whole.substr(0, whole.size() / 2), whole.substr(1)}) {
    put("tokenizer.model", bad);
    EXPECT_THAT(refusal({{"path", folder.path.string()}}),
                HasSubstr("tokenizer.model is not a SentencePiece model or is damaged"));
  }
  put("tokenizer.model", "IQ== 0\nIg== 1\n");
  EXPECT_THAT(
      refusal({{"path", folder.path.string()}}),
      HasSubstr("tokenizer.model holds ranks of tiktoken, which the tokenizer mode tiktoken"));
}

TEST_F(sentencepiece_plugin, serves_many_threads) {
  create_llama("{}");
  const ids expected = llama("the Work of the Licensor");
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) {
        ids got(expected.size());
        std::size_t needed = 0;
        if (calls.encode(plugin.get(), ifb::str("the Work of the Licensor"), 0, got.data(),
                         got.size(), &needed, nullptr) != IFB_OK ||
            needed != expected.size() || got != expected)
          ++wrong;
        char text[64] = {};
        if (calls.decode(plugin.get(), got.data(), got.size(), 0, text, sizeof text, &needed,
                         nullptr) != IFB_OK ||
            std::string(text, needed) != "the Work of the Licensor")
          ++wrong;
      }
    });
  }
  for (auto& each : threads)
    each.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace tokenizers
