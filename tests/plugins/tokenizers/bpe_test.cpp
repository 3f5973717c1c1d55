#include <algorithm>
#include <atomic>
#include <map>
#include <random>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model_box.hpp"
#include "support/sanitizer.hpp"
#include "tokenizers/hf/byte_alphabet.hpp"

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

using pair = std::pair<std::string, std::string>;

struct made_up {
  std::map<std::string, std::uint32_t> vocab;
  std::vector<pair> merges;
};

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string json_of(const made_up& from, const std::string& members = "", bool lists = true) {
  std::string out = R"({"type": "BPE", )" + members + "\"vocab\": {";
  for (const auto& [token, id] : from.vocab)
    out += (out.back() == '{' ? "" : ", ") + quoted(token) + ": " + std::to_string(id);
  out += "}, \"merges\": [";
  for (const auto& [left, right] : from.merges) {
    if (out.back() != '[') out += ", ";
    out += lists ? "[" + quoted(left) + ", " + quoted(right) + "]" : quoted(left + " " + right);
  }
  return out + "]}";
}

/// A model with random merges of these characters.
made_up invented(std::mt19937& random, const std::vector<std::string>& characters, int merges) {
  made_up out;
  std::vector<std::string> tokens = characters;
  std::set<pair> seen;
  for (const auto& c : characters)
    out.vocab.emplace(c, static_cast<std::uint32_t>(out.vocab.size()));
  for (int i = 0; i < merges; ++i) {
    const pair next = {tokens[random() % tokens.size()], tokens[random() % tokens.size()]};
    const std::string whole = next.first + next.second;
    if (whole.size() > 24 || !seen.insert(next).second) continue;
    if (out.vocab.emplace(whole, static_cast<std::uint32_t>(out.vocab.size())).second)
      tokens.push_back(whole);
    out.merges.push_back(next);
  }
  return out;
}

/// BPE by its definition: merges the leftmost of the pairs with the lowest rank, and repeats.
std::vector<std::uint32_t> by_definition(const made_up& from, std::vector<std::string> symbols) {
  std::map<pair, std::size_t> ranks;
  for (std::size_t i = 0; i < from.merges.size(); ++i)
    ranks[from.merges[i]] = i;
  for (;;) {
    std::size_t best = ranks.size();
    std::size_t at = 0;
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
      const auto found = ranks.find({symbols[i], symbols[i + 1]});
      if (found != ranks.end() && found->second < best) best = found->second, at = i;
    }
    if (best == ranks.size()) break;
    symbols[at] += symbols[at + 1];
    symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  }
  std::vector<std::uint32_t> out;
  for (const auto& symbol : symbols)
    out.push_back(from.vocab.at(symbol));
  return out;
}

}  // namespace

TEST(bpe, merges_as_the_definition_says_pieces_short_and_long) {
  const std::vector<std::string> characters = {"a", "b", "c", "é", "中", "▁"};
  std::mt19937 random(1);
  for (int round = 0; round < inferbench::support::reduced(60); ++round) {
    const made_up vocabulary = invented(random, characters, 60);
    const auto model = model_of(json_of(vocabulary, "", round % 2 == 0));
    for (const unsigned length : {1U, 2U, 3U, 5U, 8U, 20U, 60U, 127U, 128U, 129U, 300U}) {
      std::string text;
      std::vector<std::string> symbols;
      for (std::size_t i = 0; i < length; ++i) {
        symbols.push_back(characters[random() % characters.size()]);
        text += symbols.back();
      }
      const auto expected = by_definition(vocabulary, symbols);
      ASSERT_EQ(ids_of(*model, text), expected) << text;
      ASSERT_EQ(ids_of(*model, text), expected) << "from the cache: " << text;
    }
  }
}

TEST(bpe, of_overlapping_pairs_the_leftmost_merges_first) {
  const auto model = model_of(R"({"vocab": {"a": 0, "aa": 1}, "merges": ["a a"]})");
  EXPECT_THAT(ids_of(*model, "aaaaa"), ElementsAre(1, 1, 0));
}

TEST(bpe, the_last_of_two_equal_merges_counts) {
  const auto model = model_of(
      R"({"vocab": {"a": 0, "b": 1, "c": 2, "ab": 3, "bc": 4}, "merges": ["a b", "b c", "a b"]})");
  EXPECT_THAT(ids_of(*model, "abc"), ElementsAre(0, 4));
}

