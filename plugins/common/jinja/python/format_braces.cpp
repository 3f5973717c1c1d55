#include "escape.hpp"
#include "format.hpp"
#include "python.hpp"
#include "unicode.hpp"

namespace jinja {

namespace {

class spec_parser {
 public:
  explicit spec_parser(std::string_view text) : text_(text) {}

  format_spec run(char fallback_align) {
    format_spec out;
    alignment(out);
    if (at() == '+' || at() == '-' || at() == ' ') out.sign = take();
    if (at() == 'z') {
      out.plain_zero = true;
      take();
    }
    if (at() == '#') {
      out.alternate = true;
      take();
    }
    if (at() == '0') {
      if (out.align == 0) {
        out.fill = '0';
        out.align = fallback_align;
      }
      take();
    }
    if (digit()) out.width = number();
    if (at() == ',' || at() == '_') out.grouping = take();
    if (at() == ',' || at() == '_') raise_value("Cannot specify both ',' and '_'.");
    if (at() == '.') {
      take();
      if (!digit()) raise_value("Format specifier missing precision");
      out.precision = number();
    }
    if (text_.size() > 1) refuse();
    if (!text_.empty()) out.type = take();
    return out;
  }

 private:
  [[nodiscard]] char at() const { return text_.empty() ? '\0' : text_[0]; }
  [[nodiscard]] bool digit() const { return at() >= '0' && at() <= '9'; }
  char take() {
    const char out = at();
    text_.remove_prefix(1);
    return out;
  }

  static bool aligns(char c) { return c == '<' || c == '>' || c == '=' || c == '^'; }

  void alignment(format_spec& out) {
    if (text_.empty()) return;
    std::size_t behind = 0;
    const char32_t first = unicode::next(text_, behind);
    if (behind < text_.size() && aligns(text_[behind])) {
      out.fill = first;
      out.align = text_[behind];
      text_.remove_prefix(behind + 1);
    } else if (aligns(at())) {
      out.align = take();
    }
  }

  std::int64_t number() {
    std::int64_t out = 0;
    for (; digit(); take()) {
      if (out > INT32_MAX) raise_value("Too many decimal digits in format string");
      out = out * 10 + (at() - '0');
    }
    return out;
  }

  [[noreturn]] void refuse() const { raise_value("Invalid format specifier"); }

  std::string_view text_;
};

[[noreturn]] void unknown_code(char code, const value& of) {
  raise_value(std::string("Unknown format code '") + code + "' for object of type '" +
              type_name(of) + "'");
}

std::string format_string(rendering& r, const value& of, std::string_view spec) {
  const format_spec how = spec_parser(spec).run('<');
  if (how.type != 0 && how.type != 's') unknown_code(how.type, of);
  if (how.sign != '-') raise_value("Sign not allowed in string format specifier");
  if (how.plain_zero)
    raise_value("Negative zero coercion (z) not allowed in string format specifier");
  if (how.alternate) raise_value("Alternate form (#) not allowed in string format specifier");
  if (how.align == '=') raise_value("'=' alignment not allowed in string format specifier");
  if (how.grouping != 0)
    raise_value(std::string("Cannot specify '") + how.grouping + "' with 's'.");
  return format_text(r, of.text(), how);
}

std::string format_whole(rendering& r, const value& of, std::string_view spec) {
  format_spec how = spec_parser(spec).run('=');
  switch (how.type) {
    case 0:
    case 'd':
    case 'n':
    case 'b':
    case 'o':
    case 'x':
    case 'X':
      if (how.plain_zero)
        raise_value("Negative zero coercion (z) not allowed in integer format specifier");
      if (how.precision >= 0) raise_value("Precision not allowed in integer format specifier");
      return format_integer(r, of.integer(), how);
    case 'c': {
      if (how.sign != '-') raise_value("Sign not allowed with integer format specifier 'c'");
      if (how.alternate)
        raise_value("Alternate form (#) not allowed with integer format specifier 'c'");
      if (of.integer() < 0 || of.integer() > 0x10ffff)
        raise("OverflowError", "%c arg not in range(0x110000)");
      if (of.integer() >= 0xd800 && of.integer() < 0xe000) raise_unsupported("a lone surrogate");
      std::string text;
      unicode::append(text, static_cast<char32_t>(of.integer()));
      return format_text(r, text, how);
    }
    case 'e':
    case 'E':
    case 'f':
    case 'F':
    case 'g':
    case 'G':
    case '%': return format_real(r, of.number(), how);
    default: unknown_code(how.type, of);
  }
}

std::string format_float(rendering& r, const value& of, std::string_view spec) {
  const format_spec how = spec_parser(spec).run('=');
  if (how.type != 0 && std::string_view("eEfFgGn%").find(how.type) == std::string_view::npos)
    unknown_code(how.type, of);
  return format_real(r, of.number(), how);
}

class braces_format {
 public:
  braces_format(rendering& r, bool markup, const arguments& given)
      : m_(r), markup_(markup), given_(given) {}

  // NOLINTNEXTLINE(misc-no-recursion): two levels
  std::string run(std::string_view text, int depth) {
    if (depth < 0) raise_value("Max string recursion exceeded");
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t mark = text.find_first_of("{}", at);
      out += text.substr(at, mark - at);
      if (mark == std::string_view::npos) break;
      const char c = text[mark];
      at = mark + 1;
      if (at < text.size() && text[at] == c) {
        out.push_back(c);
        ++at;
        continue;
      }
      if (c == '}') raise_value("Single '}' encountered in format string");
      if (at >= text.size()) raise_value("Single '{' encountered in format string");
      const std::size_t end = closing(text, at);
      out += field(text.substr(at, end - at), depth);
      m_.allow(out.size());
      m_.step();
      at = end + 1;
    }
    return out;
  }

