#include "tokenizers/common/regex.hpp"

#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/guard.hpp>

#include "support/sanitizer.hpp"
#include "tokenizers/common/characters.hpp"
#include "tokenizers/common/scanners.hpp"

using testing::ElementsAre;
using testing::HasSubstr;
using tokenizers::dialect;
using tokenizers::regex;

namespace {

std::vector<std::string> matches(const regex& pattern, std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at <= text.size();) {
    const auto found = pattern.find(text, at);
    if (!found) break;
    out.emplace_back(text.substr(found->begin, found->end - found->begin));
    at = found->end > found->begin ? found->end : found->end + 1;
  }
  return out;
}

std::string utf8(char32_t c) {
  utf8proc_uint8_t bytes[4];
  const auto size = utf8proc_encode_char(static_cast<utf8proc_int32_t>(c), bytes);
  return {reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size)};
}

/// The code points that are assigned both in this PCRE2 and in our table, or in neither. The two
/// may have different versions of Unicode.
std::vector<std::string> characters_both_know() {
  const regex unassigned(R"(\p{Cn})");
  std::vector<std::string> out;
  for (char32_t c = 0; c < 0x110000; ++c) {
    if ((c >= 0xD800 && c < 0xE000) || (c >= 0x32000 && c < 0xE0000 && c % 97 != 0)) continue;
    std::string text = utf8(c);
    const bool here = tokenizers::category_of(c) == UTF8PROC_CATEGORY_CN;
    if (here == unassigned.find(text, 0).has_value()) out.push_back(std::move(text));
  }
  return out;
}

}  // namespace

