#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "plugins/tokenizers/hf_files.hpp"
#include "plugins/tokenizers/hf_small.hpp"

namespace {

using hf_test::small_file;
using ids = std::vector<std::uint32_t>;
using mask = std::vector<std::uint8_t>;

TEST(tokenizer, reads_bad_utf8_as_replacement_characters) {
  small_file file;
  file.pre_tokenizer = R"({"type":"FixedLength","length":1})";
  file.model = R"({"type":"WordLevel","vocab":{"[UNK]":0,"a":1,"\ufffd":2},"unk_token":"[UNK]"})";
  const auto it = file.load();
  EXPECT_EQ(it.encode("a\xC3 \xE2\x82\xFFz", false), (ids{1, 2, 0, 2, 2, 0}));
}

TEST(tokenizer, makes_nothing_of_nothing) {
  const auto it = small_file().load();
  EXPECT_EQ(it.encode("", true), ids{});
  EXPECT_EQ(it.decode({}, false), "");
  EXPECT_EQ(it.count("", true), 0U);
}

TEST(tokenizer, leaves_out_ids_that_it_does_not_know) {
  EXPECT_EQ(small_file().load().decode(ids{1, 4000, 2, 0xFFFFFFFF}, false), "a b");
}

TEST(tokenizer, appends_to_existing_ids) {
  ids made{7};
  small_file().load().encode("a b", true, made);
  EXPECT_EQ(made, (ids{7, 1, 2}));
}

TEST(tokenizer, cuts_and_fills_only_where_it_is_asked_to) {
  small_file file;
  file.truncation = R"({"direction":"Left","max_length":2,"strategy":"LongestFirst","stride":0})";
  file.padding =
      R"({"strategy":"BatchLongest","direction":"Left","pad_to_multiple_of":4,"pad_id":5,"pad_type_id":7,"pad_token":"B"})";
  EXPECT_EQ(file.load().encode("a b c", true), (ids{1, 2, 3}));
  tokenizers::hf::additions on_top;
  on_top.apply_limits = true;
  const auto it = file.load(on_top);
  EXPECT_EQ(it.encode("a b c", true), (ids{5, 5, 2, 3}));
  EXPECT_EQ(it.count("a b c", true), 4U);
  const auto made = it.encode_pair("a b c", "c", true);
  EXPECT_EQ(made.ids, (ids{5, 5, 3, 3}));
  EXPECT_EQ(made.type_ids, (ids{7, 7, 0, 1}));
  EXPECT_EQ(made.attention_mask, (mask{0, 0, 1, 1}));
  EXPECT_EQ(made.special_tokens_mask, (mask{1, 1, 0, 0}));
}

TEST(tokenizer, says_why_a_text_cannot_be_cut) {
  small_file file;
  file.truncation = R"({"direction":"Right","max_length":2,"strategy":"OnlySecond","stride":0})";
  tokenizers::hf::additions on_top;
  on_top.apply_limits = true;
  const auto it = file.load(on_top);
  EXPECT_THROW((void)it.encode("a b c", true), ifb::failure);
  EXPECT_THROW((void)it.encode_pair("a b c", "c", true), ifb::failure);
  EXPECT_EQ(it.encode_pair("a", "a b c", true).ids, (ids{1, 1}));
}

// "first" means the first character of the original text, even if a normalizer has moved or removed
// it.
TEST(tokenizer, puts_a_sign_before_the_first_word_only) {
  small_file file;
  file.pre_tokenizer =
      R"({"type":"Sequence","pretokenizers":[{"type":"WhitespaceSplit"},{"type":"Metaspace","replacement":"_","prepend_scheme":"first","split":false}]})";
  file.model =
      R"({"type":"WordLevel","vocab":{"?":0,"_a":1,"a":2,"_1":3,"1":4,"\u2044":5},"unk_token":"?"})";
  EXPECT_EQ(file.load().encode("a a", false), (ids{1, 2}));
  EXPECT_EQ(file.load().encode(" a a", false), (ids{2, 2}));
  file.added = "[" + hf_test::added("<s>") + "]";
  EXPECT_EQ(file.load().encode("<s>a a", false), (ids{6, 2, 2}));
  file.added = "[]";
  file.normalizer = R"({"type":"Strip","strip_left":true,"strip_right":true})";
  EXPECT_EQ(file.load().encode(" a a", false), (ids{2, 2}));
  // U+00BD becomes three characters, which all come from the first character of the text.
  file.normalizer = R"({"type":"NFKC"})";
  file.pre_tokenizer =
      R"({"type":"Sequence","pretokenizers":[{"type":"FixedLength","length":1},{"type":"Metaspace","replacement":"_","prepend_scheme":"first","split":false}]})";
  EXPECT_EQ(file.load().encode("\u00BD1", false), (ids{3, 0, 0, 4}));
}

TEST(tokenizer, serves_many_threads_at_once) {
  const tokenizers::hf::tokenizer it(hf_test::unzip(hf_test::fixture("bert/tokenizer.json.gz")));
  const std::string text = "Nobody is ever told; caf\u00E9s, \u65E5\u672C\u8A9E and 42.";
  const ids expected = it.encode(text, true);
  const std::string back = it.decode(expected, true);
  std::vector<int> wrong(4, 0);
  std::vector<std::thread> threads;
  for (int& count : wrong)
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i)
        if (it.encode(text, true) != expected || it.decode(expected, true) != back) ++count;
    });
  for (auto& thread : threads)
    thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

