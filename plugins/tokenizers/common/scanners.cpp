#include "scanners.hpp"

#include <algorithm>
#include <iterator>
#include <string>

namespace tokenizers {

namespace {

constexpr bool ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool newline(char c) { return c == '\r' || c == '\n'; }

/// A text and the kinds of its characters.
struct reader {
  const character_table& kinds;
  std::string_view text;

  [[nodiscard]] std::size_t size() const { return text.size(); }
  [[nodiscard]] character at(std::size_t p) const { return kinds.at(text, p); }
  [[nodiscard]] std::uint8_t kind_at(std::size_t p) const {
    return p < text.size() ? kinds.at(text, p).kind : std::uint8_t{0};
  }

  /// Returns the end of the run of characters that are in one of the `wanted` sets and in none of
  /// the `barred` sets.
  template <std::uint8_t wanted, std::uint8_t barred = 0>
  [[nodiscard]] std::size_t run(std::size_t p) const {
    while (p < text.size()) {
      const character c = at(p);
      if ((c.kind & wanted) == 0 || (c.kind & barred) != 0) break;
      p += c.size;
    }
    return p;
  }
  /// Returns the end of the run of characters that are in none of the `barred` sets.
  template <std::uint8_t barred>
  [[nodiscard]] std::size_t run_without(std::size_t p) const {
    while (p < text.size()) {
      const character c = at(p);
      if ((c.kind & barred) != 0) break;
      p += c.size;
    }
    return p;
  }
  template <std::uint8_t wanted>
  [[nodiscard]] std::size_t at_most(int count, std::size_t p) const {
    for (; count > 0 && p < text.size(); --count) {
      const character c = at(p);
      if ((c.kind & wanted) == 0) break;
      p += c.size;
    }
    return p;
  }
  [[nodiscard]] std::size_t newlines(std::size_t p, bool slashes) const {
    while (p < text.size() && (newline(text[p]) || (slashes && text[p] == '/')))
      ++p;
    return p;
  }

  /// Returns the end of 's 't 're 've 'm 'll 'd at p; p if there is no contraction.
  template <bool any_case>
  [[nodiscard]] std::size_t contraction(std::size_t p) const {
    if (p + 1 >= text.size() || text[p] != '\'') return p;
    const auto letter = [&](std::size_t n) {
      if (p + n >= text.size()) return '\0';
      const char c = text[p + n];
      return any_case && c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    };
    switch (letter(1)) {
      case 's':
      case 't':
      case 'm':
      case 'd': return p + 2;
      case 'r':
      case 'v': return letter(2) == 'e' ? p + 3 : p;
      case 'l': return letter(2) == 'l' ? p + 3 : p;
      // U+017F is equal to s if case is ignored.
      case '\xC5': return any_case && letter(2) == '\xBF' ? p + 3 : p;
      default: return p;
    }
  }

