#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "characters.hpp"
#include "cutter.hpp"
#include "pre_tokenizer_steps.hpp"
#include "read_behavior.hpp"
#include "scripts.hpp"
#include "tokenizers/common/utf8.hpp"

namespace tokenizers::hf {

namespace {

/// Splits at the characters for which `is_kind` is true. Each of these characters is a separate
/// match; the behavior decides what happens to matches.
template <bool (*is_kind)(char32_t) noexcept>
class by_character final : public pre_tokenizer {
 public:
  explicit by_character(behavior how) : how_(how) {}

  [[nodiscard]] bool only_cuts() const override { return true; }
  void cut(const piece& whole, piece_sink& to) const override {
    cutter out(how_, whole, to);
    std::size_t begin = 0;
    std::size_t at = 0;
    while (at < whole.text.size()) {
      const utf8_character c = character_at(whole.text, at);
      if (is_kind(c.code)) {
        if (begin < at) out.add(begin, at, false);
        out.add(at, at + c.size, true);
        begin = at + c.size;
      }
      at += c.size;
    }
    if (begin < at) out.add(begin, at, false);
    out.finish();
  }

 private:
  behavior how_;
};

/// Cuts into runs of characters for which `kind` returns the same number; runs of the kind
/// `dropped` are left out.
template <typename kind_of>
void cut_runs(const piece& whole, piece_sink& to, int dropped, kind_of&& kind) {
  std::size_t at = 0;
  std::size_t begin = 0;
  int last = dropped;
  while (at < whole.text.size()) {
    const utf8_character c = character_at(whole.text, at);
    const int is = kind(c.code);
    if (is != last) {
      if (last != dropped) to.take(whole.part(begin, at));
      begin = at;
      last = is;
    }
    at += c.size;
  }
  if (last != dropped) to.take(whole.part(begin, at));
}

/// The pieces are the matches of \w+|[^\w\s]+.
class whitespace final : public pre_tokenizer {
 public:
  void cut(const piece& whole, piece_sink& to) const override {
    cut_runs(whole, to, 0, [](char32_t c) { return is_word(c) ? 1 : is_white_space(c) ? 0 : 2; });
  }
};

class whitespace_split final : public pre_tokenizer {
 public:
  void cut(const piece& whole, piece_sink& to) const override {
    cut_runs(whole, to, 0, [](char32_t c) { return is_white_space(c) ? 0 : 1; });
  }
};

/// Cuts into words between white space, and into single punctuation characters.
class bert final : public pre_tokenizer {
 public:
  void cut(const piece& whole, piece_sink& to) const override {
    std::size_t begin = 0;
    std::size_t at = 0;
    while (at < whole.text.size()) {
      const utf8_character c = character_at(whole.text, at);
      const bool alone = is_punctuation(c.code);
      if (alone || is_white_space(c.code)) {
        if (begin < at) to.take(whole.part(begin, at));
        if (alone) to.take(whole.part(at, at + c.size));
        begin = at + c.size;
      }
      at += c.size;
    }
    if (begin < at) to.take(whole.part(begin, at));
  }
};

/// Cuts into runs of one script. Characters without a script belong to the characters before them.
/// Text before the first character with a script is lost, like in Hugging Face's tokenizers.
class unicode_scripts final : public pre_tokenizer {
 public:
  void cut(const piece& whole, piece_sink& to) const override {
    std::optional<std::size_t> begin;
    script last = script::any;
    std::size_t at = 0;
    while (at < whole.text.size()) {
      const utf8_character c = character_at(whole.text, at);
      const script is = script_of(c.code);
      if (is != script::any && is != last) {
        if (begin) to.take(whole.part(*begin, at));
        begin = at;
        last = is;
      }
      at += c.size;
    }
    if (begin) to.take(whole.part(*begin, at));
  }
};

}  // namespace

step_ptr read_digits(const node& from) {
  return std::make_unique<by_character<is_numeric>>(
      from.at("individual_digits").boolean() ? behavior::isolated : behavior::contiguous);
}

step_ptr read_punctuation(const node& from) {
  const auto how = from.find("behavior");
  return std::make_unique<by_character<is_punctuation>>(how ? read_behavior(*how)
                                                            : behavior::isolated);
}

step_ptr make_whitespace() { return std::make_unique<whitespace>(); }
step_ptr make_whitespace_split() { return std::make_unique<whitespace_split>(); }
step_ptr make_bert() { return std::make_unique<bert>(); }
step_ptr make_unicode_scripts() { return std::make_unique<unicode_scripts>(); }

}  // namespace tokenizers::hf