TEST(tokenizer, reports_errors_of_components_with_their_path) {
  small_file file;
  file.normalizer = R"({"type":"Sequence","normalizers":[{"type":"NFC"},{"type":"Foo"}]})";
  EXPECT_EQ(file.refusal(),
            "tokenizer.json: normalizer.normalizers[1].type: there is no normalizer \"Foo\"");
  file.normalizer = "null";
  file.pre_tokenizer =
      R"({"type":"Split","pattern":{"Regex":"("},"behavior":"Isolated","invert":false})";
  EXPECT_EQ(file.refusal().substr(0, 53), "tokenizer.json: pre_tokenizer.pattern.Regex: the regu");
  file.pre_tokenizer = R"({"type":"Split","pattern":" ","behavior":"Isolated","invert":false})";
  EXPECT_EQ(file.refusal(),
            "tokenizer.json: pre_tokenizer.pattern: expected an object, not a string");
  file.pre_tokenizer = R"({"type":"FixedLength","length":0})";
  EXPECT_EQ(file.refusal(), "tokenizer.json: pre_tokenizer.length: expected at least 1");
  file.pre_tokenizer = R"({"type":"Metaspace","replacement":"_","add_prefix_space":false})";
  EXPECT_EQ(file.refusal(),
            "tokenizer.json: pre_tokenizer.add_prefix_space: contradicts prepend_scheme, which "
            "has to be \"never\" then");
  file.pre_tokenizer = "null";
  file.normalizer = R"({"type":"Precompiled","precompiled_charsmap":"AAAA"})";
  EXPECT_EQ(file.refusal(),
            "tokenizer.json: normalizer.precompiled_charsmap: too short for a table of rules");
  file.normalizer = R"({"type":"Precompiled","precompiled_charsmap":"?"})";
  EXPECT_EQ(file.refusal(), "tokenizer.json: normalizer.precompiled_charsmap: not base64");
}

// If the decoder is only ByteLevel, it has a special code path, which a sequence does not use.
TEST(tokenizer, decodes_bytes_in_the_same_way_alone_and_in_a_sequence) {
  small_file file;
  file.pre_tokenizer =
      R"({"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":true})";
  file.model =
      R"({"type":"BPE","merges":[],"vocab":{"a":0,"\u0120":1,"\u00e6":2,"\u0139":3,"\u00a5":4,"\u65e5":5,"":6,"abcdefghijklmnopqrstuvwxyz":7,"\u00ff":9}})";
  file.added = "[" + hf_test::added("<s>", "special") + "," + hf_test::added("\u65e5 \u0120") +
               "," + hf_test::added("a", "special") + "]";
  file.decoder = R"({"type":"ByteLevel"})";
  const auto alone = file.load();
  file.decoder = R"({"type":"Sequence","decoders":[{"type":"ByteLevel"}]})";
  const auto within = file.load();
  EXPECT_EQ(alone.decode(ids{7, 1, 2, 3, 4, 5, 2, 7}, false),
            "abcdefghijklmnopqrstuvwxyz \u65E5\u65E5\uFFFDabcdefghijklmnopqrstuvwxyz");
  std::uint32_t state = 1;
  for (int i = 0; i < 2000; ++i) {
    ids some;
    for (int n = 0; n < i % 9; ++n) {
      state = state * 1664525U + 1013904223U;
      some.push_back((state >> 16U) % 14);
    }
    if (i % 50 == 0) some.push_back(0xFFFFFFFF);
    for (const bool skip : {false, true})
      EXPECT_EQ(alone.decode(some, skip), within.decode(some, skip));
  }
}

}  // namespace