  enum class newlines_end { nothing, a_piece, a_piece_but_at_the_end };
  /// Returns the end of white space at p, for "\s*[\r\n]+|\s+(?!\S)|\s+" and similar patterns.
  template <newlines_end rule>
  [[nodiscard]] std::size_t white(std::size_t p) const {
    std::size_t end = p;
    std::size_t last = p;  // where the last character begins
    std::size_t after_newline = p;
    while (end < text.size()) {
      const character c = at(end);
      if ((c.kind & is::space) == 0) break;
      last = end;
      end += c.size;
      if (newline(text[last])) after_newline = end;
    }
    if (rule == newlines_end::a_piece_but_at_the_end && end == text.size()) return end;
    if (rule != newlines_end::nothing && after_newline > p) return after_newline;
    return end == text.size() || last == p ? end : last;
  }
};
using newlines_end = reader::newlines_end;

constexpr std::uint8_t word = is::letter | is::number;

/// The pattern of GPT-2.
scan_result gpt2(const character_table& kinds, std::string_view text, std::size_t from) {
  const reader in{kinds, text};
  if (from >= in.size()) return {};
  if (const auto end = in.contraction<false>(from); end > from) return {from, end};
  std::size_t p = from;
  character c = in.at(p);
  if (text[p] == ' ' && p + 1 < in.size()) c = in.at(++p);
  if ((c.kind & is::letter) != 0) return {from, in.run<is::letter>(p + c.size)};
  if ((c.kind & is::number) != 0) return {from, in.run<is::number>(p + c.size)};
  if ((c.kind & is::space) == 0) return {from, in.run_without < word | is::space > (p + c.size)};
  return {from, in.white<newlines_end::nothing>(from)};
}

/// The alternatives after the words. All patterns after GPT-2's pattern share them.
template <std::uint8_t letters, int digits, bool slashes, newlines_end rule>
std::size_t not_a_word(const reader& in, std::size_t p, const character c) {
  if ((c.kind & is::number) != 0) return in.at_most<is::number>(digits, p);
  constexpr std::uint8_t no_symbol = letters | is::number | is::space;
  std::size_t symbols = p;
  if (in.text[p] == ' ' && p + 1 < in.size()) ++symbols;
  if ((in.kind_at(symbols) & no_symbol) == 0)
    return in.newlines(in.run_without<no_symbol>(symbols), slashes);
  return in.white<rule>(p);
}

/// cl100k and similar patterns: before the letters there may be one character that is neither a
/// letter nor a digit.
template <std::uint8_t letters, int digits, newlines_end rule>
scan_result cl100k(const character_table& kinds, std::string_view text, std::size_t from) {
  const reader in{kinds, text};
  if (from >= in.size()) return {};
  if (const auto end = in.contraction<true>(from); end > from) return {from, end};
  const character c = in.at(from);
  const std::size_t next = from + c.size;
  if ((c.kind & letters) != 0) return {from, in.run<letters>(next)};
  if ((c.kind & is::number) == 0 && !newline(text[from]))
    if ((in.kind_at(next) & letters) != 0) return {from, in.run<letters>(next)};
  return {from, not_a_word<letters, digits, false, rule>(in, from, c)};
}

/// Matches "U*W+" (first) or "U+W*" (second) at p. U is the set of upper-case letters and W is the
/// set of lower-case letters; letters without case and marks belong to both. Returns p if there is
/// no match.
template <std::uint8_t barred>
struct by_case {
  static constexpr std::uint8_t shared = is::caseless | is::mark;

