#include "dialect.hpp"

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <inferbench/guard.hpp>

#include "pcre2.hpp"
#include "properties.hpp"

namespace tokenizers {

namespace {

constexpr std::string_view hex_digits = "0-9A-Fa-f";
// This limit is above the depth of any reasonable pattern.
constexpr int deepest = 100;

/// A class of characters. `items` can stand in PCRE2's brackets. `others` are expressions for one
/// character each that cannot stand in brackets. Either may be empty.
struct charset {
  std::string items;
  std::vector<std::string> others;
  bool negated = false;

  [[nodiscard]] std::string expression() const {
    // The negation of a class that contains only "[^x]" is "[x]".
    if (items.empty() && others.size() == 1 && others[0].starts_with("[^") && negated)
      return "[" + others[0].substr(2);
    std::string brackets = (negated ? "[^" : "[") + items + "]";
    if (others.empty()) return brackets;
    std::string choice;
    for (const std::string& other : others)
      choice += (choice.empty() ? "" : "|") + other;
    if (negated) return "(?:(?!" + choice + ")" + (items.empty() ? "(?s:.)" : brackets) + ")";
    return items.empty() ? "(?:" + choice + ")" : "(?:" + brackets + "|" + choice + ")";
  }
};

class translator {
 public:
  translator(std::string_view pattern, dialect written)
      : pattern_(pattern), written_(written), ruby_(written == dialect::oniguruma) {}

  std::string run() {
    while (at_ < pattern_.size())
      step();
    return std::move(out_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw ifb::failure(IFB_E_CONFIG, "the regular expression \"" + std::string(pattern_) +
                                         "\" cannot be used: " + what + ", at byte " +
                                         std::to_string(at_));
  }
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < pattern_.size() ? pattern_[at_ + ahead] : '\0';
  }
  [[nodiscard]] bool follows(std::string_view what) const {
    return pattern_.substr(at_).starts_with(what);
  }
  /// Takes a whole character, so that a following quantifier applies to the whole character.
  std::string_view take() {
    std::size_t size = 1;
    while (at_ + size < pattern_.size() &&
           (static_cast<unsigned char>(pattern_[at_ + size]) & 0xC0U) == 0x80U)
      ++size;
    at_ += size;
    return pattern_.substr(at_ - size, size);
  }
  void atom(std::string_view text) {
    atom_ = out_.size();
    out_ += text;
  }

  void step() {
    switch (peek()) {
      case '\\': return escape();
      case '[': {
        ++at_;
        const charset all = in_brackets(0);
        return atom(all.expression());
      }
      case '(': return open();
      case ')':
        if (!groups_.empty()) {
          atom_ = groups_.back();
          groups_.pop_back();
        }
        out_ += take();
        return;
      case '{': return interval();
      case '*':
      case '+':
      case '?':
      case '|':
      case '^':
      case '$': out_ += take(); return;
      default: atom(take());
    }
  }

  void open() {
    const std::size_t begin = out_.size();
    if (follows("(?#")) {
      const auto end = pattern_.find(')', at_);
      if (end == std::string_view::npos) fail("a comment without an end");
      at_ = end + 1;
      return;
    }
    if (!follows("(?")) {
      groups_.push_back(begin);
      out_ += take();
      return;
    }
    std::size_t end = at_ + 2;
    std::string flags;
    for (; end < pattern_.size(); ++end) {
      const char c = pattern_[end];
      if (c == 'm' && ruby_)
        flags += 's';
      else if (c == 'u' && !ruby_)
        continue;
      else if (c == 'i' || c == 'm' || c == 's' || c == 'x' || c == '-')
        flags += c;
      else
        break;
    }
    const char after = end < pattern_.size() ? pattern_[end] : '\0';
    if (after == ')' && end > at_ + 2) {
      out_ += "(?" + flags + ")";
      at_ = end + 1;
      return;
    }
    groups_.push_back(begin);
    if (after == ':') {
      out_ += "(?" + flags + ":";
      at_ = end + 1;
      return;
    }
    out_ += "(?";
    at_ += 2;
    // A name contains no syntax, and "(?<=", "(?!", "(?>" have the same meaning in PCRE2.
    if (peek() == 'P' || peek() == '<' || peek() == '>' || peek() == '=' || peek() == '!')
      out_ += take();
    while (peek() == '=' || peek() == '!' || peek() == '<')
      out_ += take();
  }

