#include "json.hpp"

#include <charconv>
#include <system_error>

#include <inferbench/json_writer.hpp>

namespace json {

namespace {

constexpr std::string_view blanks = " \t\r\n";

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  const auto found = text.find_first_not_of(blanks, at);
  return found == std::string_view::npos ? text.size() : found;
}

/// Behind the string that begins at `at`; 0 when it does not end.
std::size_t string_end(std::string_view text, std::size_t at) {
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      return i + 1;
  }
  return 0;
}

/// Behind the value that begins at `at`; 0 when it does not end.
std::size_t value_end(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  for (std::size_t i = at; i < text.size();) {
    const char c = text[i];
    if (c == '"') {
      i = string_end(text, i);
      if (i == 0 || depth == 0) return i;
      continue;
    }
    const bool closes = c == '}' || c == ']';
    if (depth == 0 && (closes || c == ',')) return i;
    ++i;
    if (c == '{' || c == '[') ++depth;
    if (closes && --depth == 0) return i;
  }
  return depth == 0 ? text.size() : 0;
}

/// A member of an object by its name, or of an array by its number.
std::optional<std::string_view> member(std::string_view container, std::string_view step) {
  if (container.empty() || (container.front() != '{' && container.front() != '[')) return {};
  const bool object = container.front() == '{';
  std::size_t at = skip_blanks(container, 1);
  for (std::size_t index = 0;; ++index) {
    bool found = step == std::to_string(index);
    if (object) {
      if (at >= container.size() || container[at] != '"') return {};
      const std::size_t end = string_end(container, at);
      if (end == 0) return {};
      found = container.substr(at + 1, end - at - 2) == step;
      at = skip_blanks(container, end);
      if (at >= container.size() || container[at] != ':') return {};
      at = skip_blanks(container, at + 1);
    }
    const std::size_t end = value_end(container, at);
    if (end <= at) return {};
    if (found) {
      const std::string_view value = container.substr(at, end - at);
      return value.substr(0, value.find_last_not_of(blanks) + 1);
    }
    at = skip_blanks(container, end);
    if (at >= container.size() || container[at] != ',') return {};
    at = skip_blanks(container, at + 1);
  }
}

std::optional<std::uint32_t> hex(std::string_view digits) {
  std::uint32_t out = 0;
  const char* end = digits.data() + digits.size();
  if (digits.size() != 4 || std::from_chars(digits.data(), end, out, 16).ptr != end) return {};
  return out;
}

void append_utf8(std::string& to, std::uint32_t code) {
  const auto follow = [&](unsigned shift) {
    to += static_cast<char>(0x80U | (code >> shift & 0x3FU));
  };
  if (code < 0x80) {
    to += static_cast<char>(code);
  } else if (code < 0x800) {
    to += static_cast<char>(0xC0U | code >> 6U);
    follow(0);
  } else if (code < 0x10000) {
    to += static_cast<char>(0xE0U | code >> 12U);
    follow(6), follow(0);
  } else {
    to += static_cast<char>(0xF0U | code >> 18U);
    follow(12), follow(6), follow(0);
  }
}

}  // namespace

std::optional<std::string_view> find(std::string_view document, std::string_view path) {
  std::string_view value = document.substr(skip_blanks(document, 0));
  for (;;) {
    const auto dot = path.find('.');
    const auto next = member(value, path.substr(0, dot));
    if (!next || dot == std::string_view::npos) return next;
    value = *next;
    path.remove_prefix(dot + 1);
  }
}

std::optional<std::string> text(std::string_view value) {
  if (value.size() < 2 || value[0] != '"' || string_end(value, 0) != value.size()) return {};
  value = value.substr(1, value.size() - 2);
  std::string out;
  out.reserve(value.size());
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i] != '\\') {
      // Texts of the contract are UTF-8 (R1), whatever a server sends.
      const auto [length, good] = ifb::utf8_sequence(value.substr(i));
      out += good ? value.substr(i, length) : "\xEF\xBF\xBD";
      i += length - 1;
      continue;
    }
    constexpr std::string_view from = "\"\\/bfnrt";
    constexpr std::string_view to = "\"\\/\b\f\n\r\t";
    const char escape = value[++i];
    if (const auto which = from.find(escape); which != std::string_view::npos) {
      out += to[which];
      continue;
    }
    if (escape != 'u') return {};
    const auto unit = hex(value.substr(i + 1, 4));
    if (!unit) return {};
    i += 4;
    std::uint32_t code = *unit;
    if (code >= 0xD800 && code < 0xDC00 && value.substr(i + 1, 2) == "\\u") {
      const auto low = hex(value.substr(i + 3, 4));
      if (low && *low >= 0xDC00 && *low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10U) + (*low - 0xDC00);
        i += 6;
      }
    }
    // Half a pair is no character.
    append_utf8(out, code >= 0xD800 && code < 0xE000 ? 0xFFFD : code);
  }
  return out;
}

std::int64_t integer(std::optional<std::string_view> value) {
  std::int64_t out = 0;
  if (!value) return -1;
  const char* end = value->data() + value->size();
  const auto [stop, problem] = std::from_chars(value->data(), end, out);
  return problem == std::errc{} && stop == end ? out : -1;
}

}  // namespace json
