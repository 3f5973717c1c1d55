// Tests the tokenizer "tiktoken" through the C contract, with files that the test writes.
#include <cstdlib>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/text.hpp>

#include "plugins/tokenizers/tokenizer_box.hpp"
#include "support/temporary_folder.hpp"

namespace tokenizers {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using ids = std::vector<std::uint32_t>;

/// The tokens in the order of their ranks: all bytes, then `more`.
std::vector<std::string> ranked(const std::vector<std::string>& more) {
  std::vector<std::string> out;
  for (int byte = 0; byte < 256; ++byte)
    out.emplace_back(1, static_cast<char>(byte));
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

std::string file_of(const std::vector<std::string>& tokens) {
  std::string out;
  for (std::size_t rank = 0; rank < tokens.size(); ++rank)
    out += ifb::base64(tokens[rank]) + " " + std::to_string(rank) + "\n";
  return out;
}

/// The encoding by its definition: merges the two neighbours whose bytes together are the token
/// with the lowest rank, and repeats.
ids by_definition(const std::vector<std::string>& tokens, const std::string& piece) {
  std::map<std::string, std::uint32_t> ranks;
  for (std::uint32_t rank = 0; rank < tokens.size(); ++rank)
    ranks[tokens[rank]] = rank;
  if (const auto whole = ranks.find(piece); whole != ranks.end()) return {whole->second};
  std::vector<std::string> parts;
  for (const char c : piece)
    parts.emplace_back(1, c);
  for (;;) {
    std::size_t at = parts.size();
    std::uint32_t best = UINT32_MAX;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
      const auto found = ranks.find(parts[i] + parts[i + 1]);
      if (found != ranks.end() && found->second < best) best = found->second, at = i;
    }
    if (at == parts.size()) break;
    parts[at] += parts[at + 1];
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  }
  ids out;
  for (const auto& part : parts)
    out.push_back(ranks.at(part));
  return out;
}

class tiktoken : public testing::Test, public tokenizer_box {
 protected:
  tiktoken() : tokenizer_box("tokenizers/tiktoken", "tiktoken") {
    setenv("HF_HUB_OFFLINE", "1", 1);
  }
  void put(const std::string& name, const std::string& text) { folder.write(name, text); }
  void create(support::settings more = {}) {
    more.try_emplace("path", folder.path());
    more.try_emplace("pattern", "gpt2");
    ASSERT_EQ(plugin.create(more), IFB_OK) << plugin.error.message;
  }
  std::string refusal(support::settings given) {
    given.try_emplace("path", folder.path());
    EXPECT_LT(plugin.create(given), 0);
    return plugin.error.message;
  }