  /// Translates "{n,m}" and the quantifier after it.
  void interval() {
    const auto end = pattern_.find('}', at_);
    const std::string_view body =
        end == std::string_view::npos ? "" : pattern_.substr(at_ + 1, end - at_ - 1);
    const bool counts = !body.empty() && body != "," &&
                        body.find_first_not_of("0123456789,") == std::string_view::npos &&
                        body.find(',') == body.rfind(',');
    if (!counts) return atom("\\" + std::string(take()));
    std::string limits = "{" + std::string(body.starts_with(',') ? "0" : "") + std::string(body);
    limits += '}';
    at_ = end + 1;
    const bool exact = body.find(',') == std::string_view::npos;
    // In Ruby's syntax, a second quantifier here applies to the first quantifier.
    if (ruby_ && (peek() == '+' || (peek() == '?' && exact))) {
      out_.insert(atom_, "(?:");
      out_ += limits + ")";
      return;
    }
    out_ += limits;
  }

  void escape() {
    if (at_ + 1 >= pattern_.size()) fail("a backslash at the end");
    const char c = peek(1);
    if (const auto set = shorthand(false)) return atom(set->expression());
    const std::string word = std::string(word_items(written_));
    switch (c) {
      case 'b':
        at_ += 2;
        return atom("(?:(?<=[" + word + "])(?![" + word + "])|(?<![" + word + "])(?=[" + word +
                    "]))");
      case 'B':
        at_ += 2;
        return atom("(?:(?<=[" + word + "])(?=[" + word + "])|(?<![" + word + "])(?![" + word +
                    "]))");
      case 'O':
        if (!ruby_) break;
        at_ += 2;
        return atom("(?s:.)");
      case 'y':
      case 'Y':
        if (ruby_) fail("boundaries of text segments (\\y, \\Y) are not supported");
        break;
      case 'A':
      case 'z':
      case 'Z':
      case 'G':
      case 'K':
        at_ += 2;
        out_ += {'\\', c};
        return;
      case 'R':
      case 'X':
      case 'N': at_ += 2; return atom(std::string{'\\', c});
      case 'k':
      case 'g': {
        const auto end = pattern_.find(peek(2) == '\'' ? '\'' : '>', at_ + 3);
        if ((peek(2) != '<' && peek(2) != '\'') || end == std::string_view::npos) break;
        atom(pattern_.substr(at_, end + 1 - at_));
        at_ = end + 1;
        return;
      }
      default: break;
    }
    if (c >= '1' && c <= '9') {
      atom(pattern_.substr(at_, 2));
      at_ += 2;
      return;
    }
    atom(literal());
  }

  /// Translates \d \s \w \h \p{..} and their negations, inside or outside brackets.
  std::optional<charset> shorthand(bool bracketed) {
    const char c = peek(1);
    charset out;
    switch (c) {
      case 'd': out.items = "\\p{Nd}"; break;
      case 'D': out.items = "\\P{Nd}"; break;
      case 's': out.items = white_space_items(); break;
      case 'S': out.items = "\\P{White_Space}"; break;
      case 'w':
      case 'W':
        // In brackets, Oniguruma uses its POSIX class for \w, which does not contain superscripts.
        out.items = bracketed && ruby_ ? posix_items("word", written_) : word_items(written_);
        out.negated = c == 'W';
        break;
      case 'h': out.items = hex_digits; break;
      case 'H': out.items = hex_digits, out.negated = true; break;
      case 'p':
      case 'P': return by_name(c == 'P');
      default: return std::nullopt;
    }
    at_ += 2;
    return out;
  }

  charset by_name(bool negated) {
    std::string_view name;
    if (peek(2) == '{') {
      const auto end = pattern_.find('}', at_);
      if (end == std::string_view::npos) fail("\\p{ without }");
      name = pattern_.substr(at_ + 3, end - at_ - 3);
      at_ = end + 1;
    } else {
      name = pattern_.substr(at_ + 2, 1);
      at_ += 3;
      if (name.empty()) fail("\\p without a name");
    }
    if (name.starts_with('^')) {
      name.remove_prefix(1);
      negated = !negated;
    }
    charset out;
    out.items = property_items(name, written_);
    if (out.items.empty()) fail("no property \"" + std::string(name) + "\"");
    out.negated = negated;
    return out;
  }

  /// Translates a backslash and the character after it.
  std::string literal() {
    const char c = peek(1);
    if (c == 'x' || c == 'u') return code_point();
    at_ += 1;
    if (c == 'v') return at_ += 1, "\\x0b";
    const std::string_view character = take();
    static constexpr std::string_view known = "aefnrt";
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (c == '0') return "\\x00";
    // In Ruby's syntax, an escaped unknown letter means the letter itself. PCRE2 may give it
    // another meaning.
    if (letter && known.find(c) == std::string_view::npos) {
      if (!ruby_) fail("an unknown escape");
      return std::string(character);
    }
    return "\\" + std::string(character);
  }

