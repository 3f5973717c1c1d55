#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include <utf8proc.h>

#include "charsmap.hpp"
#include "normalizer_steps.hpp"
#include "tokenizers/common/utf8.hpp"

namespace tokenizers::hf {

namespace {

/// Returns the end of the cluster of characters that begins at `begin`.
std::size_t cluster_end(std::string_view text, std::size_t begin) {
  utf8_character last = character_at(text, begin);
  std::size_t end = begin + last.size;
  utf8proc_int32_t state = 0;
  while (end < text.size()) {
    const utf8_character next = character_at(text, end);
    if (utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(last.code),
                                         static_cast<utf8proc_int32_t>(next.code), &state) != 0)
      break;
    end += next.size;
    last = next;
  }
  return end;
}

class precompiled final : public normalizer {
 public:
  explicit precompiled(const node& from) : rules_(from) {}

  void apply(draft& text) const override {
    const std::string_view before = text.text();
    std::string& after = text.next();
    after.reserve(before.size() + before.size() / 8);
    std::size_t at = 0;
    std::size_t lead = 0;
    while (at < before.size()) {
      const std::size_t begin = at;
      at = alone(before, at) ? append_character(after, before, at)
                             : append_cluster(after, before, at);
      // If characters at the beginning are removed, the first character that stays becomes the
      // first character.
      if (begin < text.lead() || (lead == 0 && text.lead() > 0)) lead = after.size();
    }
    text.take_next(lead);
  }

 private:
  /// There is a cluster boundary between any two ASCII characters, except for CR LF.
  static bool alone(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    if (byte(at) >= 0x80) return false;
    return at + 1 == text.size() || (byte(at + 1) < 0x80 && byte(at) != '\r');
  }

  std::size_t append_character(std::string& to, std::string_view text, std::size_t at) const {
    const auto& with = rules_.find_ascii(static_cast<unsigned char>(text[at]));
    if (with)
      to += *with;
    else
      to += text[at];
    return at + 1;
  }

  /// A short cluster is looked up as a whole. It is replaced as a whole, even if the rule matches
  /// only its beginning. A longer cluster is replaced character by character.
  std::size_t append_cluster(std::string& to, std::string_view text, std::size_t begin) const {
    constexpr std::size_t longest = 5;
    const std::size_t end = cluster_end(text, begin);
    if (end - begin <= longest) {
      if (const auto with = rules_.find(text.substr(begin, end - begin))) {
        to += *with;
        return end;
      }
    }
    for (std::size_t at = begin; at < end;) {
      const std::string_view one = text.substr(at, character_at(text, at).size);
      to += rules_.find(one).value_or(one);
      at += one.size();
    }
    return end;
  }

  charsmap rules_;
};

}  // namespace

normalizer_ptr read_precompiled(const node& from) {
  return std::make_unique<precompiled>(from.at("precompiled_charsmap"));
}

}  // namespace tokenizers::hf
