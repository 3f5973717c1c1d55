#include "simulator/pattern_tree.hpp"

#include <cstddef>
#include <utility>

#include "base/text.hpp"

namespace inferbench::simulator {

namespace {

constexpr std::size_t longest_pattern = 8192;
constexpr int deepest_group = 64;
constexpr std::uint32_t most_repetitions = 1000;  // as in RE2
constexpr std::uint32_t endless = UINT32_MAX;

ascii_set range_set(char first, char last) {
  ascii_set out;
  for (auto c = static_cast<unsigned char>(first); c <= static_cast<unsigned char>(last); ++c)
    out.set(c);
  return out;
}

ascii_set one_of(std::string_view of) {
  ascii_set out;
  for (const char c : of)
    out.set(static_cast<std::size_t>(c));
  return out;
}

/// Reads an expression. Its functions return false if the expression is malformed or unsupported.
class pattern_reader {
 public:
  explicit pattern_reader(std::string_view text) : text_(text) {}

  bool read(pattern_node& out) { return read_choice(out, 0) && at_ == text_.size(); }

 private:
  using kind = pattern_node::kind;

  [[nodiscard]] bool over() const { return at_ == text_.size(); }
  [[nodiscard]] bool next_is(char c) const { return !over() && text_[at_] == c; }
  bool skip(char c) {
    if (!next_is(c)) return false;
    ++at_;
    return true;
  }

  bool read_choice(pattern_node& out, int depth) {
    if (depth > deepest_group) return false;
    out.type = kind::choice;
    do {
      if (!read_sequence(out.inside.emplace_back(), depth)) return false;
    } while (skip('|'));
    return true;
  }

  bool read_sequence(pattern_node& out, int depth) {
    out.type = kind::sequence;
    while (!over() && text_[at_] != '|' && text_[at_] != ')') {
      pattern_node part;
      if (!read_part(part, depth) || !read_repetition(part)) return false;
      out.inside.push_back(std::move(part));
    }
    return true;
  }

  bool read_part(pattern_node& out, int depth) {
    const char c = text_[at_++];
    switch (c) {
      case '(': return read_group(out, depth);
      case '[': return read_class(out);
      case '\\': return read_escape(out);
      case '.':
        out.type = kind::set;
        out.set = ~one_of("\n");
        return true;
      case '^': out.type = kind::begin; return true;
      case '$': out.type = kind::end; return true;
      case '*':
      case '+':
      case '?': return false;  // nothing to repeat
      default: break;
    }
    out.type = kind::text;
    out.text = c;
    // All bytes of a character.
    while (!over() && (static_cast<unsigned char>(c) & 0x80U) != 0 &&
           (static_cast<unsigned char>(text_[at_]) & 0xC0U) == 0x80U)
      out.text += text_[at_++];
    return true;
  }

  // (...), (?:...), (?P<name>...), (?<name>...)
  bool read_group(pattern_node& out, int depth) {
    if (skip('?') && !skip(':')) {
      static_cast<void>(skip('P'));
      if (!skip('<') || over() || text_[at_] == '=' || text_[at_] == '!') return false;
      while (!over() && text_[at_] != '>')
        ++at_;
      if (!skip('>')) return false;
    }
    return read_choice(out, depth + 1) && skip(')');
  }

  // The set of a letter behind a backslash, such as \w.
  static bool set_of(char letter, pattern_node& out) {
    const char small = base::lower_case(letter);
    ascii_set set;
    if (small == 'd')
      set = range_set('0', '9');
    else if (small == 'w')
      set = range_set('0', '9') | range_set('a', 'z') | range_set('A', 'Z') | one_of("_");
    else if (small == 's')
      set = one_of(" \t\n\r\f\v");
    else
      return false;
    out.set |= small == letter ? set : ~set;
    return true;
  }

