#include "normal_form.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <compare>
#include <vector>

#include <utf8proc.h>

#include "characters.hpp"
#include "tokenizers/common/utf8.hpp"

namespace tokenizers::hf {

namespace {

// Hangul is composed and decomposed by a rule, and not by a table.
bool is_hangul_syllable(char32_t c) { return c >= 0xAC00 && c <= 0xD7A3; }
bool is_second_jamo(char32_t c) {
  return (c >= 0x1161 && c <= 0x1175) || (c >= 0x11A8 && c <= 0x11C2);
}

bool composes(normal_form form) { return form == normal_form::nfc || form == normal_form::nfkc; }
bool is_compatible(normal_form form) {
  return form == normal_form::nfkc || form == normal_form::nfkd;
}

/// Returns whether a character has a decomposition only since a version after Unicode 9, the
/// version of the reference's library.
bool decomposes_later(char32_t c) {
  struct range {
    char32_t first;
    char32_t last;
  };
  static constexpr range later[] = {{0x32ff, 0x32ff},   {0xa7f1, 0xa7f4},   {0xab69, 0xab69},
                                    {0x105c9, 0x105e4}, {0x10781, 0x107ba}, {0x11383, 0x113c8},
                                    {0x11938, 0x11938}, {0x16121, 0x16128}, {0x16d68, 0x16d6a},
                                    {0x1ccd6, 0x1ccf9}, {0x1e030, 0x1e06d}, {0x1f16c, 0x1f16c},
                                    {0x1fbf0, 0x1fbf9}};
  const auto* it = std::ranges::lower_bound(later, c, {}, &range::last);
  return it != std::end(later) && it->first <= c;
}
/// The second half of U+11938. Its composition is the only one after Unicode 9 that utf8proc
/// contains.
constexpr char32_t later_second = 0x11930;

const utf8proc_property_t& property(char32_t c) {
  return *utf8proc_get_property(static_cast<utf8proc_int32_t>(c));
}

int combining_class(char32_t c) {
  if (c < 0x300) return 0;
  const auto known = property(c).combining_class;
  // In Unicode 9, a mark that was added later is an unassigned character with class 0.
  return known != 0 && !is_mark(c) ? 0 : known;
}

void append_decomposed(std::vector<utf8proc_int32_t>& to, normal_form form, char32_t c) {
  if (c < 0x80 || decomposes_later(c)) {
    to.push_back(static_cast<utf8proc_int32_t>(c));
    return;
  }
  std::array<utf8proc_int32_t, 32> into{};  // the longest decomposition, U+FDFA, has 18 code points
  int boundary = 0;
  unsigned options = UTF8PROC_DECOMPOSE;
  if (is_compatible(form)) options |= UTF8PROC_COMPAT;
  const auto n = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), into.data(), into.size(),
                                         static_cast<utf8proc_option_t>(options), &boundary);
  to.insert(to.end(), into.data(), into.data() + n);
}

/// Sorts each run of combining characters by their classes. Characters with equal classes keep
/// their order. utf8proc's own sort takes quadratic time.
void reorder(std::vector<utf8proc_int32_t>& codes) {
  struct mark {
    int order;
    std::size_t place;
    utf8proc_int32_t code;
    auto operator<=>(const mark&) const = default;
  };
  std::vector<mark> run;
  for (std::size_t begin = 0; begin < codes.size();) {
    run.clear();
    std::size_t end = begin;
    for (int order = 0; end < codes.size(); ++end) {
      order = combining_class(static_cast<char32_t>(codes[end]));
      if (order == 0) break;
      run.push_back({order, end, codes[end]});
    }
    std::ranges::sort(run);
    for (std::size_t i = 0; i < run.size(); ++i)
      codes[begin + i] = run[i].code;
    begin = end + 1;
  }
}

void compose(std::vector<utf8proc_int32_t>& codes) {
  const auto n =
      utf8proc_normalize_utf32(codes.data(), static_cast<utf8proc_ssize_t>(codes.size()),
                               static_cast<utf8proc_option_t>(UTF8PROC_COMPOSE | UTF8PROC_STABLE));
  codes.resize(static_cast<std::size_t>(std::max<utf8proc_ssize_t>(n, 0)));
}