  inferbench::support::temporary_folder folder;
};

TEST_F(tiktoken, merges_by_the_ranks_of_a_file) {
  put("made_up.tiktoken", file_of(ranked({"he", "ll", "hell", "hello", " w", " wo"})));
  create();
  EXPECT_EQ(encode("hello hell world"), (ids{259, ' ', 258, 261, 'r', 'l', 'd'}));
  EXPECT_EQ(decode({259, 261, 'r'}), "hello wor");
  EXPECT_EQ(count("hello hell world"), 7U);
  const auto all = vocabulary();
  EXPECT_EQ(all.size, 262U);
  EXPECT_EQ(all.total_size, 263U);  // gpt2 has one special token
  EXPECT_EQ(all.added, 0U);
  EXPECT_THAT(all.digest, testing::StrNe(""));
}

TEST_F(tiktoken, a_whole_piece_that_is_a_token_is_one_however_it_merges) {
  // "xyz" cannot be split into two tokens.
  put("made_up.tiktoken", file_of(ranked({"xyz"})));
  create();
  EXPECT_EQ(encode("xyz"), (ids{256}));
  EXPECT_EQ(encode("xyzx"), (ids{'x', 'y', 'z', 'x'}));
}

TEST_F(tiktoken, merges_as_the_definition_says) {
  std::mt19937 random(17);
  for (int round = 0; round < 10; ++round) {
    std::vector<std::string> more;
    for (int i = 0; i < 60; ++i) {
      std::string token;
      for (std::size_t n = random() % 4 + 2; n > 0; --n)
        token += static_cast<char>('a' + random() % 3);
      if (std::ranges::find(more, token) == more.end()) more.push_back(token);
    }
    const auto tokens = ranked(more);
    put("made_up.tiktoken", file_of(tokens));
    tokenizer_box fresh("tokenizers/tiktoken", "tiktoken");
    ASSERT_EQ(fresh.plugin.create({{"path", folder.path()}, {"pattern", "gpt2"}}), IFB_OK);
    for (int text_round = 0; text_round < 60; ++text_round) {
      std::string text;
      for (std::size_t n = random() % (text_round % 10 == 0 ? 300 : 30) + 1; n > 0; --n)
        text += static_cast<char>('a' + random() % 3);
      ASSERT_EQ(fresh.encode(text), by_definition(tokens, text)) << text;
    }
  }
}

TEST_F(tiktoken, cuts_with_the_pattern_that_is_given) {
  put("made_up.tiktoken", file_of(ranked({"ab"})));
  create({{"pattern", R"(a|[^a]+)"}});
  EXPECT_EQ(encode("ab"), (ids{'a', 'b'}));
}

TEST_F(tiktoken, text_that_the_pattern_leaves_out_has_no_tokens) {
  put("made_up.tiktoken", file_of(ranked({})));
  create({{"pattern", R"([a-z]+|(?=1))"}});
  EXPECT_EQ(encode("a 1é b"), (ids{'a', 'b'}));
}

TEST_F(tiktoken, finds_the_special_tokens_of_the_configuration) {
  put("tiktoken.model", file_of(ranked({"hi"})));
  put("tokenizer_config.json", R"({
    "added_tokens_decoder": {
      "300": {"content": "<|im_end|>", "special": true},
      "301": {"content": "<|tool|>", "special": false}},
    "bos_token": "<|bos|>", "add_bos_token": true, "eos_token": "<|im_end|>",
    "chat_template": "{% for m in messages %}{{ m.content }}{{ eos_token }}{% endfor %}"})");
  create();
  EXPECT_EQ(encode("hi<|im_end|>hi<|tool|>"), (ids{256, 300, 256, 301}));
  EXPECT_EQ(encode("hi", IFB_ENCODE_SPECIAL), (ids{257, 256}));
  EXPECT_EQ(decode({257, 256, 300, 301}), "<|bos|>hi<|im_end|><|tool|>");
  EXPECT_EQ(decode({257, 256, 300, 301}, IFB_DECODE_SKIP_SPECIAL), "hi<|tool|>");
  EXPECT_EQ(vocabulary().added, 1U);
  EXPECT_EQ(vocabulary().total_size, 257U + 4U);
  char text[64];
  std::size_t needed = 0;
  ASSERT_EQ(calls.render(plugin.get(), ifb::str(R"({"messages": [{"content": "x"}]})"), text,
                         sizeof text, &needed, &plugin.error),
            IFB_OK)
      << plugin.error.message;
  EXPECT_EQ(std::string(text, needed), "x<|im_end|>");
}

TEST_F(tiktoken, knows_encodings_by_the_name_of_the_file) {
  put("cl100k_base.tiktoken", file_of(ranked({})));
  ASSERT_EQ(plugin.create({{"path", folder.path("cl100k_base.tiktoken")}}), IFB_OK)
      << plugin.error.message;
  EXPECT_EQ(encode("<|endoftext|>"), (ids{100257}));
  EXPECT_EQ(vocabulary().special_id_count, 5U);
}