  // The character of an escape; nullopt if it is unsupported.
  std::optional<char> escaped(char letter) {
    switch (letter) {
      case 'n': return '\n';
      case 't': return '\t';
      case 'r': return '\r';
      case 'f': return '\f';
      case 'v': return '\v';
      case 'x': {
        int value = 0;
        for (int i = 0; i < 2; ++i) {
          if (over()) return std::nullopt;
          const char c = text_[at_++];
          const int digit = c >= '0' && c <= '9'   ? c - '0'
                            : c >= 'a' && c <= 'f' ? c - 'a' + 10
                            : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                   : -1;
          if (digit < 0) return std::nullopt;
          value = value * 16 + digit;
        }
        if (value >= 0x80) return std::nullopt;
        return static_cast<char>(value);
      }
      default: break;
    }
    const bool word = (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
                      (letter >= 'A' && letter <= 'Z');
    if (word || (static_cast<unsigned char>(letter) & 0x80U) != 0) return std::nullopt;
    return letter;
  }

  bool read_escape(pattern_node& out) {
    if (over()) return false;
    const char letter = text_[at_++];
    if (set_of(letter, out)) {
      out.type = kind::set;
      return true;
    }
    const std::optional<char> c = escaped(letter);
    if (!c) return false;
    out.type = kind::text;
    out.text = *c;
    return true;
  }

  // A character of a class, or the end of a range; nullopt: unsupported.
  std::optional<char> class_character() {
    if (over()) return std::nullopt;
    const char c = text_[at_++];
    if ((static_cast<unsigned char>(c) & 0x80U) != 0) return std::nullopt;
    if (c != '\\') return c;
    if (over()) return std::nullopt;
    return escaped(text_[at_++]);
  }

  bool read_class(pattern_node& out) {
    out.type = kind::set;
    const bool inverted = skip('^');
    bool first = true;
    while (first || !next_is(']')) {
      first = false;
      if (over()) return false;
      if (text_.substr(at_).starts_with("[:")) return false;
      if (next_is('\\') && at_ + 1 < text_.size() && set_of(text_[at_ + 1], out)) {
        at_ += 2;
        continue;
      }
      const std::optional<char> from = class_character();
      if (!from) return false;
      std::optional<char> to = from;
      if (next_is('-') && at_ + 1 < text_.size() && text_[at_ + 1] != ']') {
        ++at_;
        to = class_character();
        if (!to || *to < *from) return false;
      }
      out.set |= range_set(*from, *to);
    }
    ++at_;
    if (inverted) out.set = ~out.set;
    return true;
  }

  bool read_number(std::uint32_t& out) {
    const std::size_t begin = at_;
    out = 0;
    while (!over() && text_[at_] >= '0' && text_[at_] <= '9' && out <= most_repetitions)
      out = out * 10 + static_cast<std::uint32_t>(text_[at_++] - '0');
    return at_ > begin && out <= most_repetitions;
  }

  bool read_bounds(std::uint32_t& least, std::uint32_t& most) {
    if (skip('*')) {
      most = endless;
    } else if (skip('+')) {
      least = 1;
      most = endless;
    } else if (skip('?')) {
      most = 1;
    } else {
      ++at_;  // the brace
      if (!read_number(least)) return false;
      most = least;
      if (skip(',')) {
        most = endless;
        if (!next_is('}') && !read_number(most)) return false;
      }
      if (!skip('}') || most < least) return false;
    }
    static_cast<void>(skip('?'));  // as few as possible: the same language
    return true;
  }

  bool read_repetition(pattern_node& part) {
    if (over() || std::string_view("*+?{").find(text_[at_]) == std::string_view::npos) return true;
    pattern_node repeat;
    repeat.type = kind::repeat;
    if (!read_bounds(repeat.least, repeat.most)) return false;
    // A repetition of a repetition is possessive or malformed.
    if (!over() && std::string_view("*+?{").find(text_[at_]) != std::string_view::npos)
      return false;
    repeat.inside.push_back(std::move(part));
    part = std::move(repeat);
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

std::optional<pattern_node> read_pattern_tree(std::string_view pattern) {
  std::optional<pattern_node> out;
  if (pattern.size() > longest_pattern || !pattern_reader(pattern).read(out.emplace())) return {};
  return out;
}

}  // namespace inferbench::simulator
