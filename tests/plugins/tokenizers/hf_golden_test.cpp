// Tests every golden case of the reference, for real tokenizers and for small tokenizers.
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "plugins/tokenizers/hf_files.hpp"
#include "tokenizers/hf/tokenizer.hpp"

namespace {

using hf_test::fixture;
using hf_test::for_each_line;
using hf_test::numbers_of;
using hf_test::text_of;
using ids = std::vector<std::uint32_t>;

class real : public testing::TestWithParam<const char*> {};

void check_texts(const tokenizers::hf::tokenizer& it, const std::string& name) {
  const std::size_t cases = for_each_line(fixture(name + "/encode.jsonl"), [&](const auto& row) {
    SCOPED_TRACE(text_of(row["id"]));
    const auto plain = numbers_of(row["ids"]);
    const auto special = numbers_of(row["ids_special"]);
    EXPECT_EQ(it.encode(text_of(row["text"]), false), plain);
    EXPECT_EQ(it.encode(text_of(row["text"]), true), special);
    EXPECT_EQ(it.count(text_of(row["text"]), true), special.size());
    EXPECT_EQ(it.decode(plain, false), text_of(row["decoded"]));
    EXPECT_EQ(it.decode(special, true), text_of(row["decoded_skip"]));
  });
  EXPECT_GT(cases, 50U);
}

void check_any_ids(const tokenizers::hf::tokenizer& it, const std::string& name) {
  const std::size_t cases = for_each_line(fixture(name + "/decode.jsonl"), [&](const auto& row) {
    SCOPED_TRACE(text_of(row["id"]));
    const auto given = numbers_of(row["ids"]);
    EXPECT_EQ(it.decode(given, false), text_of(row["decoded"]));
    EXPECT_EQ(it.decode(given, true), text_of(row["decoded_skip"]));
    EXPECT_EQ(it.encode(text_of(row["decoded"]), false), numbers_of(row["reencoded"]));
  });
  EXPECT_GE(cases, 20U);
}

void check_vocabulary(const tokenizers::hf::tokenizer& it, const std::string& name) {
  rapidjson::Document meta;
  meta.Parse(hf_test::read_file(fixture(name + "/meta.json")).c_str());
  EXPECT_EQ(it.size(), meta["vocab_size"].GetUint());
  EXPECT_EQ(it.total_size(), meta["vocab_size_with_added"].GetUint());
  EXPECT_EQ(it.max_id(), meta["max_id"].GetUint());
  EXPECT_EQ(it.ids_of_empty_text(), numbers_of(meta["ids_of_empty_text_with_special_tokens"]));
  EXPECT_EQ(it.special_ids().size(), meta["special_count"].GetUint());
  const auto first = numbers_of(meta["special_ids"]);
  ASSERT_LE(first.size(), it.special_ids().size());
  EXPECT_EQ(ids(it.special_ids().begin(),
                it.special_ids().begin() + static_cast<std::ptrdiff_t>(first.size())),
            first);
}

// Some releases of transformers add tokens from the config before and after a text instead of using
// the post-processor. `plain` is the tokenizer without this change.
void check_ends_of_the_config(std::string json, const tokenizers::hf::tokenizer& plain,
                              const std::string& name) {
  rapidjson::Document meta;
  meta.Parse(hf_test::read_file(fixture(name + "/meta.json")).c_str());
  if (!meta.HasMember("with_config") || !meta["with_config"].IsObject()) return;
  const auto prefix = numbers_of(meta["with_config"]["prefix_ids"]);
  const auto suffix = numbers_of(meta["with_config"]["suffix_ids"]);
  if (prefix.size() > 1 || suffix.size() > 1) return;
  tokenizers::hf::additions::ends ends;
  if (!prefix.empty()) ends.bos = plain.token_of(prefix.front()).value();
  if (!suffix.empty()) ends.eos = plain.token_of(suffix.front()).value();
  tokenizers::hf::additions on_top;
  on_top.instead_of_post_processor = ends;
  const tokenizers::hf::tokenizer it(std::move(json), on_top);
  ids expected = prefix;
  expected.insert(expected.end(), suffix.begin(), suffix.end());
  EXPECT_EQ(it.ids_of_empty_text(), expected);
  EXPECT_EQ(it.encode("", true), expected);
}

// One case, because it takes seconds to read a large tokenizer.
TEST_P(real, does_as_the_reference_does_also_with_the_ends_of_the_config) {
  const std::string name = GetParam();
  HF_TEST_NEEDS(name, json);
  const tokenizers::hf::tokenizer it(*json);
  check_texts(it, name);
  check_any_ids(it, name);
  check_vocabulary(it, name);
  check_ends_of_the_config(std::move(*json), it, name);
}

INSTANTIATE_TEST_SUITE_P(tokenizers, real,
                         testing::Values("gpt2", "llama3", "qwen2_5", "gemma", "deepseek_v3",
                                         "mistral", "bert", "t5", "mistral_nemo", "gptoss",
                                         "gemma3", "claude", "command_r_plus", "llama3_1"),
                         [](const auto& of) { return std::string(of.param); });

TEST(synthetic, tokenizers_do_as_the_reference_does) {
  std::map<std::string, tokenizers::hf::tokenizer, std::less<>> known;
  const std::size_t cases = for_each_line(fixture("synthetic.jsonl"), [&](const auto& row) {
    SCOPED_TRACE(text_of(row["id"]));
    const std::string name(text_of(row["tokenizer"]));
    SCOPED_TRACE(name);
    auto at = known.find(name);
    if (at == known.end()) {
      tokenizers::hf::additions on_top;
      // The reference truncated and padded only for this file.
      on_top.apply_limits = name == "truncation_padding";
      at = known
               .emplace(name,
                        tokenizers::hf::tokenizer(
                            hf_test::read_file(fixture("synthetic/" + name + ".json")), on_top))
               .first;
    }
    const tokenizers::hf::tokenizer& it = at->second;
    if (row.HasMember("pair")) {
      const auto made = it.encode_pair(text_of(row["text"]), text_of(row["pair"]), true);
      EXPECT_EQ(made.ids, numbers_of(row["ids_special"]));
      EXPECT_EQ(made.type_ids, numbers_of(row["type_ids"]));
      EXPECT_EQ(made.attention_mask, numbers_of<std::uint8_t>(row["attention_mask"]));
      EXPECT_EQ(made.special_tokens_mask, numbers_of<std::uint8_t>(row["special_tokens_mask"]));
      return;
    }
    const auto plain = numbers_of(row["ids"]);
    const auto special = numbers_of(row["ids_special"]);
    EXPECT_EQ(it.encode(text_of(row["text"]), false), plain);
    EXPECT_EQ(it.encode(text_of(row["text"]), true), special);
    EXPECT_EQ(it.decode(plain, false), text_of(row["decoded"]));
    EXPECT_EQ(it.decode(special, true), text_of(row["decoded_skip"]));
  });
  EXPECT_GT(cases, 300U);
  EXPECT_EQ(known.size(), 21U);
}

}  // namespace
