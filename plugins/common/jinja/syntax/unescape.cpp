#include "unescape.hpp"

#include <charconv>

#include "common/jinja/python/raise.hpp"
#include "common/jinja/python/unicode.hpp"

namespace jinja {

namespace {

char simple(char c) {
  switch (c) {
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    case 'b': return '\b';
    case 'f': return '\f';
    case 'v': return '\v';
    case 'a': return '\a';
    case '\\':
    case '\'':
    case '"': return c;
    default: return '\0';
  }
}

std::size_t hex_digits(char c) { return c == 'x' ? 2 : c == 'u' ? 4 : c == 'U' ? 8 : 0; }

class reader {
 public:
  reader(std::string_view text, int line) : text_(text), line_(line) {}

  std::string run() {
    while (at_ < text_.size()) {
      if (text_[at_] != '\\' || at_ + 1 >= text_.size())
        out_.push_back(text_[at_++]);
      else
        escape(text_[at_ + 1]);
    }
    return std::move(out_);
  }

 private:
  void escape(char c) {
    if (const char plain = simple(c)) {
      out_.push_back(plain);
      at_ += 2;
    } else if (c == '\n') {
      at_ += 2;
    } else if (const std::size_t wide = hex_digits(c)) {
      at_ += 2;
      point(number(text_.substr(at_, wide), 16, wide, c));
      at_ += wide;
    } else if (c >= '0' && c <= '7') {
      std::size_t digits = 1;
      while (digits < 3 && at_ + 1 + digits < text_.size() && text_[at_ + 1 + digits] >= '0' &&
             text_[at_ + 1 + digits] <= '7')
        ++digits;
      point(number(text_.substr(at_ + 1, digits), 8, digits, c));
      at_ += 1 + digits;
    } else if (c == 'N') {
      raise_unsupported("a \\N{...} escape", line_);
    } else {
      out_.push_back('\\');
      ++at_;
    }
  }

  char32_t number(std::string_view digits, int base, std::size_t wanted, char c) const {
    std::uint32_t out = 0;
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), out, base).ptr;
    if (digits.size() < wanted || end != digits.data() + digits.size())
      throw error("TemplateSyntaxError",
                  std::string("truncated \\") + c + std::string(wanted, 'X') + " escape", line_);
    return out;
  }

  void point(char32_t c) {
    if (c > 0x10ffff) throw error("TemplateSyntaxError", "illegal Unicode character", line_);
    if (c >= 0xd800 && c < 0xe000) raise_unsupported("a lone surrogate", line_);
    unicode::append(out_, c);
  }

  std::string_view text_;
  int line_;
  std::size_t at_ = 0;
  std::string out_;
};

}  // namespace

std::string unescaped(std::string_view text, int line) { return reader(text, line).run(); }

}  // namespace jinja