TEST_F(tiktoken, knows_encodings_by_their_number_of_tokens) {
  std::vector<std::string> more;
  for (std::size_t i = 256; i < 128'000; ++i)
    more.push_back("t" + std::to_string(i));
  put("tokenizer.model", file_of(ranked(more)));
  ASSERT_EQ(plugin.create({{"path", folder.path()}}), IFB_OK) << plugin.error.message;
  EXPECT_EQ(encode("<|begin_of_text|><|eot_id|><|reserved_special_token_250|>"),
            (ids{128000, 128009, 128255}));
  EXPECT_EQ(vocabulary().total_size, 128256U);
}

TEST_F(tiktoken, invalid_utf8_becomes_replacement_characters) {
  put("made_up.tiktoken", file_of(ranked({})));
  create();
  EXPECT_EQ(decode({0xC3}), "\uFFFD");
  EXPECT_EQ(decode({0xC3, 0xA9, 99999}), "é");
  EXPECT_EQ(encode("\xC3!"), encode("\uFFFD!"));
}

TEST_F(tiktoken, asks_for_the_pattern_if_it_is_unknown) {
  put("made_up.tiktoken", file_of(ranked({"ab"})));
  EXPECT_THAT(refusal({}),
              AllOf(HasSubstr("made_up.tiktoken, of 257 tokens, is of no encoding that is known"),
                    HasSubstr("cl100k_base")));
  EXPECT_EQ(plugin.option_at_fault(), "pattern");
}

TEST_F(tiktoken, an_error_in_the_file_is_reported_with_its_line) {
  const std::string good = file_of(ranked({}));
  const auto message = [&](const std::string& text) {
    put("bad.tiktoken", text);
    return refusal({{"pattern", "gpt2"}});
  };
  EXPECT_THAT(message(good + "YWI=\n"), HasSubstr("bad.tiktoken:257: expected a token in base64"));
  EXPECT_THAT(message(good + "Y*I= 256\n"), HasSubstr("bad.tiktoken:257: expected"));
  EXPECT_THAT(message(good + "YWI= x\n"), HasSubstr("bad.tiktoken:257: expected"));
  EXPECT_THAT(message(good + "YWI= 99999999999\n"), HasSubstr("bad.tiktoken:257: expected"));
  EXPECT_THAT(message(good + "YWI= 4294967295\n"), HasSubstr("257: the rank is too high"));
  EXPECT_THAT(message(good + "YQ== 256\n"), HasSubstr("257: a token that was there before"));
  EXPECT_THAT(message(good + "YWI= 7\n"), HasSubstr("bad.tiktoken: two tokens have the rank 7"));
  EXPECT_THAT(message(good + " 256\n"), HasSubstr("257: an empty token"));
  EXPECT_THAT(message(good + ifb::base64(std::string(5000, 'a')) + " 256\n"),
              HasSubstr("257: a token of more than"));
  EXPECT_THAT(message("YQ== 0\n"), HasSubstr("the byte 0 has no token"));
  EXPECT_THAT(message(""), HasSubstr("the byte 0 has no token"));
  EXPECT_THAT(message("\n\x0e\x0f model"), HasSubstr("bad.tiktoken:2: expected"));
}

TEST_F(tiktoken, names_the_missing_file) {
  EXPECT_THAT(refusal({}), HasSubstr("no qwen.tiktoken and no other .tiktoken file"));
  put("a.tiktoken", "");
  put("b.tiktoken", "");
  EXPECT_THAT(refusal({}), HasSubstr("several .tiktoken files"));
  support::settings none;
  EXPECT_LT(plugin.create(none), 0);
  EXPECT_THAT(plugin.error.message, HasSubstr("no tokenizer is named"));
}

TEST_F(tiktoken, a_pattern_that_cannot_be_used_is_refused) {
  put("made_up.tiktoken", file_of(ranked({})));
  EXPECT_THAT(refusal({{"pattern", "(a"}}), HasSubstr("the regular expression \"(a\""));
}

}  // namespace
}  // namespace tokenizers
