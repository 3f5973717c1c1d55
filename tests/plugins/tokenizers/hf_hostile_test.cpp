// Tests hostile files and texts. A file that cannot be used is refused with its path. Nothing
// crashes, and the time grows linearly with the length.
#include <algorithm>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <inferbench/guard.hpp>

#include "plugins/tokenizers/hf_files.hpp"
#include "support/sanitizer.hpp"
#include "tokenizers/common/utf8.hpp"
#include "tokenizers/hf/tokenizer.hpp"

namespace {

std::vector<std::string> synthetic_files() {
  std::vector<std::string> out;
  for (const auto& entry : std::filesystem::directory_iterator(hf_test::fixture("synthetic")))
    out.push_back(entry.path().string());
  std::ranges::sort(out);
  return out;
}

/// Random numbers that are the same on every machine. The distributions of the standard library are
/// not.
class dice {
 public:
  explicit dice(std::uint32_t seed) : engine_(seed) {}
  std::size_t below(std::size_t n) { return engine_() % n; }

 private:
  std::mt19937 engine_;
};

std::string mangled(std::string text, dice& random) {
  static const std::vector<std::string> scraps = {
      "null", "-1", "4294967295", "1e99", "\"\"", "[]", "{}", "true", "\"\\ud83d\\ude00\"", "0"};
  switch (random.below(6)) {
    case 0: text.resize(random.below(text.size())); break;
    case 1: text[random.below(text.size())] = static_cast<char>(random.below(256)); break;
    case 2: text.erase(random.below(text.size()), 1 + random.below(40)); break;
    case 3:
      text.insert(random.below(text.size()), text.substr(random.below(text.size()), 60));
      break;
    default: {
      // Replace a complete value, so that the file is more often well-formed.
      const auto colon = text.find(':', random.below(text.size()));
      if (colon == std::string::npos) break;
      const auto end = text.find_first_of(",}]", colon);
      text.replace(colon + 1, end - colon - 1, scraps[random.below(scraps.size())]);
    }
  }
  return text;
}

std::string random_text(dice& random, std::size_t size) {
  static const std::vector<std::string> words = {"the",      " ",
                                                 "a",        "\n",
                                                 "<s>",      "</s>",
                                                 "NORM",     "[UNK]",
                                                 "\u0301",   "\u65E5",
                                                 "1",        "\u00A0",
                                                 "\u2581",   "##",
                                                 "-",        "\xFF",
                                                 "\xE2\x82", "\xF0\x9F\x98\x80",
                                                 "\u1100",   "\u1161",
                                                 "\u0130",   "hello",
                                                 "<0x0A>",   "'s",
                                                 "\t",       std::string(1, '\0')};
  std::string out;
  while (out.size() < size) {
    if (random.below(4) == 0)
      out += static_cast<char>(random.below(256));
    else
      out += words[random.below(words.size())];
  }
  return out;
}

void use(const tokenizers::hf::tokenizer& it, dice& random) {
  const std::string text = random_text(random, random.below(60));
  const auto ids = it.encode(text, true);
  const std::string back = it.decode(ids, false);
  EXPECT_EQ(tokenizers::valid_prefix(back), back.size());
  EXPECT_EQ(it.count(text, true), ids.size());
  std::vector<std::uint32_t> any(random.below(20));
  for (auto& id : any)
    id = static_cast<std::uint32_t>(random.below(600));
  const std::string text_of_any = it.decode(any, true);
  EXPECT_EQ(tokenizers::valid_prefix(text_of_any), text_of_any.size());
  const auto pair = it.encode_pair(text, text_of_any, true);
  EXPECT_EQ(pair.ids.size(), pair.type_ids.size());
  EXPECT_EQ(pair.ids.size(), pair.attention_mask.size());
  EXPECT_EQ(pair.ids.size(), pair.special_tokens_mask.size());
}

TEST(hostile, files_are_refused_with_a_message_or_work) {
  std::size_t refused = 0;
  std::size_t loaded = 0;
  for (const std::string& path : synthetic_files()) {
    const std::string good = hf_test::read_file(path);
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
      dice random(seed);
      std::string bad = mangled(good, random);
      if (random.below(3) == 0 && !bad.empty()) bad = mangled(std::move(bad), random);
      SCOPED_TRACE(path + ", seed " + std::to_string(seed));
      try {
        const tokenizers::hf::tokenizer it(std::move(bad));
        ++loaded;
        use(it, random);
      } catch (const ifb::failure& e) {
        ++refused;
        EXPECT_TRUE(e.message().starts_with("tokenizer.json:")) << e.message();
      }
    }
  }
  EXPECT_GT(refused, 500U);
  EXPECT_GT(loaded, 300U);
}