TEST(bpe, a_line_with_a_version_is_not_a_merge) {
  const auto model =
      model_of(R"({"vocab": {"a": 0, "aa": 1}, "merges": ["#version: 0.2", "a a"]})");
  EXPECT_THAT(ids_of(*model, "aa"), ElementsAre(1));
}

TEST(bpe, unknown_characters_fuse_only_where_that_is_asked_for) {
  const std::string rest = R"("vocab": {"a": 0, "?": 1}, "merges": []})";
  EXPECT_THAT(ids_of(*model_of(R"({"unk_token": "?", "fuse_unk": true, )" + rest), "xxay"),
              ElementsAre(1, 0, 1));
  EXPECT_THAT(ids_of(*model_of(R"({"unk_token": "?", "fuse_unk": false, )" + rest), "xxay"),
              ElementsAre(1, 1, 0, 1));
  EXPECT_THAT(ids_of(*model_of("{" + rest), "xxay"), ElementsAre(0));
  EXPECT_THAT(ids_of(*model_of(R"({"unk_token": "nowhere", )" + rest), "xxay"), ElementsAre(0));
}

TEST(bpe, unknown_text_becomes_bytes_if_all_bytes_have_a_token) {
  const std::string rest =
      R"("unk_token": "?", "fuse_unk": true,
         "vocab": {"a": 0, "?": 1, "<0xC3>": 2, "<0xA9>": 3}, "merges": []})";
  EXPECT_THAT(ids_of(*model_of(R"({"byte_fallback": true, )" + rest), "aé"), ElementsAre(0, 2, 3));
  EXPECT_THAT(ids_of(*model_of("{" + rest), "aé"), ElementsAre(0, 1));
  // As in the reference, the unknown token is added only at the next known character.
  EXPECT_THAT(ids_of(*model_of(R"({"byte_fallback": true, )" + rest), "xéa"),
              ElementsAre(2, 3, 1, 0));
}

TEST(bpe, prefixes_of_continuations_and_suffixes_of_words) {
  const auto prefixed = model_of(
      R"({"continuing_subword_prefix": "##", "vocab": {"a": 0, "##b": 1, "ab": 2, "##c": 3},
          "merges": ["a ##b"]})");
  EXPECT_THAT(ids_of(*prefixed, "abc"), ElementsAre(2, 3));
  const auto suffixed = model_of(
      R"({"end_of_word_suffix": "</w>", "vocab": {"a": 0, "b": 1, "b</w>": 2, "ab</w>": 3},
          "merges": ["a b</w>"]})");
  EXPECT_THAT(ids_of(*suffixed, "abab"), ElementsAre(0, 1, 3));
  EXPECT_THAT(ids_of(*suffixed, "ba"), ElementsAre(1));
}

TEST(bpe, a_whole_piece_in_the_vocabulary_comes_first_where_merges_are_ignored) {
  const std::string rest = R"("vocab": {"a": 0, "b": 1, "ab": 2, "Ġ": 3, "Ġab": 4}, "merges": []})";
  EXPECT_THAT(ids_of(*model_of(R"({"ignore_merges": true, )" + rest), "ab"), ElementsAre(2));
  EXPECT_THAT(ids_of(*model_of("{" + rest), "ab"), ElementsAre(0, 1));
  EXPECT_THAT(
      ids_of(*model_of(R"({"ignore_merges": true, )" + rest, tokenizers::hf::alphabet::bytes),
             " ab"),
      ElementsAre(4));
}

TEST(bpe, a_text_is_cut_before_spaces_only_where_nothing_merges_across) {
  const made_up cuttable = {{{"a", 0}, {"▁", 1}, {"▁a", 2}, {"▁▁", 3}, {"aa", 4}},
                            {{"▁", "a"}, {"▁", "▁"}, {"a", "a"}}};
  made_up crossing = cuttable;
  crossing.vocab["a▁"] = 5;
  crossing.merges.emplace_back("a", "▁");
  std::swap(crossing.merges.front(), crossing.merges.back());
  std::mt19937 random(7);
  for (const made_up& vocabulary : {cuttable, crossing}) {
    const auto model = model_of(json_of(vocabulary));
    for (int round = 0; round < 500; ++round) {
      std::string text;
      std::vector<std::string> symbols;
      for (std::size_t n = random() % 40 + 1; n > 0; --n) {
        symbols.emplace_back(random() % 2 == 0 ? "a" : "▁");
        text += symbols.back();
      }
      ASSERT_EQ(ids_of(*model, text), by_definition(vocabulary, symbols)) << text;
    }
  }
}

