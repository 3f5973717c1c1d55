// Writes JSON text in the default layout of Python's json.dumps: ", " and ": ", ASCII with \uXXXX,
// floats in their shortest form. This layout is used because tools compare result files with
// upstream's result files. The text is always valid JSON: infinite numbers become "inf" or "-inf",
// and NaN becomes null.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/text.hpp>

namespace ifb {

/// Appends `value` as Python's repr writes it: 10.0, 0.5, 1e+16, 1e-05, inf, nan.
inline void append_python_float(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
    return;
  }
  std::array<char, 40> text{};
  const auto sci =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::scientific);
  const std::string_view digits(text.data(), static_cast<std::size_t>(sci.ptr - text.data()));
  const auto e = digits.find('e');
  int exponent = 0;
  const char* first = digits.data() + e + 1;
  if (*first == '+') ++first;
  std::from_chars(first, sci.ptr, exponent);
  if (exponent < -4 || exponent >= 16) {
    out += digits;  // to_chars writes at least two exponent digits, like Python
    return;
  }
  const auto fixed =
      std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
  const std::string_view plain(text.data(), static_cast<std::size_t>(fixed.ptr - text.data()));
  out += plain;
  if (plain.find('.') == std::string_view::npos) out += ".0";
}

/// Appends `text` as a JSON string with its quotes. The result is ASCII; invalid UTF-8 becomes
/// U+FFFD.
inline void append_json_string(std::string& out, std::string_view text) {
  const auto is_plain = [](char c) { return c >= 0x20 && c < 0x7F && c != '"' && c != '\\'; };
  constexpr std::string_view hex = "0123456789abcdef";
  const auto unit = [&](std::uint32_t code) {
    out += "\\u";
    for (unsigned shift = 16; shift > 0; shift -= 4)
      out += hex[(code >> (shift - 4)) & 15U];
  };
  out += '"';
  for (std::size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x80) {
      ++i;
      switch (c) {
        case '"': out += "\\\""; break;
        case '\\': out += "\\\\"; break;
        case '\n': out += "\\n"; break;
        case '\r': out += "\\r"; break;
        case '\t': out += "\\t"; break;
        case '\b': out += "\\b"; break;
        case '\f': out += "\\f"; break;
        default:
          if (c < 0x20 || c == 0x7F) {
            unit(c);
          } else {
            // Most texts are long runs of such characters.
            std::size_t end = i;
            while (end < text.size() && is_plain(text[end]))
              ++end;
            out.append(text, i - 1, end - i + 1);
            i = end;
          }
      }
      continue;
    }
    const auto [length, good] = utf8_sequence(text.substr(i));
    std::uint32_t code = 0xFFFD;
    if (good) {
      code = c & (0xFFU >> (length + 1));
      for (std::size_t k = 1; k < length; ++k)
        code = code << 6U | (static_cast<unsigned char>(text[i + k]) & 0x3FU);
    }
    i += length;
    if (code >= 0x10000) {
      code -= 0x10000;
      unit(0xD800 + (code >> 10U));
      unit(0xDC00 + (code & 0x3FFU));
    } else {
      unit(code);
    }
  }
  out += '"';
}

/// Writes one JSON value piece by piece and adds the separators. For one thread. The caller must
/// keep the order: key() comes before each member.
class json_writer {
 public:
  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }

  void key(std::string_view name) {
    separate();
    append_json_string(out_, name);
    out_ += ": ";
    after_key_ = true;
  }

  void string(std::string_view text) {
    separate();
    append_json_string(out_, text);
  }
  void boolean(bool value) { raw(value ? "true" : "false"); }
  void null() { raw("null"); }
  void integer(std::integral auto value) {
    std::array<char, 24> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
    raw({text.data(), static_cast<std::size_t>(end - text.data())});
  }
  /// Infinity is written as the string "inf" or "-inf", NaN as null.
  void number(double value) {
    separate();
    if (std::isnan(value)) {
      out_ += "null";
    } else if (std::isinf(value)) {
      out_ += value > 0 ? "\"inf\"" : "\"-inf\"";
    } else {
      append_python_float(out_, value);
    }
  }
  /// `json` must be one valid JSON value.
  void raw(std::string_view json) {
    separate();
    out_ += json;
  }

  void member(std::string_view name, std::string_view text) { key(name), string(text); }
  void member(std::string_view name, const char* text) { key(name), string(text); }
  void member(std::string_view name, bool value) { key(name), boolean(value); }
  void member(std::string_view name, double value) { key(name), number(value); }
  template <std::integral number>
    requires(!std::same_as<number, bool>)
  void member(std::string_view name, number value) {
    key(name), integer(value);
  }

  [[nodiscard]] const std::string& text() const noexcept { return out_; }
  /// Returns the text. The writer is empty afterwards and can write another value.
  [[nodiscard]] std::string take() {
    first_.clear();
    after_key_ = false;
    return std::exchange(out_, {});
  }

 private:
  void separate() {
    if (std::exchange(after_key_, false) || first_.empty()) return;
    if (first_.back())
      first_.back() = false;
    else
      out_ += ", ";
  }
  void open(char bracket) {
    separate();
    out_ += bracket;
    first_.push_back(true);
  }
  void close(char bracket) {
    out_ += bracket;
    first_.pop_back();
  }

  std::string out_;
  std::vector<bool> first_;
  bool after_key_ = false;
};

}  // namespace ifb