TEST(hostile, files_that_end_early_are_refused_wherever_they_end) {
  const std::string good = hf_test::read_file(hf_test::fixture("synthetic/added_token_flags.json"));
  const std::size_t whole = good.find_last_of('}');
  for (std::size_t size = 0; size <= whole; ++size)
    EXPECT_THROW(tokenizers::hf::tokenizer(good.substr(0, size)), ifb::failure) << size;
}

TEST(hostile, files_with_deep_nesting_are_refused) {
  const std::string deep(100000, '[');
  EXPECT_THROW(tokenizers::hf::tokenizer{deep}, ifb::failure);
  std::string steps = R"({"type":"Lowercase"})";
  for (int i = 0; i < 1000; ++i)
    steps = R"({"type":"Sequence","normalizers":[)" + steps + "]}";
  EXPECT_THROW(tokenizers::hf::tokenizer(R"({"normalizer":)" + steps + "}"), ifb::failure);
}

TEST(hostile, texts_and_ids_of_any_kind_are_encoded_and_decoded) {
  for (const std::string& path : synthetic_files()) {
    SCOPED_TRACE(path);
    const tokenizers::hf::tokenizer it(hf_test::read_file(path));
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
      dice random(seed);
      use(it, random);
    }
  }
}

// If one step took quadratic time, this test would take minutes in a plain build.
TEST(hostile, long_texts_take_time_by_their_length) {
  constexpr std::size_t size = inferbench::support::reduced(300'000U);
  std::vector<std::string> texts;
  for (const std::string unit : {"a", " ", "\n", "\u0301", "\u0323\u0301", "\u65E5", "<", "<s>",
                                 "\u2581", "\u1100\u1161", "\xFF", "<R> "}) {
    std::string& text = texts.emplace_back();
    while (text.size() < size)
      text += unit;
  }
  dice random(1);
  texts.push_back(random_text(random, size));
  std::vector<std::string> files;
  for (const std::string name :
       {"added_token_flags", "added_token_flags_metaspace", "bpe_bytelevel_list_merges",
        "bpe_byte_fallback", "roberta", "unigram_unk", "wordpiece_max10"})
    files.push_back(hf_test::read_file(hf_test::fixture("synthetic/" + name + ".json")));
  files.push_back(hf_test::unzip(hf_test::fixture("bert/tokenizer.json.gz")));
  files.push_back(hf_test::unzip(hf_test::fixture("t5/tokenizer.json.gz")));
  for (std::string& file : files) {
    const tokenizers::hf::tokenizer it(std::move(file));
    for (const std::string& text : texts) {
      const auto ids = it.encode(text, false);
      EXPECT_LE(ids.size(), 3 * text.size() + 3);
      const std::string back = it.decode(ids, false);
      EXPECT_EQ(tokenizers::valid_prefix(back), back.size());
    }
  }
}

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

/// The CPU time of `it` for a text in seconds: the minimum of three.
double cost(const tokenizers::hf::tokenizer& it, std::string_view text) {
  double least = 1e9;
  for (int i = 0; i < 3; ++i) {
    const double begin = cpu_seconds();
    static_cast<void>(it.encode(text, false));
    least = std::min(least, cpu_seconds() - begin);
  }
  return least;
}

// Compares two lengths instead of measuring speed: a text of 32 times the length takes about 32
// times as long in linear time, and 1,024 times as long in quadratic time. The limit is between
// them, so that other load on the machine does not matter.
TEST(hostile, costs_grow_with_the_length_of_a_text) {
  constexpr std::size_t size = inferbench::support::reduced(1U << 18U);
  constexpr std::size_t times = 32;
  constexpr double limit = times * 8;
  constexpr double least = 0.0001;  // shorter times are not significant
  dice random(7);
  std::string noise;
  while (noise.size() < size)
    noise += static_cast<char>(random.below(256));
  std::string ideographs;
  while (ideographs.size() < size)
    ideographs += "\u65E5";
  const std::vector<std::string> texts = {std::string(size, 'a'), std::string(size, ' '),
                                          ideographs, noise};
  std::map<std::string, std::string> files;
  for (const std::string name :
       {"bpe_bytelevel_list_merges", "bpe_byte_fallback", "unigram_unk", "wordpiece_max10"})
    files[name] = hf_test::read_file(hf_test::fixture("synthetic/" + name + ".json"));
  for (const std::string name : {"bert", "t5"})
    files[name] = hf_test::unzip(hf_test::fixture(name + "/tokenizer.json.gz"));
  for (auto& [name, file] : files) {
    const tokenizers::hf::tokenizer it(std::move(file));
    for (const std::string& text : texts) {
      SCOPED_TRACE(name + ", " + text.substr(0, 3));
      const double part = std::max(cost(it, std::string_view(text).substr(0, size / times)), least);
      EXPECT_LT(cost(it, text), limit * part);
    }
  }
}

}  // namespace