TEST(bpe, takes_raw_bytes_where_the_vocabulary_spells_them) {
  // The vocabulary has all 256 bytes, and merges of "Ġ" (space) and of the two bytes of "é".
  made_up all;
  for (int byte = 0; byte < 256; ++byte) {
    const bool itself = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte != 0xAD);
    static int next = 0x100;
    const int code = itself ? byte : next++;
    std::string text;
    if (code < 0x80) {
      text = static_cast<char>(code);
    } else {
      text += static_cast<char>(0xC0 | code >> 6);
      text += static_cast<char>(0x80 | (code & 0x3F));
    }
    all.vocab[text] = static_cast<std::uint32_t>(byte);
  }
  all.vocab["Ġa"] = 256;
  all.vocab["Ã©"] = 257;
  all.merges = {{"Ġ", "a"}, {"Ã", "©"}};
  const auto model = model_of(json_of(all), tokenizers::hf::alphabet::bytes);
  EXPECT_THAT(ids_of(*model, " a"), ElementsAre(256));
  EXPECT_THAT(ids_of(*model, "xé"), ElementsAre('x', 257));
  EXPECT_THAT(ids_of(*model, std::string("\xFF\0\n", 3)), ElementsAre(0xFF, 0, '\n'));
  EXPECT_EQ(model->id_of("Ġa"), 256U);
  EXPECT_EQ(model->id_of(" a"), std::nullopt);
  EXPECT_EQ(model->token_of(256), "Ġa");
  // If a byte has no token, the text is looked up in the rest of the vocabulary, as spelled there.
  all.vocab.erase("Ġ");
  all.merges.erase(all.merges.begin());
  all.vocab["?"] = 300;
  const auto poorer =
      model_of(json_of(all, R"("unk_token": "?", )"), tokenizers::hf::alphabet::bytes);
  EXPECT_THAT(ids_of(*poorer, " xé"), ElementsAre(300, 'x', 257));
}

TEST(bpe, converts_ids_and_tokens_with_any_ids) {
  const auto model = model_of(R"({"vocab": {"a": 7, "b": 4294967294, "c": 100000}, "merges": []})");
  EXPECT_EQ(model->size(), 3U);
  EXPECT_EQ(model->id_of("b"), 4294967294U);
  EXPECT_EQ(model->token_of(4294967294U), "b");
  EXPECT_EQ(model->token_of(7), "a");
  EXPECT_EQ(model->token_of(8), std::nullopt);
  EXPECT_EQ(model->id_of("d"), std::nullopt);
  EXPECT_THAT(ids_of(*model, "abc"), ElementsAre(7, 4294967294U, 100000));
  EXPECT_THAT(ids_of(*model, ""), IsEmpty());
}

