// The pure parts of llama-cpp: text of tokens, options, seeds.
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine_host.hpp"
#include "engines/llama-cpp/batch_run.hpp"
#include "engines/llama-cpp/options.hpp"
#include "engines/llama-cpp/whole_characters.hpp"

namespace llama_cpp {
namespace {

using engine_test::failure_of;
using engine_test::message_of;
using testing::ElementsAre;
using testing::HasSubstr;

/// The text of each piece; the last piece is the end.
std::vector<std::string> characters_of(const std::vector<std::string>& pieces) {
  whole_characters characters;
  std::vector<std::string> out;
  for (std::size_t i = 0; i < pieces.size(); ++i)
    characters.take(pieces[i], i + 1 == pieces.size(), out.emplace_back());
  return out;
}

TEST(llama_characters, wait_until_they_are_whole) {
  EXPECT_THAT(characters_of({"a", "\xE2", "\x82", "\xAC!", "b"}),
              ElementsAre("a", "", "", "\u20AC!", "b"));
  EXPECT_THAT(characters_of({"x\xF0\x9F", "\x98\x80y"}), ElementsAre("x", "\U0001F600y"));
}

TEST(llama_characters, that_are_invalid_become_replacements) {
  EXPECT_THAT(characters_of({"\xFF", "\x80", "\xC0\xAF", "z"}),
              ElementsAre("\uFFFD", "\uFFFD", "\uFFFD\uFFFD", "z"));
  EXPECT_THAT(characters_of({"\xE2\x82", "a", ""}), ElementsAre("", "\uFFFDa", ""));
  EXPECT_THAT(characters_of({"\xED\xA0", "\x80", "."}),  // a surrogate
              ElementsAre("\uFFFD\uFFFD", "\uFFFD", "."));
}

TEST(llama_characters, are_complete_at_the_end) {
  EXPECT_THAT(characters_of({"a\xE2\x82"}), ElementsAre("a\uFFFD"));
  EXPECT_THAT(characters_of({"\xF0", ""}), ElementsAre("", "\uFFFD"));
}

engine_options laid_over(std::string_view json) {
  engine_options out;
  lay_over(out, json);
  return out;
}
std::string refusal_of(std::string_view json) {
  const ifb::failure refused = failure_of([&] { static_cast<void>(laid_over(json)); });
  EXPECT_TRUE(refused.code() == IFB_E_CONFIG || refused.code() == IFB_OK);
  return refused.message();
}

TEST(llama_options, take_their_own_names_and_upstreams) {
  const engine_options taken = laid_over(
      R"({"n_ctx": 512, "max-num-seqs": 3, "max_num_batched_tokens": 64, "model": "m.gguf",
          "flash_attention": "off", "cache_type": "q8_0", "seed": 7, "warm_up": false,
          "temperature": 0.5, "library": "/l.so"})");
  EXPECT_EQ(taken.n_ctx, 512);
  EXPECT_EQ(taken.n_seq_max, 3);
  EXPECT_EQ(taken.n_batch, 64);
  EXPECT_EQ(taken.model, "m.gguf");
  EXPECT_EQ(taken.flash_attention, flash_choice::off);
  EXPECT_EQ(taken.cache_type, cache_choice::q8_0);
  EXPECT_EQ(taken.seed, 7);
  EXPECT_FALSE(taken.warm_up);
  EXPECT_EQ(taken.temperature, 0.5);
  EXPECT_EQ(taken.library.text, "/l.so");
  EXPECT_EQ(laid_over(R"({"max_model_len": 99})").n_ctx, 99);
  EXPECT_EQ(laid_over("").n_ctx, 0);
}

TEST(llama_options, accept_members_that_ask_for_nothing) {
  EXPECT_EQ(refusal_of(R"({"tokenizer": "t", "tokenizer_mode": "hf", "trust_remote_code": true,
                           "dtype": "auto", "enable_prefix_caching": false})"),
            "there was no failure");
}

TEST(llama_options, refuse_all_others_by_name) {
  EXPECT_EQ(
      refusal_of(R"({"tensor_parallel_size": 2})"),
      "option tensor_parallel_size of llama-cpp: it does not exist, or llama.cpp cannot do it");
  EXPECT_THAT(refusal_of(R"({"enable_prefix_caching": true})"), HasSubstr("enable_prefix_caching"));
  EXPECT_THAT(refusal_of(R"({"dtype": "float16"})"), HasSubstr("dtype"));
}

TEST(llama_options, refuse_wrong_types_and_ranges) {
  EXPECT_EQ(refusal_of(R"({"n_ctx": "512"})"),
            "option n_ctx of llama-cpp: it must be a whole number");
  EXPECT_EQ(refusal_of(R"({"n_seq_max": 0})"),
            "option n_seq_max of llama-cpp: it must be from 1 to 1024");
  EXPECT_THAT(refusal_of(R"({"n_ctx": 1e3})"), HasSubstr("a whole number"));
  EXPECT_THAT(refusal_of(R"({"n_ctx": -1})"), HasSubstr("from 0 to"));
  EXPECT_THAT(refusal_of(R"({"top_p": "x"})"), HasSubstr("a number"));
  EXPECT_THAT(refusal_of(R"({"warm_up": 1})"), HasSubstr("true or false"));
  EXPECT_THAT(refusal_of(R"({"model": 1})"), HasSubstr("a text"));
  EXPECT_THAT(refusal_of(R"({"cache_type": "q3"})"), HasSubstr("is none of its choices"));
  EXPECT_THAT(refusal_of("[]"), HasSubstr("no JSON object"));
  EXPECT_THAT(refusal_of("{"), HasSubstr("malformed JSON"));
}

TEST(llama_seeds, differ_by_output_and_by_run) {
  std::set<std::uint32_t> seeds;
  for (std::uint64_t run = 0; run < 10; ++run)
    for (std::uint64_t output = 0; output < 100; ++output)
      seeds.insert(seed_of(run, output));
  EXPECT_EQ(seeds.size(), 1000U);
  EXPECT_EQ(seed_of(3, 4), seed_of(3, 4));
}

}  // namespace
}  // namespace llama_cpp
