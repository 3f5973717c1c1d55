#include "exact_match.hpp"

#include <algorithm>

#include <utf8proc.h>

#include <inferbench/guard.hpp>
#include <inferbench/text.hpp>

namespace scorers {
namespace {

using ifb::draft::attribute;
using ifb::draft::score_result;

bool is_punctuation(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') ||
         (c >= '{' && c <= '~');
}

/// Makes the letters of all scripts small. Bytes that are not UTF-8 stay.
std::string lower(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size();) {
    const auto [length, good] = ifb::utf8_sequence(text.substr(i));
    utf8proc_int32_t code = 0;
    if (!good || utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data() + i),
                                  static_cast<utf8proc_ssize_t>(length), &code) < 0) {
      out.append(text.substr(i, length));
    } else {
      utf8proc_uint8_t bytes[4];
      const auto size = utf8proc_encode_char(utf8proc_tolower(code), bytes);
      out.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size));
    }
    i += length;
  }
  return out;
}

}  // namespace

exact_match::exact_match(ifb::host, const options& chosen) : chosen_(chosen) {
  if (chosen.pattern.empty()) return;
  pattern_.emplace(chosen.pattern);
  if (!pattern_->usable())
    throw ifb::failure(IFB_E_CONFIG,
                       "RE2 cannot use the pattern " + chosen.pattern + ": " + pattern_->problem(),
                       "pattern");
}

score_result exact_match::score(const ifb_record& of) const {
  const auto expected = attribute(of, IFB_EXPECTED);
  if (!expected) return score_result::none();
  const std::string_view answer = ifb::view(of.text);
  if (answer.empty() && !expected->empty()) return score_result::wrong("no answer");
  const auto part = part_of(answer);
  if (!part) return score_result::wrong("no match");
  return normalized(*part) == normalized(*expected) ? score_result::right()
                                                    : score_result::wrong("not the expected value");
}

std::optional<std::string_view> exact_match::part_of(std::string_view answer) const {
  if (!pattern_) return answer;
  if (chosen_.match == match_choice::first) {
    const auto found = pattern_->find(answer, 0);
    if (!found) return std::nullopt;
    return found->group;
  }
  std::optional<std::string_view> last;
  std::size_t at = answer.size() - std::min(answer.size(), searched_for_last);
  while (const auto found = pattern_->find(answer, at)) {
    last = found->group;
    // A match without text is followed by a search behind the next character.
    at = found->end > found->begin ? found->end : found->end + 1;
  }
  return last;
}

std::string exact_match::normalized(std::string_view text) const {
  std::string out = chosen_.ignore_case ? lower(text) : std::string(text);
  if (chosen_.ignore_punctuation) std::erase_if(out, is_punctuation);
  return chosen_.strip ? std::string(ifb::trim(out)) : out;
}

}  // namespace scorers