TEST(regex, scanners_cut_every_text_as_pcre2_does) {
  const auto every = characters_both_know();
  const std::vector<std::string> usual = {
      " ",      " ",    "\n",     "\r",     "\t",     "\u00A0", "\u3000", "\u0085", "a",     "b",
      "Z",      "A",    "s",      "S",      "\u017F", "'",      "'",      "'ll",    "'S",    "'rE",
      "1",      "23",   "\u0664", "\u00BD", "!",      "/",      "_",      "$",      "é",     "中",
      "文",     "の",   "カ",     "ー",     "\u0301", "\u20DD", "\u01C5", "ª",      "ʰ",     "🙂",
      "\u200D", "\x7f", "\u2E80", "\u3007", "\u3005", "Ж",      "ж",      "א",      "\u180E"};
  std::mt19937 random(42);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (const auto pattern : tokenizers::scanned_patterns()) {
    for (const dialect written : {dialect::oniguruma, dialect::rust}) {
      if (tokenizers::scanner_for(pattern, written) == nullptr) continue;
      const regex ours(pattern, written);
      const regex reference(pattern, written, false);
      for (int round = 0; round < inferbench::support::reduced(10'000); ++round) {
        std::string text;
        for (std::size_t n = below(14) + 1; n > 0; --n)
          text += below(8) == 0 ? every[below(every.size())] : usual[below(usual.size())];
        ASSERT_EQ(matches(ours, text), matches(reference, text)) << pattern << "\n" << text;
      }
    }
  }
}

TEST(regex, a_scanner_knows_every_character_as_pcre2_does) {
  const auto every = characters_both_know();
  const std::size_t step = inferbench::support::sanitized ? 70 : 7;
  for (const auto pattern : tokenizers::scanned_patterns()) {
    const regex ours(pattern, dialect::rust);
    const regex reference(pattern, dialect::rust, false);
    for (std::size_t i = 0; i < every.size(); i += step) {
      const std::string text = "a" + every[i] + every[i] + "B " + every[i] + "1";
      ASSERT_EQ(matches(ours, text), matches(reference, text)) << pattern << "\n" << text;
    }
  }
}

TEST(regex, a_scanner_stays_within_a_text_of_invalid_utf8) {
  for (const auto pattern : tokenizers::scanned_patterns()) {
    const regex ours(pattern, dialect::rust);
    for (const std::string_view tail :
         {"\xC3", "\xE4\xB8", "\xF0\x9F\x99", "\x80", "\xFF", "'\xC5"}) {
      const std::string text = "ab " + std::string(tail);
      const std::vector<char> exact(text.begin(), text.end());  // exact size, for ASan
      std::size_t at = 0;
      while (const auto found = ours.find({exact.data(), exact.size()}, at)) {
        ASSERT_GT(found->end, at);
        ASSERT_LE(found->end, exact.size());
        at = found->end;
      }
    }
  }
}

TEST(regex, character_classes_follow_unicode_16) {
  EXPECT_EQ(tokenizers::category_of(0x1C89), UTF8PROC_CATEGORY_LU);
  EXPECT_EQ(tokenizers::category_of(0x2EBF0), UTF8PROC_CATEGORY_LO);
  EXPECT_EQ(tokenizers::category_of(0x1171E), UTF8PROC_CATEGORY_MC);
  EXPECT_EQ(tokenizers::category_of(0x110000), UTF8PROC_CATEGORY_CN);
  const auto& kinds = tokenizers::character_table::get();
  EXPECT_EQ(kinds.kind_of(0x16D40), tokenizers::is::caseless);
  EXPECT_EQ(kinds.kind_of(0x180E), 0);
  EXPECT_EQ(kinds.kind_of(0x85), tokenizers::is::space);
  EXPECT_EQ(kinds.kind_of(0xFFFFFFFF), 0);
}

TEST(regex, has_the_meaning_of_oniguruma) {
  EXPECT_THAT(matches(regex(R"(\h+)"), "xyz c0FFee g"), ElementsAre("c0FFee"));
  EXPECT_THAT(matches(regex(R"(\H)"), "a!"), ElementsAre("!"));
  EXPECT_THAT(matches(regex(R"(\s)"), "\u180E\u3000\u0085"), ElementsAre("\u3000", "\u0085"));
  EXPECT_THAT(matches(regex(R"([^\S ])"), "\u180E \t"), ElementsAre("\t"));
  EXPECT_THAT(matches(regex(R"(\w+)"), "e\u0301\u20DD-x²_1"), ElementsAre("e\u0301\u20DD", "x²_1"));
  EXPECT_THAT(matches(regex(R"([\w]+)"), "x²y"), ElementsAre("x", "y"));
  EXPECT_THAT(matches(regex(R"([^\W_]+)"), "a_b c"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(matches(regex(R"([\W_]+)"), "a_b, c"), ElementsAre("_", ", "));
  EXPECT_THAT(matches(regex(R"(\p{Letter}+)"), "ab1中"), ElementsAre("ab", "中"));
  EXPECT_THAT(matches(regex(R"(\p{^L}+)"), "ab1中"), ElementsAre("1"));
  EXPECT_THAT(matches(regex(R"(\P{uppercase_letter})"), "Ab"), ElementsAre("b"));
  EXPECT_THAT(matches(regex(R"(\p{Han}+)"), "中々、ー"), ElementsAre("中々"));
  EXPECT_THAT(matches(regex(R"([\p{L}&&[^\p{Han}]]+)"), "ab中c"), ElementsAre("ab", "c"));
  EXPECT_THAT(matches(regex(R"([^\p{L}&&[^\p{Han}]]+)"), "ab中c1"), ElementsAre("中", "1"));
  EXPECT_THAT(matches(regex(R"([a[0-9]]+)"), "ba12c"), ElementsAre("a12"));
  EXPECT_THAT(matches(regex(R"([[:punct:]]+)"), "a$.b"), ElementsAre("$."));
  EXPECT_THAT(matches(regex(R"(\p{Punct}+)"), "a$.b"), ElementsAre("."));
  EXPECT_THAT(matches(regex(R"([[:^alpha:]]+)"), "a$.b"), ElementsAre("$."));
  EXPECT_THAT(matches(regex(R"([]a]+)"), "b]a"), ElementsAre("]a"));
  EXPECT_THAT(matches(regex("[\\[\\]]+"), "b][a"), ElementsAre("]["));
  EXPECT_THAT(matches(regex(R"(\v)"), "a\n\x0b"), ElementsAre("\x0b"));
  EXPECT_THAT(matches(regex(R"(\u4e2d)"), "中"), ElementsAre("中"));
  EXPECT_THAT(matches(regex(R"(\x{4E2D})"), "中"), ElementsAre("中"));
  EXPECT_THAT(matches(regex(R"(^a$)"), "a\na\n"), ElementsAre("a", "a"));
  EXPECT_THAT(matches(regex(R"(\Aa)"), "a\na"), ElementsAre("a"));
  EXPECT_THAT(matches(regex(R"(a\z)"), "a\na"), ElementsAre("a"));
  EXPECT_THAT(matches(regex(R"((?m:a.))"), "a\n"), ElementsAre("a\n"));
  EXPECT_THAT(matches(regex(R"(a.)"), "a\na\r"), ElementsAre("a\r"));
  EXPECT_THAT(matches(regex(R"(a{,2})"), "aaa"), ElementsAre("aa", "a", ""));
  EXPECT_THAT(matches(regex(R"(a{1,2}+b)"), "aaab"), ElementsAre("aaab"));
  EXPECT_THAT(matches(regex(R"((?:ab){2}+)"), "abababababx"), ElementsAre("abababab"));
  EXPECT_THAT(matches(regex(R"(a++b)"), "aab"), ElementsAre("aab"));
  EXPECT_THAT(matches(regex(R"((?i:'S|'t))"), "'s'T"), ElementsAre("'s", "'T"));
  EXPECT_THAT(matches(regex(R"((?<=a)b)"), "ab"), ElementsAre("b"));
  EXPECT_THAT(matches(regex(R"((?<x>a)\k<x>)"), "aa"), ElementsAre("aa"));
  EXPECT_THAT(matches(regex(R"(\bab\b)"), "ab é-ab"), ElementsAre("ab", "ab"));
  EXPECT_THAT(matches(regex("a{b"), "a{b"), ElementsAre("a{b"));
}

TEST(regex, has_the_meaning_of_rust_on_request) {
  EXPECT_THAT(matches(regex(R"(a{1,2}+)", dialect::rust), "aaa"), ElementsAre("aa", "a"));
  EXPECT_THAT(matches(regex(R"(a$)", dialect::rust), "a\na"), ElementsAre("a"));
  EXPECT_THAT(matches(regex(R"((?m:^a$))", dialect::rust), "a\na"), ElementsAre("a", "a"));
  EXPECT_THAT(matches(regex(R"((?s:a.))", dialect::rust), "a\n"), ElementsAre("a\n"));
  EXPECT_THAT(matches(regex(R"(\w+)", dialect::rust), "a\u200Db²"), ElementsAre("a\u200Db"));
  EXPECT_THAT(matches(regex(R"([[:punct:]]+)", dialect::rust), "a$。"), ElementsAre("$"));
  EXPECT_THAT(matches(regex(R"([a-z--[bc]]+)", dialect::rust), "abcd"), ElementsAre("a", "d"));
  EXPECT_THAT(matches(regex(R"(\p{sc=Greek})", dialect::rust), "aα"), ElementsAre("α"));
}

TEST(regex, an_unusable_pattern_is_refused_with_the_reason) {
  for (const std::string_view pattern :
       {"(", "[a", "a\\", "[]", "\\p{Nonsense}", "\\p{L", "[a&&]", "*", "\\x{110000}", "\\xZ",
        "(?<a", "\\yx", "[b-a]", "\\p{sc:}\\p", "(?#"}) {
    try {
      const regex bad(pattern);
      ADD_FAILURE() << "taken: " << pattern;
    } catch (const ifb::failure& e) {
      EXPECT_EQ(e.code(), IFB_E_CONFIG);
      EXPECT_THAT(e.message(), HasSubstr("the regular expression \"" + std::string(pattern)));
    }
  }
  const std::string deep(10'000, '[');
  EXPECT_THROW(const regex bad(deep), ifb::failure);
}

TEST(regex, a_pattern_that_backtracks_without_end_is_an_error_and_a_long_match_is_none) {
  const regex endless("(a|aa)+$", dialect::rust);
  EXPECT_THROW(static_cast<void>(endless.find(std::string(100, 'a') + "!", 0)), ifb::failure);
  // The match needs more than the stack of the JIT.
  const regex pairs("(?:ab|cd)+");
  std::string text;
  for (int i = 0; i < 1'000'000; ++i)
    text += "ab";
  const auto found = pairs.find(text, 0);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->end, text.size());
}

TEST(regex, threads_share_one) {
  const regex shared(R"(\p{Lu}\p{Ll}*)");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 1'000; ++i)
        EXPECT_EQ(matches(shared, "OneTwoThree").size(), 3U);
    });
  for (auto& thread : threads)
    thread.join();
}
