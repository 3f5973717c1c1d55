#include <cmath>

#include "escape.hpp"
#include "format.hpp"
#include "python.hpp"
#include "unicode.hpp"

namespace jinja {

namespace {

class percent_format {
 public:
  percent_format(rendering& r, const value& format, const value& argument)
      : m_(r), text_(format.text()), markup_(is_markup(format)), argument_(argument) {
    tuple_ = argument.is(kind::tuple);
    mapping_ = argument.is(kind::dict) || argument.is(kind::list) || argument.is(kind::undefined) ||
               argument.is(kind::range);
  }

  std::string run() {
    while (at_ < text_.size()) {
      const std::size_t mark = text_.find('%', at_);
      if (mark == std::string_view::npos) break;
      out_ += text_.substr(at_, mark - at_);
      at_ = mark + 1;
      directive();
      m_.allow(out_.size());
    }
    out_ += text_.substr(std::min(at_, text_.size()));
    if (!mapping_ && used_ < count())
      raise_type("not all arguments converted during string formatting");
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::size_t count() const {
    return tuple_ ? argument_.as<sequence_object>().items.size() : 1;
  }

  char peek() {
    if (at_ >= text_.size()) raise_value("incomplete format");
    return text_[at_];
  }

  value next() {
    if (keyed_) return *std::exchange(keyed_, std::nullopt);
    if (used_ >= count()) raise_type("not enough arguments for format string");
    return tuple_ ? argument_.as<sequence_object>().items[used_++] : (++used_, argument_);
  }

  void key() {
    std::size_t depth = 1;
    const std::size_t begin = ++at_;
    for (; at_ < text_.size() && depth > 0; ++at_) {
      if (text_[at_] == '(') ++depth;
      if (text_[at_] == ')') --depth;
    }
    if (depth > 0) raise_value("incomplete format key");
    const std::string name(text_.substr(begin, at_ - 1 - begin));
    if (argument_.is(kind::undefined)) raise_undefined(argument_);
    if (argument_.is(kind::list)) raise_type("list indices must be integers or slices, not str");
    if (!argument_.is(kind::dict)) raise_type("format requires a mapping");
    const value* const found = argument_.as<dict_object>().find(std::string_view(name));
    if (found == nullptr) raise("KeyError", quoted(name));
    keyed_ = *found;
  }

  std::int64_t number() {
    if (peek() == '*') {
      ++at_;
      const value given = next();
      if (!given.is_whole()) raise_type("* wants int");
      return given.integer();
    }
    std::int64_t out = 0;
    for (; peek() >= '0' && peek() <= '9'; ++at_)
      if (out < INT32_MAX) out = out * 10 + (peek() - '0');
    return out;
  }

  void directive() {
    format_spec how;
    if (peek() == '%') {
      out_.push_back('%');
      ++at_;
      return;
    }
    if (peek() == '(') key();
    for (;; ++at_) {
      const char flag = peek();
      if (flag == '-')
        how.align = '<';
      else if (flag == '+')
        how.sign = '+';
      else if (flag == ' ' && how.sign == '-')
        how.sign = ' ';
      else if (flag == '#')
        how.alternate = true;
      else if (flag == '0')
        how.fill = '0';
      else if (flag != ' ')
        break;
    }
    how.width = number();
    if (how.width < 0) {
      how.align = '<';
      how.width = -std::max<std::int64_t>(how.width, -INT32_MAX);
    }
    if (peek() == '.') {
      ++at_;
      how.precision = std::max<std::int64_t>(number(), 0);
    }
    if (peek() == 'h' || peek() == 'l' || peek() == 'L') ++at_;
    static_cast<void>(peek());
    const std::size_t index = at_;
    const char32_t type = unicode::next(text_, at_);
    convert(type, index, how);
  }

  void convert(char32_t type, std::size_t index, format_spec how) {
    const value of = next();
    if (type > 0x7f || std::string_view("diuoxXeEfFgGcrsa").find(static_cast<char>(type)) ==
                           std::string_view::npos)
      unknown(type, index);
    how.type = static_cast<char>(type);
    if (how.type == 'r' || how.type == 's' || how.type == 'a') {
      // Only numbers are padded with zeros.
      how.fill = ' ';
      if (how.align == 0) how.align = '>';
      std::string text = how.type == 's' ? str(m_, of) : repr(m_, of);
      if (markup_ && !is_markup(of)) text = escaped(text);
      out_ += format_text(m_, text, how);
      return;
    }
    if (of.is(kind::undefined)) raise_undefined(of);
    if (how.type == 'c') {
      character(of, how);
      return;
    }
    if (how.fill == '0') {
      how.align = how.align == '<' ? '<' : '=';
      if (how.align == '<') how.fill = ' ';
    }
    if (std::string_view("eEfFgG").find(how.type) != std::string_view::npos) {
      if (!of.is_number()) raise_type("must be real number, not " + type_name(of));
      out_ += format_real(m_, of.number(), how);
      return;
    }
    integer(of, how);
  }

  void integer(const value& of, format_spec how) {
    const bool base = how.type == 'x' || how.type == 'X' || how.type == 'o';
    if (base ? !of.is_whole() : !of.is_number())
      raise_type(std::string("%") + how.type +
                 " format: " + (base ? "an integer is required" : "a real number is required") +
                 ", not " + type_name(of));
    if (!base) how.type = 'd';
    out_ += format_integer(m_, of.is_whole() ? of.integer() : truncated(of.number()), how);
  }

  static std::int64_t truncated(double of) {
    if (std::isnan(of)) raise_value("cannot convert float NaN to integer");
    if (std::isinf(of)) raise("OverflowError", "cannot convert float infinity to integer");
    if (std::fabs(of) >= 9.2e18)
      raise("OverflowError", "integers of more than 64 bits are not supported in chat templates");
    return static_cast<std::int64_t>(of);
  }

  void character(const value& of, format_spec how) {
    how.fill = ' ';
    if (how.align == 0) how.align = '>';
    std::string text;
    if (of.is_whole()) {
      if (of.integer() < 0 || of.integer() > 0x10ffff)
        raise("OverflowError", "%c arg not in range(0x110000)");
      if (of.integer() >= 0xd800 && of.integer() < 0xe000) raise_unsupported("a lone surrogate");
      unicode::append(text, static_cast<char32_t>(of.integer()));
    } else if (of.is(kind::text) && of.as<text_object>().length() == 1) {
      text = of.text();
    } else {
      raise_type("%c requires int or char");
    }
    how.precision = -1;
    out_ += format_text(m_, text, how);
  }

  [[noreturn]] void unknown(char32_t type, std::size_t index) const {
    std::string hex;
    for (char32_t rest = type; rest > 0; rest /= 16)
      hex.insert(hex.begin(), "0123456789abcdef"[rest % 16]);
    std::string shown = "?";
    if (type >= 0x20 && type < 0x7f) shown = static_cast<char>(type);
    raise_value("unsupported format character '" + shown + "' (0x" + hex + ") at index " +
                std::to_string(unicode::length(text_.substr(0, index))));
  }

  rendering& m_;
  std::string_view text_;
  bool markup_;
  const value& argument_;
  bool tuple_ = false;
  bool mapping_ = false;
  std::size_t used_ = 0;
  std::optional<value> keyed_;
  std::size_t at_ = 0;
  std::string out_;
};

}  // namespace

value percent(rendering& r, const value& format, const value& argument) {
  return r.text(percent_format(r, format, argument).run(), is_markup(format));
}

}  // namespace jinja
