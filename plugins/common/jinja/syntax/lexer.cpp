#include "lexer.hpp"

#include <algorithm>
#include <array>

#include "common/jinja/python/python.hpp"
#include "common/jinja/python/unicode.hpp"
#include "unescape.hpp"

namespace jinja {

namespace {

struct symbol {
  std::string_view text;
  token_type type;
};

// The first match counts, so a longer symbol comes before its prefix.
constexpr symbol lexer_symbols[] = {
    {"//", token_type::floordiv}, {"**", token_type::pow},     {"==", token_type::eq},
    {"!=", token_type::ne},       {">=", token_type::gteq},    {"<=", token_type::lteq},
    {"+", token_type::add},       {"-", token_type::sub},      {"/", token_type::div},
    {"*", token_type::mul},       {"%", token_type::mod},      {"~", token_type::tilde},
    {"[", token_type::lbracket},  {"]", token_type::rbracket}, {"(", token_type::lparen},
    {")", token_type::rparen},    {"{", token_type::lbrace},   {"}", token_type::rbrace},
    {">", token_type::gt},        {"<", token_type::lt},       {"=", token_type::assign},
    {".", token_type::dot},       {":", token_type::colon},    {"|", token_type::pipe},
    {",", token_type::comma},     {";", token_type::semicolon}};

bool ascii_digit(char c) { return c >= '0' && c <= '9'; }

/// Replaces \r\n and \r by \n, and removes one newline at the end.
std::string normalized(std::string_view source) {
  std::string out;
  out.reserve(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] != '\r') {
      out.push_back(source[i]);
      continue;
    }
    out.push_back('\n');
    if (i + 1 < source.size() && source[i + 1] == '\n') ++i;
  }
  if (out.ends_with('\n')) out.pop_back();
  return out;
}

/// Its functions follow the regular expressions of Jinja2's lexer with trim_blocks and
/// lstrip_blocks, the settings for chat templates. `text_` has the form that normalized() makes.
class lexer {
 public:
  explicit lexer(std::string_view source) : text_(source) {}

  std::vector<token> run() {
    try {
      while (at_ < text_.size())
        data();
      tokens_.push_back({token_type::end, line_, {}, {}});
    } catch (const error& cause) {
      tokens_.push_back({token_type::fault, cause.line(), {}, cause});
    }
    return std::move(tokens_);
  }

 private:
  enum class tag : std::uint8_t { variable, block, comment, raw };

  [[noreturn]] void fail(const std::string& message) const {
    throw error("TemplateSyntaxError", message, line_);
  }

  /// Returns whether `expected` is at the offset `from`, which is at most the size of the text.
  [[nodiscard]] bool follows(std::string_view expected, std::size_t from) const {
    return text_.substr(from, expected.size()) == expected;
  }

  void put(token_type type, std::string_view text) {
    tokens_.push_back({type, line_, std::string(text), {}});
  }

  /// Moves to the offset `to` and counts the lines on the way.
  void move(std::size_t to) {
    line_ += static_cast<int>(std::ranges::count(text_.substr(at_, to - at_), '\n'));
    line_starting_ = to > at_ && text_[to - 1] == '\n';
    at_ = to;
  }

  [[nodiscard]] std::size_t skip_space(std::size_t from) const {
    return text_.size() - unicode::strip_left(text_.substr(from)).size();
  }

  /// Returns the `-` or `+` at the offset `behind`, which is after the first two characters of a
  /// tag; '\0' if there is neither.
  [[nodiscard]] char sign(std::size_t behind) const {
    const char c = behind < text_.size() ? text_[behind] : '\0';
    return c == '-' || c == '+' ? c : '\0';
  }

  /// Returns the end of the tag `{% raw %}` that begins at `from`, with the white space that the
  /// tag removes; nullopt if there is no such tag.
  [[nodiscard]] std::optional<std::size_t> raw_begin(std::size_t from) const {
    std::size_t at = skip_space(from + 2 + (sign(from + 2) != '\0' ? 1 : 0));
    if (!follows("raw", at)) return std::nullopt;
    at = skip_space(at + 3);
    if (follows("-%}", at)) return skip_space(at + 3);
    if (follows("%}", at)) return at + 2;
    return std::nullopt;
  }

  /// Adds the text up to the tag at `end` as a token, without the white space that the tag removes:
  /// all of it for `strip` '-', and none for '+'. Any other tag except `{{` removes the blanks
  /// before it if nothing else precedes it in its line (lstrip_blocks).
  void put_text(std::size_t end, char strip, bool variable) {
    std::string_view text = text_.substr(at_, end - at_);
    if (strip == '-') {
      text = unicode::strip_right(text);
    } else if (strip != '+' && !variable) {
      const std::size_t newline = text.rfind('\n');
      const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
      if ((begin > 0 || line_starting_) && unicode::strip_left(text.substr(begin)).empty())
        text = text.substr(0, begin);
    }
    if (!text.empty()) put(token_type::data, text);
    move(end);
  }