  std::string code_point() {
    const bool braced = peek(2) == '{';
    const std::size_t begin = at_ + (braced ? 3 : 2);
    const std::size_t most = braced ? 8 : peek(1) == 'u' ? 4 : 2;
    std::size_t end = begin;
    while (end < pattern_.size() && end - begin < most &&
           std::string_view("0123456789abcdefABCDEF").find(pattern_[end]) != std::string_view::npos)
      ++end;
    if (end == begin || (braced && (end >= pattern_.size() || pattern_[end] != '}')))
      fail("an incomplete number of a character");
    at_ = end + (braced ? 1 : 0);
    return "\\x{" + std::string(pattern_.substr(begin, end - begin)) + "}";
  }

  /// Translates a class; to be called after "[".
  charset in_brackets(int depth) {
    if (depth > deepest) fail("brackets nest too deep");
    std::vector<charset> operands(1);
    std::vector<bool> subtracted(1, false);
    bool negated = false;
    if (peek() == '^') {
      negated = true;
      ++at_;
    }
    for (bool first = true;; first = false) {
      if (at_ >= pattern_.size()) fail("[ without ]");
      if (peek() == ']' && !first) break;
      const bool minus = !ruby_ && follows("--");
      if (follows("&&") || (minus && !first)) {
        at_ += 2;
        operands.emplace_back();
        subtracted.push_back(minus);
        continue;
      }
      item(operands.back(), depth);
    }
    ++at_;
    for (const charset& operand : operands)
      if (operand.items.empty() && operand.others.empty()) fail("an empty class");
    if (operands.size() == 1) {
      operands[0].negated = negated;
      return std::move(operands[0]);
    }
    // PCRE2 cannot write an intersection as one class. Lookaheads test all operands except for the
    // first, and the first operand matches the character.
    std::string both = "(?:";
    for (std::size_t i = 1; i < operands.size(); ++i)
      both += (subtracted[i] ? "(?!" : "(?=") + operands[i].expression() + ")";
    both += operands[0].expression() + ")";
    charset out;
    out.others.push_back(std::move(both));
    out.negated = negated;
    return out;
  }

  void item(charset& into, int depth) {
    if (follows("[:")) {
      const auto end = pattern_.find(":]", at_ + 2);
      if (end != std::string_view::npos) {
        std::string_view name = pattern_.substr(at_ + 2, end - at_ - 2);
        const bool negated = name.starts_with('^');
        if (negated) name.remove_prefix(1);
        const std::string_view items = posix_items(name, written_);
        if (!items.empty()) {
          at_ = end + 2;
          add(into, {std::string(items), {}, negated});
          return;
        }
      }
    }
    if (peek() == '[') {
      ++at_;
      add(into, in_brackets(depth + 1));
      return;
    }
    if (peek() == '\\') {
      if (at_ + 1 >= pattern_.size()) fail("a backslash at the end");
      if (const auto set = shorthand(true)) return add(into, *set);
      if (peek(1) == 'b') {
        at_ += 2;
        into.items += "\\x08";
        return;
      }
      into.items += literal();
      return;
    }
    if (peek() == ']' || peek() == '^') into.items += '\\';
    into.items += take();
  }

  static void add(charset& into, const charset& what) {
    // The negation of one property is one item. The negation of several properties is a class.
    if (what.negated && what.others.empty() && what.items.starts_with("\\p{") &&
        what.items.find('}') == what.items.size() - 1)
      into.items += "\\P" + what.items.substr(2);
    else if (what.negated || !what.others.empty())
      into.others.push_back(what.expression());
    else
      into.items += what.items;
  }

  std::string_view pattern_;
  dialect written_;
  bool ruby_;
  std::size_t at_ = 0;
  std::string out_;
  std::size_t atom_ = 0;             // where the last complete item begins in out_
  std::vector<std::size_t> groups_;  // where the open groups begin in out_
};

}  // namespace

std::string to_pcre2(std::string_view pattern, dialect written) {
  return translator(pattern, written).run();
}

std::uint32_t pcre2_options(dialect written) {
  constexpr std::uint32_t common = PCRE2_UTF | PCRE2_UCP;
  return common | (written == dialect::oniguruma ? PCRE2_MULTILINE : PCRE2_DOLLAR_ENDONLY);
}

}  // namespace tokenizers
