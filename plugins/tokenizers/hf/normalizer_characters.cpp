#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "characters.hpp"
#include "normalizer_steps.hpp"
#include "tokenizers/common/utf8.hpp"

namespace tokenizers::hf {

namespace {

/// Rewrites a text character by character. If `unchanged(c)` returns true, the character c stays.
/// Otherwise `put(to, c)` appends its replacement. If all characters stay, nothing is copied.
template <typename unchanged_t, typename put_t>
void map_characters(draft& text, unchanged_t&& unchanged, put_t&& put) {
  const std::string_view before = text.text();
  std::size_t at = 0;
  std::size_t size = 0;
  char32_t code = 0;
  const auto skip = [&] {
    while (at < before.size()) {
      const utf8_character c = character_at(before, at);
      code = c.code;
      size = c.size;
      if (!unchanged(c.code)) return;
      at += c.size;
    }
  };
  skip();
  if (at == before.size()) return;
  std::string& after = text.next();
  after.reserve(before.size() + 16);
  std::size_t done = 0;
  std::size_t lead = std::min(at, text.lead());
  while (at < before.size()) {
    after += before.substr(done, at - done);
    put(after, code);
    at += size;
    done = at;
    // The bytes up to here come from the lead. In a stretch of unchanged characters, the lead ends
    // at the same byte as before.
    if (at <= text.lead()) lead = after.size();
    skip();
    if (done < text.lead()) lead = after.size() + std::min(at, text.lead()) - done;
  }
  after += before.substr(done);
  text.take_next(lead);
}

class lowercase final : public normalizer {
 public:
  void apply(draft& text) const override {
    map_characters(
        text, [](char32_t c) { return c != 0x130 && lower_case(c) == c; },
        [](std::string& to, char32_t c) {
          if (c == 0x130)
            to += "i\xCC\x87";  // the dot above becomes a separate character
          else
            append(to, lower_case(c));
        });
  }
};

class strip_accents final : public normalizer {
 public:
  void apply(draft& text) const override {
    map_characters(text, [](char32_t c) { return !is_mark(c); }, [](std::string&, char32_t) {});
  }
};

class nmt final : public normalizer {
 public:
  void apply(draft& text) const override {
    map_characters(
        text, [](char32_t c) { return !becomes_space(c) && !vanishes(c); },
        [](std::string& to, char32_t c) {
          if (becomes_space(c)) to += ' ';
        });
  }

 private:
  static bool vanishes(char32_t c) {
    return (c >= 1 && c <= 8) || c == 0xB || (c >= 0xE && c <= 0x1F) || c == 0x7F || c == 0x8F ||
           c == 0x9F;
  }
  static bool becomes_space(char32_t c) {
    if (c < 0x80) return c == '\t' || c == '\n' || c == '\f' || c == '\r';
    return c == 0x1680 || (c >= 0x200B && c <= 0x200F) || c == 0x2028 || c == 0x2029 ||
           c == 0x2581 || c == 0xFEFF || c == 0xFFFD;
  }
};

/// The ranges of BERT, with the gap before U+2B920 that the reference also has.
bool is_chinese(char32_t c) {
  if (c < 0x3400) return false;
  return c <= 0x4DBF || (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x20000 && c <= 0x2A6DF) ||
         (c >= 0x2A700 && c <= 0x2B73F) || (c >= 0x2B740 && c <= 0x2B81F) ||
         (c >= 0x2B920 && c <= 0x2CEAF) || (c >= 0xF900 && c <= 0xFAFF) ||
         (c >= 0x2F800 && c <= 0x2FA1F);
}

class clean_text final : public normalizer {
 public:
  void apply(draft& text) const override {
    map_characters(
        text,
        [](char32_t c) {
          if (c < 0x80) return c >= ' ' && c != 0x7F;
          return c != 0xFFFD && !is_control(c) && !is_white_space(c);
        },
        [](std::string& to, char32_t c) {
          const bool space = c == '\t' || c == '\n' || c == '\r';
          if (space || (!is_control(c) && is_white_space(c))) to += ' ';
        });
  }
};

class space_out_chinese final : public normalizer {
 public:
  void apply(draft& text) const override {
    map_characters(
        text, [](char32_t c) { return !is_chinese(c); },
        [](std::string& to, char32_t c) {
          to += ' ';
          append(to, c);
          to += ' ';
        });
  }
};

class strip_nonspacing final : public normalizer {
 public:
  void apply(draft& text) const override {
    map_characters(
        text, [](char32_t c) { return !is_nonspacing_mark(c); }, [](std::string&, char32_t) {});
  }
};

}  // namespace

normalizer_ptr make_lowercase() { return std::make_unique<lowercase>(); }
normalizer_ptr make_strip_accents() { return std::make_unique<strip_accents>(); }
normalizer_ptr make_nmt() { return std::make_unique<nmt>(); }

normalizer_ptr read_bert_normalizer(const node& from) {
  const bool lower = from.at("lowercase").boolean();
  std::vector<normalizer_ptr> steps;
  if (from.at("clean_text").boolean()) steps.push_back(std::make_unique<clean_text>());
  if (from.at("handle_chinese_chars").boolean())
    steps.push_back(std::make_unique<space_out_chinese>());
  if (from.boolean("strip_accents", lower)) {
    steps.push_back(make_normal_form(normal_form::nfd));
    steps.push_back(std::make_unique<strip_nonspacing>());
  }
  if (lower) steps.push_back(make_lowercase());
  return make_sequence(std::move(steps));
}

}  // namespace tokenizers::hf
