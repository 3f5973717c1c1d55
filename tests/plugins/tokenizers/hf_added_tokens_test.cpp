#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "plugins/tokenizers/hf_small.hpp"

namespace {

using hf_test::added;
using hf_test::small_file;
using ids = std::vector<std::uint32_t>;

TEST(added_tokens, get_the_ids_after_the_vocabulary_whatever_the_file_says) {
  small_file file;
  file.added = "[" + added("X") + "," + added("a") + "," + added("Y") + "]";
  const auto it = file.load();
  EXPECT_EQ(it.id_of("X"), 6U);
  EXPECT_EQ(it.id_of("a"), 1U);
  EXPECT_EQ(it.id_of("Y"), 7U);
  EXPECT_EQ(it.size(), 6U);
  EXPECT_EQ(it.total_size(), 8U);
  EXPECT_EQ(it.max_id(), 7U);
}

TEST(added_tokens, are_added_once) {
  small_file file;
  file.added = "[" + added("X", "special") + "," + added("X") + "," + added("") + "]";
  const auto it = file.load();
  EXPECT_EQ(it.total_size(), 7U);
  EXPECT_EQ(it.decode(ids{6}, true), "");
}

TEST(added_tokens, are_found_leftmost_and_longest) {
  small_file file;
  file.added = "[" + added("<<") + "," + added("<<<") + "," + added("a b") + "]";
  const auto it = file.load();
  EXPECT_EQ(it.encode("<<<<<a b", false), (ids{7, 6, 8}));
}

TEST(added_tokens, as_single_words_stand_between_no_words) {
  small_file file;
  file.added = "[" + added("ab", "single_word") + "]";
  const auto it = file.load();
  EXPECT_EQ(it.encode("ab ab! xab abé", false), (ids{4, 4, 0, 0, 0}));
}

TEST(added_tokens, take_white_space_of_any_kind) {
  small_file file;
  file.pre_tokenizer = "null";
  file.added = "[" + added("L", "lstrip") + "," + added("R", "rstrip") + "]";
  const auto it = file.load();
  EXPECT_EQ(it.encode("a \t\u3000LaR\u2028\u00A0b", false), (ids{1, 6, 1, 7, 2}));
}

TEST(added_tokens, within_white_space_that_is_taken_are_found_all_the_same) {
  small_file file;
  file.added = "[" + added("R", "rstrip") + "," + added(" ") + "]";
  EXPECT_EQ(file.load().encode("aR  b", false), (ids{1, 6, 7, 7, 2}));
}

TEST(added_tokens, of_which_nothing_is_left_are_dropped) {
  small_file file;
  file.added = "[" + added(" ", "lstrip rstrip") + "]";
  EXPECT_EQ(file.load().encode("a   b", false), (ids{1, 6, 2}));
}

TEST(added_tokens, that_are_normalized_are_found_and_spelled_so) {
  small_file file;
  file.normalizer = R"({"type":"Lowercase"})";
  file.added = "[" + added("NORM", "normalized special") + "," + added("Raw") + "]";
  const auto it = file.load();
  EXPECT_EQ(it.encode("norm Norm Raw raw", false), (ids{6, 6, 7, 0}));
  EXPECT_EQ(it.id_of("NORM"), 6U);
  EXPECT_EQ(it.token_of(6), "norm");
  // Its normalized text is not the text of the special token, so decoding does not skip it.
  EXPECT_EQ(it.decode(ids{6, 1}, true), "norm a");
}

TEST(added_tokens, that_normalize_to_nothing_are_never_found) {
  small_file file;
  file.normalizer = R"({"type":"StripAccents"})";
  file.added = "[" + added("\u0301", "normalized") + "]";
  EXPECT_EQ(file.load().encode("a\u0301b", false), (ids{4}));
}

TEST(added_tokens, come_on_top_of_the_file) {
  small_file file;
  file.added = "[" + added("X") + "]";
  tokenizers::hf::additions on_top;
  on_top.tokens = {{.content = "X", .special = true},
                   {.content = "c", .normalized = false, .special = true},
                   {.content = "Z", .normalized = false, .special = true}};
  const auto it = file.load(on_top);
  EXPECT_EQ(it.id_of("Z"), 7U);
  EXPECT_EQ(ids(it.special_ids().begin(), it.special_ids().end()), (ids{3, 7}));
  EXPECT_EQ(it.decode(ids{6, 3, 7, 1}, true), "X a");
}

TEST(added_tokens, with_a_high_id_are_found_by_it) {
  small_file file;
  file.model = R"({"type":"WordLevel","vocab":{"[UNK]":0,"far":4000000000},"unk_token":"[UNK]"})";
  file.added = "[" + added("far") + "]";
  const auto it = file.load();
  EXPECT_EQ(it.encode("far", false), (ids{4000000000U}));
  EXPECT_EQ(it.decode(ids{4000000000U}, false), "far");
  EXPECT_EQ(it.max_id(), 4000000000U);
}

TEST(added_tokens, for_which_no_id_is_left_are_refused) {
  small_file file;
  file.model = R"({"type":"WordLevel","vocab":{"[UNK]":0,"far":4294967295},"unk_token":"[UNK]"})";
  file.added = "[" + added("far") + "]";
  EXPECT_EQ(file.load().max_id(), 4294967295U);
  file.added = "[" + added("far") + "," + added("X") + "]";
  EXPECT_EQ(file.refusal(),
            "tokenizer.json: no id is left for the added token \"X\", because another one has the "
            "id 4294967295, the highest possible id");
}

TEST(added_tokens, without_a_flag_are_refused_with_the_path) {
  small_file file;
  file.added = R"([{"id":0,"content":"X"}])";
  EXPECT_EQ(file.refusal(), "tokenizer.json: added_tokens[0]: \"single_word\" is missing");
}

}  // namespace
