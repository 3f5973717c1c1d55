#include "pytext/python_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "base/text.hpp"

namespace inferbench::pytext {

namespace {

using options::node;

struct code_range {
  char32_t first, last;
};

// Code points for which Python's str.isprintable() is false: control and format characters,
// separators other than the blank, private use, and noncharacters. Unassigned code points depend on
// the version of Python and are left out.
constexpr std::array<code_range, 34> not_printable{{
    {0x0000, 0x001F},   {0x007F, 0x00A0},     {0x00AD, 0x00AD},   {0x0600, 0x0605},
    {0x061C, 0x061C},   {0x06DD, 0x06DD},     {0x070F, 0x070F},   {0x0890, 0x0891},
    {0x08E2, 0x08E2},   {0x1680, 0x1680},     {0x180E, 0x180E},   {0x2000, 0x200F},
    {0x2028, 0x202F},   {0x205F, 0x2064},     {0x2066, 0x206F},   {0x3000, 0x3000},
    {0xD800, 0xF8FF},   {0xFDD0, 0xFDEF},     {0xFEFF, 0xFEFF},   {0xFFF9, 0xFFFB},
    {0xFFFE, 0xFFFF},   {0x110BD, 0x110BD},   {0x110CD, 0x110CD}, {0x13430, 0x1343F},
    {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A},   {0x1FFFE, 0x1FFFF}, {0x2FFFE, 0x2FFFF},
    {0x3FFFE, 0x3FFFF}, {0xE0001, 0xE0001},   {0xE0020, 0xE007F}, {0xEFFFE, 0xEFFFF},
    {0xF0000, 0xFFFFF}, {0x100000, 0x10FFFF},
}};

bool printable(char32_t point) {
  const auto* const after = std::ranges::upper_bound(not_printable, point, {}, &code_range::first);
  return after == not_printable.begin() || point > std::prev(after)->last;
}

/// Calls `take` with each code point and its bytes. `text` must be valid UTF-8.
template <typename function>
void each_point(std::string_view text, function&& take) {
  for (std::size_t i = 0; i < text.size();) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const std::size_t length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
    char32_t point = length == 1 ? byte : byte & (0x7FU >> length);
    for (std::size_t k = 1; k < length; ++k)
      point = (point << 6U) | (static_cast<unsigned char>(text[i + k]) & 0x3FU);
    take(point, text.substr(i, length));
    i += length;
  }
}

// repr() of a str.
void put_quoted(std::string& out, std::string_view given) {
  const std::string text = base::valid_utf8(given);
  const bool single = text.find('\'') != std::string::npos;
  const char quote = single && text.find('"') == std::string::npos ? '"' : '\'';
  out += quote;
  each_point(text, [&](char32_t point, std::string_view bytes) {
    const auto code = static_cast<std::uint32_t>(point);
    if (point == U'\\' || point == static_cast<char32_t>(quote))
      (out += '\\') += bytes;
    else if (point == U'\n')
      out += "\\n";
    else if (point == U'\r')
      out += "\\r";
    else if (point == U'\t')
      out += "\\t";
    else if (printable(point))
      out += bytes;
    else if (code <= 0xFF)
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", code);
    else if (code <= 0xFFFF)
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", code);
    else
      fmt::format_to(std::back_inserter(out), "\\U{:08x}", code);
  });
  out += quote;
}

// A string of json.dumps().
void put_escaped(std::string& out, std::string_view given) {
  const auto unit = [&](std::uint32_t code) {
    fmt::format_to(std::back_inserter(out), "\\u{:04x}", code);
  };
  out += '"';
  each_point(base::valid_utf8(given), [&](char32_t point, std::string_view bytes) {
    const auto code = static_cast<std::uint32_t>(point);
    switch (point) {
      case U'"': out += "\\\""; break;
      case U'\\': out += "\\\\"; break;
      case U'\n': out += "\\n"; break;
      case U'\r': out += "\\r"; break;
      case U'\t': out += "\\t"; break;
      case U'\f': out += "\\f"; break;
      case U'\b': out += "\\b"; break;
      default:
        if (code >= 0x20 && code < 0x7F) {
          out += bytes;
        } else if (code <= 0xFFFF) {
          unit(code);
        } else {
          unit(0xD800 + ((code - 0x10000) >> 10U));
          unit(0xDC00 + ((code - 0x10000) & 0x3FFU));
        }
    }
  });
  out += '"';
}

/// The words and quotes of a notation.
struct notation {
  const char* null;
  const char* yes;
  const char* no;
  void (*text)(std::string&, std::string_view);
  void (*real)(std::string&, double);
};

constexpr notation python{"None", "True", "False", &put_quoted,
                          [](std::string& out, double value) { out += base::shortest(value); }};
constexpr notation dumps{"null", "true", "false", &put_escaped, [](std::string& out, double value) {
                           if (std::isnan(value))
                             out += "NaN";
                           else if (std::isinf(value))
                             out += value > 0 ? "Infinity" : "-Infinity";
                           else
                             out += base::shortest(value);
                         }};

/// Writes values of either tree in a notation. `indent` 0: on one line.
class value_printer {
 public:
  value_printer(const notation& form, int indent) : form_(form), indent_(indent) {}