  /// Reads text, and the tag after it if there is one.
  void data() {
    std::size_t mark = at_;
    for (;; ++mark) {
      mark = text_.find('{', mark);
      if (mark == std::string_view::npos || mark + 1 >= text_.size()) {
        put(token_type::data, text_.substr(at_));
        move(text_.size());
        return;
      }
      const char c = text_[mark + 1];
      if (c == '{' || c == '%' || c == '#') break;
    }
    const char strip = sign(mark + 2);
    const char c = text_[mark + 1];
    put_text(mark, strip, c == '{');
    const std::size_t inside = mark + (strip == '\0' ? 2 : 3);
    if (c == '#') {
      comment(inside);
    } else if (c == '{') {
      put(token_type::variable_begin, {});
      move(inside);
      expression(true);
    } else if (const auto end = raw_begin(mark)) {
      move(*end);
      raw();
    } else {
      put(token_type::block_begin, {});
      move(inside);
      expression(false);
    }
  }

  /// Skips a comment. `inside` is the offset after its `{#` and sign.
  void comment(std::size_t inside) {
    move(inside);
    const std::size_t end = text_.find("#}", at_);
    if (end == std::string_view::npos) {
      // Jinja2 accepts a comment that begins at the end of the template.
      if (at_ < text_.size()) fail("Missing end of comment tag");
      return;
    }
    const char before = end > at_ ? text_[end - 1] : '\0';
    std::size_t behind = end + 2;
    if (before == '-')
      behind = skip_space(behind);
    else if (before != '+' && follows("\n", behind))
      ++behind;
    move(behind);
  }

  /// Reads the text up to the tag `{% endraw %}`, and the tag.
  void raw() {
    for (std::size_t mark = text_.find("{%", at_); mark != std::string_view::npos;
         mark = text_.find("{%", mark + 1)) {
      const char strip = sign(mark + 2);
      std::size_t at = skip_space(mark + (strip == '\0' ? 2 : 3));
      if (!follows("endraw", at)) continue;
      at = skip_space(at + 6);
      if (const auto end = block_end(at)) {
        put_text(mark, strip, false);
        move(*end);
        return;
      }
    }
    if (at_ < text_.size()) fail("Missing end of raw directive");
  }

  /// Returns the end of the `%}` at `at`, with the white space that it removes: all after `-%}`,
  /// and one newline after `%}` (trim_blocks). Returns nullopt if there is no `%}`.
  [[nodiscard]] std::optional<std::size_t> block_end(std::size_t at) const {
    if (follows("+%}", at)) return at + 3;
    if (follows("-%}", at)) return skip_space(at + 3);
    if (!follows("%}", at)) return std::nullopt;
    return at + 2 + (follows("\n", at + 2) ? 1 : 0);
  }

  /// Like block_end(), for `}}`, which removes no newline.
  [[nodiscard]] std::optional<std::size_t> variable_end(std::size_t at) const {
    if (follows("-}}", at)) return skip_space(at + 3);
    if (follows("}}", at)) return at + 2;
    return std::nullopt;
  }

  /// Reads the tokens of a tag up to its end. `variable`: the tag is `{{`, otherwise `{%`.
  void expression(bool variable) {
    open_.clear();
    while (at_ < text_.size()) {
      // Within brackets, as in {{ {"a": {}} }}, the first `}}` does not end the tag.
      if (open_.empty()) {
        const auto end = variable ? variable_end(at_) : block_end(at_);
        if (end) {
          put(variable ? token_type::variable_end : token_type::block_end, {});
          move(*end);
          return;
        }
      }
      inner_token();
    }
  }

  /// Reads one token of an expression, or white space.
  void inner_token() {
    const std::size_t behind = skip_space(at_);
    if (behind > at_) {
      move(behind);
    } else if (!number() && !name() && !string() && !operation()) {
      std::size_t next = at_;
      static_cast<void>(unicode::next(text_, next));
      fail("unexpected char " + quoted(text_.substr(at_, next - at_)) + " at " +
           std::to_string(unicode::length(text_.substr(0, at_))));
    }
  }

  void take(token_type type, std::size_t end) {
    put(type, text_.substr(at_, end - at_));
    move(end);
  }

  /// Returns the end of the digits that begin at `from`. One underscore may stand between two
  /// digits.
  template <typename Digit>
  [[nodiscard]] std::size_t digits(std::size_t from, const Digit& digit) const {
    std::size_t at = from;
    while (at < text_.size()) {
      if (digit(text_[at]))
        ++at;
      else if (at > from && text_[at] == '_' && at + 1 < text_.size() && digit(text_[at + 1]))
        at += 2;
      else
        break;
    }
    return at;
  }

