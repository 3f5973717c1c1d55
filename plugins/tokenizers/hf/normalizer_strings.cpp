#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "byte_alphabet.hpp"
#include "characters.hpp"
#include "normalizer_steps.hpp"
#include "pattern.hpp"
#include "tokenizers/common/utf8.hpp"

namespace tokenizers::hf {

namespace {

class strip_normalizer final : public normalizer {
 public:
  strip_normalizer(bool left, bool right) : left_(left), right_(right) {}

  void apply(draft& text) const override {
    const std::string_view all = text.text();
    std::size_t begin = 0;
    std::size_t end = all.size();
    while (left_ && begin < end) {
      const utf8_character c = character_at(all, begin);
      if (!is_white_space(c.code)) break;
      begin += c.size;
    }
    while (right_ && end > begin) {
      const utf8_character c = character_before(all, end);
      if (!is_white_space(c.code)) break;
      end -= c.size;
    }
    text.narrow(begin, end);
  }

 private:
  bool left_;
  bool right_;
};

class prepend final : public normalizer {
 public:
  explicit prepend(std::string_view what) : what_(what) {}

  void apply(draft& text) const override {
    if (text.text().empty()) return;
    std::string& after = text.next();
    after.reserve(what_.size() + text.text().size());
    after += what_;
    after += text.text();
    // The prepended text counts as part of the first character.
    text.take_next(text.lead() == 0 ? 0 : text.lead() + what_.size());
  }

 private:
  std::string what_;
};

class replace_normalizer final : public normalizer {
 public:
  replace_normalizer(pattern what, std::string_view with) : what_(std::move(what)), with_(with) {}

  void apply(draft& text) const override {
    if (what_.literal() && what_.literal()->size() == 1)
      replace_byte(text, what_.literal()->front());
    else
      replace_matches(text);
  }

 private:
  void replace_matches(draft& text) const {
    const std::string_view before = text.text();
    std::string* after = nullptr;
    std::size_t done = 0;
    std::size_t lead = 0;
    const auto keep = [&](std::size_t end) {
      *after += before.substr(done, end - done);
      if (done < text.lead()) lead = after->size() - (end - std::min(end, text.lead()));
    };
    what_.for_each(before, [&](std::size_t begin, std::size_t end) {
      if (after == nullptr) {
        after = &text.next();
        after->reserve(before.size() + before.size() / 8);
      }
      keep(begin);
      *after += with_;
      // The replacement belongs to the lead if the replaced text ended inside the lead.
      if (end <= text.lead()) lead = after->size();
      done = end;
    });
    if (after == nullptr) return;
    keep(before.size());
    text.take_next(lead);
  }

  /// Like replace_matches(), for a pattern of one byte, such as the space that becomes "▁". This
  /// pattern has many matches.
  void replace_byte(draft& text, char what) const {
    const std::string_view before = text.text();
    const auto found = static_cast<std::size_t>(std::ranges::count(before, what));
    if (found == 0) return;
    std::string& after = text.next();
    after.resize(before.size() - found + found * with_.size());
    char* to = after.data();
    std::size_t lead = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      if (before[i] == what)
        to = std::copy(with_.begin(), with_.end(), to);
      else
        *to++ = before[i];
      if (i + 1 == text.lead()) lead = static_cast<std::size_t>(to - after.data());
    }
    text.take_next(lead);
  }

  pattern what_;
  std::string with_;
};

class byte_level_normalizer final : public normalizer {
 public:
  void apply(draft& text) const override {
    const std::string_view before = text.text();
    if (before.empty()) return;
    std::string& after = text.next();
    after.reserve(2 * before.size());
    std::size_t lead = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
      const byte_spelling& as = spell(static_cast<unsigned char>(before[i]));
      after.append(as.text, as.size);
      if (i < text.lead()) lead = after.size();
    }
    text.take_next(lead);
  }
};

}  // namespace

normalizer_ptr read_strip(const node& from) {
  return std::make_unique<strip_normalizer>(from.at("strip_left").boolean(),
                                            from.at("strip_right").boolean());
}

normalizer_ptr read_prepend(const node& from) {
  return std::make_unique<prepend>(from.at("prepend").text());
}

normalizer_ptr read_replace(const node& from) {
  return std::make_unique<replace_normalizer>(pattern(from.at("pattern")),
                                              from.at("content").text());
}

normalizer_ptr make_byte_level_normalizer() { return std::make_unique<byte_level_normalizer>(); }

}  // namespace tokenizers::hf
