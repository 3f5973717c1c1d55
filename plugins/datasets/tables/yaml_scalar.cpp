#include "yaml_scalar.hpp"

#include <algorithm>

#include <inferbench/guard.hpp>
#include <inferbench/text.hpp>

namespace tables {

namespace {

[[noreturn]] void refuse(std::size_t line, const std::string& what) {
  throw ifb::failure(IFB_E_DATA, "line " + std::to_string(line) + ": " + what);
}

/// Returns the position after the quoted text that begins at `at`; npos if it does not end.
std::size_t end_of_quoted(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (++at; at < text.size(); ++at) {
    const bool escapes = text[at] == '\\' && quote == '"';
    const bool doubled =
        text[at] == quote && quote == '\'' && text.substr(at + 1).starts_with('\'');
    if (escapes || doubled)
      ++at;
    else if (text[at] == quote)
      return at + 1;
  }
  return text.npos;
}

bool is_quote(char c) { return c == '"' || c == '\''; }

/// Calls `visit(position)` for each character outside quoted texts, until it returns true. A
/// quotation mark begins a quoted text only where a value can begin.
template <typename visitor>
std::size_t find_outside_quotes(std::string_view text, visitor&& visit) {
  bool value_begins = true;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (value_begins && is_quote(text[at])) {
      const std::size_t end = end_of_quoted(text, at);
      if (end == text.npos) return text.npos;
      at = end - 1;
      value_begins = false;
      continue;
    }
    if (visit(at)) return at;
    constexpr std::string_view before_values = " ,[{:-";
    value_begins = before_values.find(text[at]) != before_values.npos;
  }
  return text.npos;
}

/// A value in brackets, read from left to right.
class flow_reader {
 public:
  flow_reader(std::string_view text, std::size_t line) : text_(text), line_(line) {}

  yaml_value all() {
    yaml_value out = value(0);
    skip_spaces();
    if (at_ < text_.size()) refuse(line_, "text after a value in brackets");
    return out;
  }

 private:
  static constexpr int deepest = 32;

  char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_spaces() {
    while (here() == ' ' || here() == '\t')
      ++at_;
  }

  yaml_value value(int depth) {
    skip_spaces();
    if (depth > deepest) refuse(line_, "nested too deeply");
    if (here() == '[' || here() == '{') return collection(here() == '{', depth);
    yaml_value out{.is = yaml_value::kind::scalar};
    out.text = scalar_text(word(), line_);
    return out;
  }

  yaml_value collection(bool mapping, int depth) {
    using kind = yaml_value::kind;
    yaml_value out{.is = mapping ? kind::mapping : kind::sequence};
    const char close = mapping ? '}' : ']';
    for (++at_;;) {
      skip_spaces();
      if (here() == close) break;
      if (mapping) {
        std::string key = scalar_text(word(), line_);
        skip_spaces();
        if (here() != ':') refuse(line_, "a colon must follow a key");
        ++at_;
        out.members.emplace_back(std::move(key), value(depth + 1));
      } else {
        out.items.push_back(value(depth + 1));
      }
      skip_spaces();
      if (here() == ',')
        ++at_;
      else if (here() != close)
        refuse(line_, std::string("the bracket ") + close + " is missing");
    }
    ++at_;
    return out;
  }

  std::string_view word() {
    const std::size_t begin = at_;
    if (is_quote(here())) {
      at_ = std::min(end_of_quoted(text_, at_), text_.size());
    } else {
      while (at_ < text_.size() && !ends_word())
        ++at_;
    }
    return ifb::trim(text_.substr(begin, at_ - begin));
  }
  bool ends_word() const {
    const char c = text_[at_];
    const char after = at_ + 1 < text_.size() ? text_[at_ + 1] : ' ';
    return c == ',' || c == ']' || c == '}' || (c == ':' && after == ' ');
  }

  std::string_view text_;
  std::size_t line_;
  std::size_t at_ = 0;
};

}  // namespace

std::string_view without_comment(std::string_view line) {
  const std::size_t at = find_outside_quotes(line, [&](std::size_t i) {
    return line[i] == '#' && (i == 0 || line[i - 1] == ' ' || line[i - 1] == '\t');
  });
  return line.substr(0, std::min(at, line.size()));
}

std::size_t colon_of_key(std::string_view line) {
  if (line.starts_with('[') || line.starts_with('{')) return line.npos;
  return find_outside_quotes(line, [&](std::size_t i) {
    return line[i] == ':' && (i + 1 == line.size() || line[i + 1] == ' ');
  });
}

std::string scalar_text(std::string_view text, std::size_t line) {
  if (text.empty()) return {};
  if (std::string_view("&!%@`").find(text[0]) != text.npos && text.size() > 1)
    refuse(line, "anchors and tags of YAML are not supported");
  if (!is_quote(text[0])) return std::string(text);
  if (end_of_quoted(text, 0) != text.size()) refuse(line, "a quotation mark is missing");
  const std::string_view inside = text.substr(1, text.size() - 2);
  std::string out;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    const bool doubled = text[0] == '\'' && inside[i] == '\'';
    const bool escaped = text[0] == '"' && inside[i] == '\\' && i + 1 < inside.size();
    if (doubled || escaped) ++i;
    if (escaped && (inside[i] == 'n' || inside[i] == 't'))
      out += inside[i] == 'n' ? '\n' : '\t';
    else if (i < inside.size())
      out += inside[i];
  }
  return out;
}

yaml_value flow_value(std::string_view text, std::size_t line) {
  if (text.starts_with('[') || text.starts_with('{')) return flow_reader(text, line).all();
  yaml_value out{.is = yaml_value::kind::scalar};
  out.text = scalar_text(text, line);
  return out;
}

}  // namespace tables