  /// Returns the end of the real number at at_; nullopt if the number is an integer.
  [[nodiscard]] std::optional<std::size_t> real_end() const {
    // In `a.1.5`, 1 and 5 are integers.
    if (at_ > 0 && text_[at_ - 1] == '.') return std::nullopt;
    std::size_t at = digits(at_, ascii_digit);
    if (at == at_) return std::nullopt;
    bool real = false;
    if (follows(".", at)) {
      const std::size_t end = digits(at + 1, ascii_digit);
      real = end > at + 1;
      if (real) at = end;
    }
    if (at < text_.size() && (text_[at] == 'e' || text_[at] == 'E')) {
      std::size_t begin = at + 1;
      if (begin < text_.size() && (text_[begin] == '+' || text_[begin] == '-')) ++begin;
      const std::size_t end = digits(begin, ascii_digit);
      if (end > begin) return end;
    }
    return real ? std::optional(at) : std::nullopt;
  }

  bool number() {
    if (!ascii_digit(text_[at_])) return false;
    if (const auto end = real_end()) {
      take(token_type::real, *end);
      return true;
    }
    take(token_type::integer, integer_end());
    return true;
  }

  [[nodiscard]] std::size_t integer_end() const {
    if (text_[at_] != '0') return digits(at_, ascii_digit);
    const char mark = at_ + 1 < text_.size() ? static_cast<char>(text_[at_ + 1] | 0x20) : '\0';
    const auto prefixed = [&](const auto& digit) {
      const std::size_t begin = at_ + 2 + (follows("_", at_ + 2) ? 1 : 0);
      const std::size_t end = digits(begin, digit);
      return end > begin ? end : 0;
    };
    std::size_t end = 0;
    if (mark == 'b') end = prefixed([](char c) { return c == '0' || c == '1'; });
    if (mark == 'o') end = prefixed([](char c) { return c >= '0' && c <= '7'; });
    if (mark == 'x')
      end = prefixed(
          [](char c) { return ascii_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'f'); });
    return end != 0 ? end : digits(at_, [](char c) { return c == '0'; });
  }

  bool name() {
    std::size_t end = at_;
    while (end < text_.size()) {
      std::size_t next = end;
      const char32_t c = unicode::next(text_, next);
      if (!unicode::word(c) && !unicode::identifier(c)) break;
      end = next;
    }
    if (end == at_) return false;
    // Jinja2 also reads word characters that Python does not allow in names, and then refuses them.
    std::size_t next = at_;
    bool good = unicode::identifier_start(unicode::next(text_, next));
    while (good && next < end)
      good = unicode::identifier(unicode::next(text_, next));
    if (!good) fail("Invalid character in identifier");
    take(token_type::name, end);
    return true;
  }

  /// A literal without a closing quote is not a string, so its quote is the unexpected character of
  /// the error.
  bool string() {
    const char quote = text_[at_];
    if (quote != '\'' && quote != '"') return false;
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != quote)
      end += text_[end] == '\\' ? 2 : 1;
    if (end >= text_.size()) return false;
    put(token_type::string, unescaped(text_.substr(at_ + 1, end - at_ - 1), line_));
    move(end + 1);
    return true;
  }

  bool operation() {
    const auto* const found = std::ranges::find_if(
        lexer_symbols, [&](const symbol& of) { return follows(of.text, at_); });
    if (found == std::end(lexer_symbols)) return false;
    balance(text_[at_]);
    take(found->type, at_ + found->text.size());
    return true;
  }

  /// Checks that brackets are closed in the reverse order of their opening.
  void balance(char c) {
    if (c == '{') open_.push_back('}');
    if (c == '(') open_.push_back(')');
    if (c == '[') open_.push_back(']');
    if (c != '}' && c != ')' && c != ']') return;
    if (open_.empty()) fail(std::string("unexpected '") + c + "'");
    if (open_.back() != c)
      fail(std::string("unexpected '") + c + "', expected '" + open_.back() + "'");
    open_.pop_back();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool line_starting_ = true;  // the last move() went to the beginning of a line
  std::string open_;           // the closing brackets that the tag still needs; the next is last
  std::vector<token> tokens_;
};

}  // namespace

std::vector<token> tokenize(std::string_view source) {
  const std::string text = normalized(source);
  return lexer(text).run();
}

std::string_view describe(token_type type) {
  switch (type) {
    case token_type::data: return "template data / text";
    case token_type::variable_begin: return "begin of print statement";
    case token_type::variable_end: return "end of print statement";
    case token_type::block_begin: return "begin of statement block";
    case token_type::block_end: return "end of statement block";
    case token_type::name: return "name";
    case token_type::string: return "string";
    case token_type::integer: return "integer";
    case token_type::real: return "float";
    case token_type::end:
    case token_type::fault: return "end of template";
    default: break;
  }
  const auto* const found = std::ranges::find(lexer_symbols, type, &symbol::type);
  return found == std::end(lexer_symbols) ? "" : found->text;
}

}  // namespace jinja