TEST(bpe, long_pieces_take_no_long_time) {
  const auto model =
      model_of(R"({"vocab": {"a": 0, "aa": 1, "aaaa": 2, "b": 3}, "merges": ["a a", "aa aa"]})");
  const auto ids = ids_of(*model, std::string(1'000'001, 'a'));
  EXPECT_EQ(ids.size(), 250'001U);
  EXPECT_EQ(ids.front(), 2U);
  EXPECT_EQ(ids.back(), 0U);
}

TEST(bpe, threads_share_one) {
  std::mt19937 random(3);
  const std::vector<std::string> characters = {"a", "b", "c"};
  const made_up vocabulary = invented(random, characters, 40);
  const auto model = model_of(json_of(vocabulary));
  std::vector<std::string> texts;
  std::vector<std::vector<std::uint32_t>> expected;
  for (int i = 0; i < 200; ++i) {
    std::string text;
    std::vector<std::string> symbols;
    for (std::size_t n = random() % 30 + 1; n > 0; --n) {
      symbols.push_back(characters[random() % characters.size()]);
      text += symbols.back();
    }
    texts.push_back(text);
    expected.push_back(by_definition(vocabulary, symbols));
  }
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 24; ++t)  // more threads than the cache has tables
    threads.emplace_back([&] {
      for (int round = 0; round < 5; ++round)
        for (std::size_t i = 0; i < texts.size(); ++i)
          if (ids_of(*model, texts[i]) != expected[i]) ++wrong;
    });
  for (auto& thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

std::string spelled(std::string_view bytes) {
  std::string out;
  for (const char c : bytes) {
    const auto& to = tokenizers::hf::spell(static_cast<unsigned char>(c));
    out.append(to.text, to.size);
  }
  return out;
}

/// A model with all bytes, with merges of parts of characters, and with tokens that no merge gives.
made_up random_bytes_model(std::mt19937& random) {
  const auto pick = [&](const auto& from) { return from[random() % from.size()]; };
  made_up out;
  const auto add = [&](const std::string& bytes) {
    return out.vocab.try_emplace(spelled(bytes), out.vocab.size()).second;
  };
  for (int byte = 0; byte < 256; ++byte)
    add(std::string(1, static_cast<char>(byte)));
  const std::string letters = "ab \xC3\xA9\xB6\xE6\x97\xA5\x9C\xAC\xF0\x9F\x98\x80";
  std::vector<std::string> tokens;
  for (const char c : letters)
    tokens.emplace_back(1, c);
  for (const std::string c : {"\xC3\xA9", "\xE6\x97", "\xE6\x97\xA5", "\xE6\x9C", "\xE6\x9C\xAC"}) {
    add(c);
    out.merges.emplace_back(spelled(c.substr(0, c.size() - 1)), spelled(c.substr(c.size() - 1)));
    tokens.push_back(c);
  }
  for (int i = 0; i < 120; ++i) {
    const std::string left = pick(tokens);
    const std::string right = pick(tokens);
    if (left.size() + right.size() > 12 || !add(left + right)) continue;
    out.merges.emplace_back(spelled(left), spelled(right));
    tokens.push_back(left + right);
  }
  for (int i = 0; i < 40; ++i)
    add(pick(tokens) + pick(tokens));
  return out;
}

// The code for bytes has its own tables, and splits long pieces before it merges them.
TEST(bpe, bytes_become_the_same_tokens_as_their_spelling) {
  static const std::vector<std::string> units = {
      "a",          "b",        " ",    "\u00E9", "\u00F6", "\u65E5", "\u672C", "\u65E5\u672C",
      "\U0001F600", "\xE6\x97", "\x9C", "\xFF",   "\u0436"};
  for (std::uint32_t seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    const auto from = random_bytes_model(random);
    const std::string json = json_of(from, seed % 2 == 0 ? R"("ignore_merges": true, )" : "");
    const auto bytes = model_of(json, tokenizers::hf::alphabet::bytes);
    const auto text = model_of(json);
    for (int i = 0; i < 300; ++i) {
      std::string piece;
      for (std::size_t n = 1 + random() % (i % 10 == 0 ? 200 : 12); n > 0; --n)
        piece += units[random() % units.size()];
      EXPECT_EQ(ids_of(*bytes, piece), ids_of(*text, spelled(piece))) << seed << ": " << piece;
      std::vector<std::uint32_t> all;
      const std::vector<std::string_view> pieces = {piece, std::string_view(piece).substr(0, 1),
                                                    piece};
      bytes->encode_all(pieces, all);
      auto expected = ids_of(*text, spelled(piece));
      const auto once = expected;
      expected.push_back(ids_of(*text, spelled(pieces[1])).front());
      expected.insert(expected.end(), once.begin(), once.end());
      EXPECT_EQ(all, expected);
    }
  }
}

TEST(bpe, an_error_in_the_file_is_reported_with_its_path) {
  EXPECT_EQ(refusal_of(R"({"vocab": {"a": 0}, "merges": ["a b"]})"),
            "tokenizer.json: merges[0]: \"ab\" is not in the vocabulary");
  EXPECT_EQ(refusal_of(R"({"vocab": {"a": 0, "ab": 1}, "merges": ["a b"]})"),
            "tokenizer.json: merges[0]: \"b\" is not in the vocabulary");
  EXPECT_EQ(refusal_of(R"({"vocab": {"a": 0}, "merges": [["a", "a"]]})"),
            "tokenizer.json: merges[0]: \"aa\" is not in the vocabulary");
  EXPECT_THAT(refusal_of(R"({"vocab": {"a": 0}, "merges": ["a"]})"), HasSubstr("merges[0]: exp"));
  EXPECT_THAT(refusal_of(R"({"vocab": {"a": 0}, "merges": ["a  a"]})"), HasSubstr("merges[0]: e"));
  EXPECT_THAT(refusal_of(R"({"vocab": {"a": 0}, "merges": [["a"]]})"), HasSubstr("merges[0]: ex"));
  EXPECT_THAT(refusal_of(R"({"vocab": {"a": 0}, "merges": [[1, 2]]})"),
              HasSubstr("merges[0][0]: expected a string"));
  EXPECT_THAT(refusal_of(R"({"vocab": {"a": 0}, "merges": [17]})"), HasSubstr("merges[0]"));
  EXPECT_THAT(refusal_of(R"({"vocab": {"a": -1}, "merges": []})"), HasSubstr("vocab.a: "));
  EXPECT_THAT(refusal_of(R"({"vocab": {"a": 1.5}, "merges": []})"), HasSubstr("vocab.a: "));
  EXPECT_THAT(refusal_of(R"({"vocab": {"a": 1, "a": "x"}, "merges": []})"), HasSubstr("vocab.a: "));
  EXPECT_THAT(refusal_of(R"({"vocab": {"a": null}, "merges": []})"), HasSubstr("vocab.a: "));
  EXPECT_THAT(refusal_of(R"({"vocab": [], "merges": []})"), HasSubstr("vocab: expected an object"));
  EXPECT_THAT(refusal_of(R"({"merges": []})"), HasSubstr("\"vocab\" is missing"));
  EXPECT_THAT(refusal_of(R"({"type": "BPE", "vocab": {}})"), HasSubstr("\"merges\" is missing"));
  EXPECT_THAT(refusal_of(R"({"type": "Markov", "vocab": {}})"), HasSubstr("type: no model"));
}