 private:
  static std::size_t closing(std::string_view text, std::size_t at) {
    int open = 1;
    for (; at < text.size(); ++at) {
      if (text[at] == '{') ++open;
      if (text[at] == '}' && --open == 0) return at;
    }
    raise_value("expected '}' before end of string");
  }

  // NOLINTNEXTLINE(misc-no-recursion): two levels
  std::string field(std::string_view inside, int depth) {
    // The name ends at "!" or ":" outside brackets.
    std::size_t end = 0;
    bool bracket = false;
    for (; end < inside.size(); ++end) {
      if (inside[end] == '[') bracket = true;
      if (inside[end] == ']') bracket = false;
      if (inside[end] == '{') raise_value("unexpected '{' in field name");
      if (!bracket && (inside[end] == '!' || inside[end] == ':')) break;
    }
    const std::string_view name = inside.substr(0, end);
    char conversion = 0;
    if (end < inside.size() && inside[end] == '!') {
      if (end + 1 >= inside.size())
        raise_value("end of string while looking for conversion specifier");
      conversion = inside[end + 1];
      end += 2;
      if (end < inside.size() && inside[end] != ':')
        raise_value("expected ':' after conversion specifier");
    }
    const std::string_view spec = end < inside.size() ? inside.substr(end + 1) : std::string_view();
    value of = resolve(name);
    if (conversion == 'r' || conversion == 'a')
      of = m_.text(conversion == 'a' ? ascii(repr(m_, of)) : repr(m_, of));
    else if (conversion == 's')
      of = m_.text(str(m_, of));
    else if (conversion != 0)
      raise_value(std::string("Unknown conversion specifier ") + conversion);
    const std::string expanded = run(spec, depth - 1);
    if (markup_ && is_markup(of)) {
      if (!expanded.empty()) raise_value("Unsupported format specification for Markup.");
      return std::string(of.text());
    }
    const std::string text = format_value(m_, of, expanded);
    return markup_ ? escaped(text) : text;
  }

  static std::string ascii(std::string_view text) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
      const char32_t c = unicode::next(text, at);
      if (c < 0x80) {
        out.push_back(static_cast<char>(c));
        continue;
      }
      const int digits = c <= 0xff ? 2 : c <= 0xffff ? 4 : 8;
      out += digits == 2 ? "\\x" : digits == 4 ? "\\u" : "\\U";
      for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4)
        out.push_back("0123456789abcdef"[c >> static_cast<unsigned>(shift) & 0xfU]);
    }
    return out;
  }

  static std::optional<std::size_t> number(std::string_view text) {
    if (text.empty() || text.size() > 9) return std::nullopt;
    std::size_t out = 0;
    for (const char c : text) {
      if (c < '0' || c > '9') return std::nullopt;
      out = out * 10 + static_cast<std::size_t>(c - '0');
    }
    return out;
  }

  value first(std::string_view name) {
    if (name.empty()) {
      if (manual_)
        raise_value("cannot switch from manual field specification to automatic field numbering");
      automatic_ = true;
      return positional(next_++);
    }
    if (const auto index = number(name)) {
      if (automatic_)
        raise_value("cannot switch from manual field specification to automatic field numbering");
      manual_ = true;
      return positional(*index);
    }
    for (const named_argument& named : given_.named)
      if (named.name.text() == name) return named.content;
    raise("KeyError", quoted(name));
  }

  value positional(std::size_t index) {
    if (index >= given_.given.size()) raise("IndexError", "tuple index out of range");
    return given_.given[index];
  }

  value resolve(std::string_view name) {
    std::size_t at = std::min(name.find_first_of(".["), name.size());
    value of = first(name.substr(0, at));
    while (at < name.size()) {
      if (name[at] == '.') {
        const std::size_t end = std::min(name.find_first_of(".[", at + 1), name.size());
        if (end == at + 1) raise_value("Empty attribute in format string");
        of = get_attribute(m_, of, m_.text(name.substr(at + 1, end - at - 1)));
        at = end;
      } else if (name[at] == '[') {
        const std::size_t end = name.find(']', at);
        if (end == std::string_view::npos) raise_value("Missing ']' in format string");
        const std::string_view key = name.substr(at + 1, end - at - 1);
        if (key.empty()) raise_value("Empty attribute in format string");
        const auto index = number(key);
        of = get_item(m_, of, index ? value::count(*index) : m_.text(key));
        at = end + 1;
      } else {
        raise_value("Only '.' or '[' may follow ']' in format field specifier");
      }
    }
    return of;
  }

  rendering& m_;
  bool markup_;
  const arguments& given_;
  bool automatic_ = false;
  bool manual_ = false;
  std::size_t next_ = 0;
};

}  // namespace

std::string format_value(rendering& r, const value& of, std::string_view spec) {
  if (spec.empty()) return str(r, of);
  if (of.is(kind::text)) return format_string(r, of, spec);
  if (of.is_whole()) return format_whole(r, of, spec);
  if (of.is(kind::real)) return format_float(r, of, spec);
  raise_type("unsupported format string passed to " + type_name(of) + ".__format__");
}

value format_braces(rendering& r, const value& format, const arguments& given) {
  const bool markup = is_markup(format);
  return r.text(braces_format(r, markup, given).run(format.text(), 2), markup);
}

}  // namespace jinja