/// Returns whether a character is already in the form, begins a new cluster, and never composes
/// with a character before it. A text may be cut before such a character.
bool is_inert_slowly(normal_form form, char32_t c) {
  if (combining_class(c) != 0 || c == later_second) return c == later_second;
  if (composes(form)) {
    const auto index = property(c).comb_index;
    if (is_second_jamo(c) || (index != UINT16_MAX && index >= 0x8000)) return false;
  }
  std::vector<utf8proc_int32_t> codes;
  append_decomposed(codes, form, c);
  if (combining_class(static_cast<char32_t>(codes.front())) != 0) return false;
  if (composes(form)) compose(codes);
  return codes.size() == 1 && static_cast<char32_t>(codes.front()) == c;
}

class inert_table {
 public:
  explicit inert_table(normal_form form) : form_(form) {
    for (std::size_t c = 0; c < inert_.size(); ++c) {
      const auto& is = property(static_cast<char32_t>(c));
      // Most characters are not affected by normal forms.
      inert_[c] = (is.decomp_seqindex == UINT16_MAX && is.combining_class == 0 &&
                   is.comb_index == UINT16_MAX && !is_hangul(c)) ||
                  is_inert_slowly(form, static_cast<char32_t>(c));
    }
  }
  [[nodiscard]] bool operator[](char32_t c) const {
    if (c < inert_.size()) return inert_[c];
    // In all further planes, only compatibility ideographs decompose.
    return c < 0x2F800 || c > 0x2FA1F || is_inert_slowly(form_, c);
  }

 private:
  static bool is_hangul(std::size_t c) {
    return is_hangul_syllable(static_cast<char32_t>(c)) || is_second_jamo(static_cast<char32_t>(c));
  }
  normal_form form_;
  std::bitset<0x20000> inert_;
};

template <normal_form form>
const inert_table& table_for() {
  static const inert_table table(form);
  return table;
}

const inert_table& inert_in(normal_form form) {
  switch (form) {
    case normal_form::nfc: return table_for<normal_form::nfc>();
    case normal_form::nfd: return table_for<normal_form::nfd>();
    case normal_form::nfkc: return table_for<normal_form::nfkc>();
    default: return table_for<normal_form::nfkd>();
  }
}

/// Returns the first character at or after `from` that is not inert, or the end. Sets `cut` to the
/// beginning of the stretch that has to be normalized as a whole.
std::size_t find_change(const inert_table& inert, std::string_view text, std::size_t from,
                        std::size_t& cut) {
  std::size_t at = from;
  cut = from;
  while (at < text.size()) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      at += ascii_prefix(text.substr(at));
      cut = at - 1;
      continue;
    }
    const utf8_character c = character_at(text, at);
    if (!inert[c.code]) return at;
    cut = at;
    at += c.size;
  }
  cut = at;
  return at;
}

}  // namespace

std::size_t prefix_in_form(normal_form form, std::string_view text) {
  const std::size_t ascii = ascii_prefix(text);
  if (ascii == text.size()) return ascii;
  std::size_t cut = 0;
  find_change(inert_in(form), text, 0, cut);
  return cut;
}

void append_in_form(std::string& to, normal_form form, std::string_view text) {
  if (ascii_prefix(text) == text.size()) {
    to += text;
    return;
  }
  const inert_table& inert = inert_in(form);
  std::vector<utf8proc_int32_t> codes;
  std::size_t done = 0;
  while (done < text.size()) {
    std::size_t cut = done;
    std::size_t at = find_change(inert, text, done, cut);
    to += text.substr(done, cut - done);
    done = cut;
    if (at == text.size()) return;
    codes.clear();
    while (done < text.size()) {
      const utf8_character c = character_at(text, done);
      if (done > at && inert[c.code]) break;
      append_decomposed(codes, form, c.code);
      done += c.size;
    }
    reorder(codes);
    if (composes(form)) compose(codes);
    for (const auto code : codes)
      append(to, static_cast<char32_t>(code));
  }
}

}  // namespace tokenizers::hf