  void put(const node& value) {
    switch (value.type) {
      case node::kind::null: out_ += form_.null; break;
      case node::kind::boolean: out_ += value.boolean ? form_.yes : form_.no; break;
      case node::kind::integer: out_ += std::to_string(value.integer); break;
      case node::kind::real: form_.real(out_, value.real); break;
      case node::kind::big: out_ += value.text; break;
      case node::kind::text: form_.text(out_, value.text); break;
      case node::kind::list:
        open('[');
        for (const node& inner : value.items)
          element([&] { put(inner); });
        close(']', value.items.empty());
        break;
      case node::kind::table:
        open('{');
        for (std::size_t i = 0; i < value.items.size(); ++i)
          element([&] { member(value.names[i], value.items[i]); });
        close('}', value.items.empty());
        break;
    }
  }

  void put(const ifb::json_value& value) {
    switch (value.GetType()) {
      case rapidjson::kNullType: out_ += form_.null; break;
      case rapidjson::kTrueType: out_ += form_.yes; break;
      case rapidjson::kFalseType: out_ += form_.no; break;
      case rapidjson::kStringType: form_.text(out_, ifb::text_of(&value)); break;
      case rapidjson::kNumberType:
        if (value.IsInt64())
          out_ += std::to_string(value.GetInt64());
        else if (value.IsUint64())
          out_ += std::to_string(value.GetUint64());
        else
          form_.real(out_, value.GetDouble());
        break;
      case rapidjson::kArrayType:
        open('[');
        for (const auto& inner : value.GetArray())
          element([&] { put(inner); });
        close(']', value.Empty());
        break;
      case rapidjson::kObjectType:
        open('{');
        for (const auto& inner : value.GetObject())
          element([&] { member(ifb::text_of(&inner.name), inner.value); });
        close('}', value.ObjectEmpty());
        break;
    }
  }

  std::string take() { return std::move(out_); }

 private:
  void open(char bracket) {
    out_ += bracket;
    ++depth_;
    first_ = true;
  }

  void close(char bracket, bool empty) {
    --depth_;
    if (!empty) line();
    out_ += bracket;
    first_ = false;
  }

  template <typename function>
  void element(function&& put_it) {
    if (!first_) out_ += indent_ > 0 ? "," : ", ";
    line();
    first_ = false;
    put_it();
  }

  template <typename tree>
  void member(std::string_view name, const tree& value) {
    form_.text(out_, name);
    out_ += ": ";
    put(value);
  }

  void line() {
    if (indent_ == 0) return;
    out_ += '\n';
    out_.append(static_cast<std::size_t>(indent_) * depth_, ' ');
  }

  const notation& form_;
  int indent_;
  std::size_t depth_ = 0;
  bool first_ = true;
  std::string out_;
};

template <typename tree>
std::string printed(const tree& value, const notation& form, int indent) {
  value_printer out(form, indent);
  out.put(value);
  return out.take();
}

}  // namespace

std::string python_text(const node& value) {
  return value.is(node::kind::text) ? value.text : printed(value, python, 0);
}

std::string python_text(const ifb::json_value& value) {
  return value.IsString() ? std::string(ifb::text_of(&value)) : printed(value, python, 0);
}

std::string python_repr(const node& value) { return printed(value, python, 0); }

std::string python_repr(const ifb::json_value& value) { return printed(value, python, 0); }

std::string python_repr(std::string_view text) {
  std::string out;
  put_quoted(out, text);
  return out;
}

std::string python_repr(const std::vector<std::string>& words) {
  node list = node::list();
  for (const std::string& word : words)
    list.items.push_back(node::of(word));
  return python_repr(list);
}

std::string python_json(const node& value) { return printed(value, dumps, 0); }

std::string python_json(const ifb::json_value& value, int indent) {
  return printed(value, dumps, indent);
}

}  // namespace inferbench::pytext