  static std::size_t first(const reader& in, std::size_t p) {
    std::size_t end = p;
    std::size_t given_back = scan_result::nowhere;  // the last character that U* can leave to W+
    while (end < in.size()) {
      const character c = in.at(end);
      if ((c.kind & (is::upper | shared)) == 0 || (c.kind & barred) != 0) break;
      if ((c.kind & shared) != 0) given_back = end;
      end += c.size;
    }
    constexpr std::uint8_t low = is::lower | shared;
    const std::size_t after = in.run<low, barred>(end);
    if (after > end) return after;
    return given_back == scan_result::nowhere ? p : in.run<low, barred>(given_back);
  }
  static std::size_t second(const reader& in, std::size_t p) {
    const std::size_t end = in.run < is::upper | shared, barred > (p);
    return end == p ? p : in.run < is::lower | shared, barred > (end);
  }
};

/// o200k and similar patterns: words end before a capital letter.
template <int digits, bool contractions, bool slashes, std::uint8_t barred>
scan_result o200k(const character_table& kinds, std::string_view text, std::size_t from) {
  const reader in{kinds, text};
  if (from >= in.size()) return {};
  const character c = in.at(from);
  if (barred != 0 && (c.kind & barred) != 0) return {from, in.run<barred>(from)};
  const bool prefix = (c.kind & word) == 0 && !newline(text[from]);
  const std::size_t next = prefix ? from + c.size : from;
  // If the first character is a prefix, it can begin a word itself only if it is a mark.
  const bool also_here = !prefix || (c.kind & is::mark) != 0;
  using halves = by_case<barred>;
  // A prefix without a following word is not a match.
  const auto behind_prefix = [&](std::size_t end) { return end == next ? from : end; };
  std::size_t end = from;
  if (prefix) end = behind_prefix(halves::first(in, next));
  if (end == from && also_here) end = halves::first(in, from);
  if (end == from && prefix) end = behind_prefix(halves::second(in, next));
  if (end == from && also_here) end = halves::second(in, from);
  if (end > from) return {from, contractions ? in.contraction<true>(end) : end};
  return {from, not_a_word<is::letter, digits, slashes, newlines_end::a_piece>(in, from, c)};
}

/// The third of DeepSeek's patterns. It does not match every character, so there are gaps between
/// matches.
std::size_t deepseek_at(const reader& in, std::size_t p) {
  constexpr std::uint8_t letters = is::letter | is::mark;
  const character c = in.at(p);
  const std::size_t next = p + c.size;
  const bool symbol = (c.kind & is::symbol) != 0;
  if (symbol && c.code < 0x80 && next < in.size() && ascii_letter(in.text[next])) {
    std::size_t end = next;
    while (end < in.size() && ascii_letter(in.text[end]))
      ++end;
    return end;
  }
  if ((c.kind & letters) != 0) return in.run<letters>(p);
  if (!symbol && !newline(in.text[p]) && (in.kind_at(next) & letters) != 0)
    return in.run<letters>(next);
  const std::size_t symbols = in.text[p] == ' ' ? next : p;
  if ((in.kind_at(symbols) & is::symbol) != 0)
    return in.newlines(in.run<is::symbol>(symbols), false);
  return (c.kind & is::space) != 0 ? in.white<newlines_end::a_piece>(p) : p;
}

scan_result deepseek(const character_table& kinds, std::string_view text, std::size_t from) {
  const reader in{kinds, text};
  for (std::size_t p = from; p < in.size(); p += in.at(p).size)
    if (const auto end = deepseek_at(in, p); end > p) return {p, end};
  return {};
}

/// The pattern "[一-龥぀-ゟ゠-ヿ]+".
scan_result ideographs_and_kana(const character_table& kinds, std::string_view text,
                                std::size_t from) {
  const auto wanted = [](char32_t c) {
    return (c >= 0x4E00 && c <= 0x9FA5) || (c >= 0x3040 && c <= 0x30FF);
  };
  std::size_t begin = from;
  while (begin < text.size()) {
    const character c = kinds.at(text, begin);
    if (wanted(c.code)) break;
    begin += c.size;
  }
  if (begin >= text.size()) return {};
  std::size_t end = begin;
  while (end < text.size()) {
    const character c = kinds.at(text, end);
    if (!wanted(c.code)) break;
    end += c.size;
  }
  return {begin, end};
}

template <int most>
scan_result numbers(const character_table& kinds, std::string_view text, std::size_t from) {
  const reader in{kinds, text};
  const std::size_t begin = in.run_without<is::number>(from);
  if (begin >= in.size()) return {};
  return {begin, in.at_most<is::number>(most, begin)};
}

struct known_pattern {
  std::string_view pattern;
  scanner scan;
  // In Ruby's syntax, "{1,3}+" is repeated; in Rust's syntax it matches once.
  bool rust_only = false;
};

#define CONTRACTION "(?i:'s|'t|'re|'ve|'m|'ll|'d)"
#define BEFORE "[^\\r\\n\\p{L}\\p{N}]?"
#define WHITE "|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+"
#define U "[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}]"
#define W "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}]"
#define U_NO_HAN "[\\p{Lu}\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}&&[^\\p{Han}]]"
#define W_NO_HAN "[\\p{Ll}\\p{Lm}\\p{Lo}\\p{M}&&[^\\p{Han}]]"

constexpr known_pattern all[] = {
    // GPT-2, in the form of every byte-level tokenizer.json, and in the form of tiktoken's r50k.
    {"'s|'t|'re|'ve|'m|'ll|'d| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+", gpt2},
    {"'(?:[sdmt]|ll|ve|re)| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+", gpt2},
    {"'(?:[sdmt]|ll|ve|re)| ?\\p{L}++| ?\\p{N}++| ?[^\\s\\p{L}\\p{N}]++|\\s++$|\\s+(?!\\S)|\\s",
     gpt2},
    // cl100k and Llama 3. tiktoken uses the second form since version 0.7.
    {CONTRACTION "|" BEFORE "\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*" WHITE,
     cl100k<is::letter, 3, newlines_end::a_piece>},
    {"'(?i:[sdmt]|ll|ve|re)|[^\\r\\n\\p{L}\\p{N}]?+\\p{L}++|\\p{N}{1,3}+| "
     "?[^\\s\\p{L}\\p{N}]++[\\r\\n]*+|\\s++$|\\s*[\\r\\n]|\\s+(?!\\S)|\\s",
     cl100k<is::letter, 3, newlines_end::a_piece_but_at_the_end>, true},
    // Qwen 2 and 3, and patterns that count marks among letters.
    {CONTRACTION "|" BEFORE "\\p{L}+|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*" WHITE,
     cl100k<is::letter, 1, newlines_end::a_piece>},
    {CONTRACTION "|" BEFORE "[\\p{L}\\p{M}]+|\\p{N}| ?[^\\s\\p{L}\\p{M}\\p{N}]+[\\r\\n]*" WHITE,
     cl100k<is::letter | is::mark, 1, newlines_end::a_piece>},
    // o200k (GPT-4o, gpt-oss, Llama 4) and Mistral's Tekken.
    {BEFORE U "*" W "+" CONTRACTION "?|" BEFORE U "+" W "*" CONTRACTION
              "?|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*" WHITE,
     o200k<3, true, true, 0>},
    {BEFORE U "*" W "+|" BEFORE U "+" W "*|\\p{N}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n/]*" WHITE,
     o200k<1, false, true, 0>},
    // Kimi K2.
    {"[\\p{Han}]+|" BEFORE U_NO_HAN "*" W_NO_HAN "+" CONTRACTION "?|" BEFORE U_NO_HAN "+" W_NO_HAN
     "*" CONTRACTION "?|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*" WHITE,
     o200k<3, true, false, is::han>},
    // The three patterns of DeepSeek V3, which are applied one after the other.
    {"\\p{N}{1,3}", numbers<3>},
    {"[一-龥぀-ゟ゠-ヿ]+", ideographs_and_kana},
    {"[!\"#$%&'()*+,\\-./:;<=>?@\\[\\\\\\]^_`{|}~][A-Za-z]+|[^\\r\\n\\p{L}\\p{P}\\p{S}]?[\\p{L}\\p{"
     "M}]+| ?[\\p{P}\\p{S}]+[\\r\\n]*" WHITE,
     deepseek},
    {"\\p{N}", numbers<1>},
};

#undef CONTRACTION
#undef BEFORE
#undef WHITE
#undef U
#undef W
#undef U_NO_HAN
#undef W_NO_HAN

}  // namespace

scanner scanner_for(std::string_view pattern, dialect written) {
  // Some files contain line breaks as characters and not as escapes.
  std::string spelled;
  for (const char c : pattern) {
    if (c == '\r')
      spelled += "\\r";
    else if (c == '\n')
      spelled += "\\n";
    else
      spelled += c;
  }
  const auto* it = std::ranges::find(all, std::string_view(spelled), &known_pattern::pattern);
  if (it == std::end(all) || (it->rust_only && written != dialect::rust)) return nullptr;
  return it->scan;
}

std::vector<std::string_view> scanned_patterns() {
  std::vector<std::string_view> out;
  for (const known_pattern& one : all)
    out.push_back(one.pattern);
  return out;
}

}  // namespace tokenizers
