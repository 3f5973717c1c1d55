#include "cursor.hpp"

namespace openai::reading {
namespace {

/// Returns the value of a hexadecimal digit, or 16 if `c` is not a hexadecimal digit.
unsigned hex_value(char c) noexcept {
  const char lower = static_cast<char>(c | 0x20);
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  return lower >= 'a' && lower <= 'f' ? static_cast<unsigned>(lower - 'a' + 10) : 16;
}

/// Writes the UTF-8 of a code point below 0x10000 and returns the end of its bytes.
char* encode(char* out, unsigned code) noexcept {
  const auto put = [&](unsigned byte) { *out++ = static_cast<char>(byte); };
  const auto put_tail = [&](unsigned bits) { put(0x80U | (bits & 0x3FU)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0U | code >> 6U);
    put_tail(code);
  } else {
    put(0xE0U | code >> 12U);
    put_tail(code >> 6U);
    put_tail(code);
  }
  return out;
}

}  // namespace

const char* skip_escape(const char* at, unsigned& code) noexcept {
  if (*at != '\\') return nullptr;
  switch (at[1]) {
    case '"':
    case '\\':
    case '/': code = static_cast<unsigned char>(at[1]); break;
    case 'b': code = '\b'; break;
    case 'f': code = '\f'; break;
    case 'n': code = '\n'; break;
    case 'r': code = '\r'; break;
    case 't': code = '\t'; break;
    case 'u': {
      code = 0;
      // The last byte of the event is '}', which is not a digit, so the loop never reads past it.
      for (const char* digit = at + 2; digit != at + 6; ++digit) {
        const unsigned value = hex_value(*digit);
        if (value > 15) return nullptr;
        code = code << 4U | value;
      }
      return code >= 0xD800 && code <= 0xDFFF ? nullptr : at + 6;
    }
    default: return nullptr;
  }
  return at + 2;
}

const char* skip_escaped_text(const char* at, const char* last) noexcept {
  for (;;) {
    unsigned ignored = 0;
    at = skip_escape(at, ignored);
    if (at == nullptr) return nullptr;
    at = plain_end(at, last);
    if (*at == '"') return at + 1;
  }
}

decoded_text decode_text(const char* begin, const char* at, const char* last, char* to) noexcept {
  for (;;) {
    const auto plain = static_cast<std::size_t>(at - begin);
    std::memcpy(to, begin, plain);
    to += plain;
    if (*at == '"') return {at + 1, to};
    unsigned code = 0;
    begin = skip_escape(at, code);
    if (begin == nullptr) return {nullptr, to};
    to = encode(to, code);
    at = plain_end(begin, last);
  }
}

const char* skip_fraction(const char* at) noexcept {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (*at == '.') {
    if (!is_digit(*++at)) return nullptr;
    while (is_digit(*at))
      ++at;
  }
  if (*at != 'e' && *at != 'E') return at;
  ++at;
  if (*at == '+' || *at == '-') ++at;
  const char* const exponent = at;
  while (is_digit(*at))
    ++at;
  return at != exponent && at - exponent <= 2 ? at : nullptr;
}

const char* skip_container(const char* begin, const char* last) noexcept {
  cursor at(begin, last);
  // one bit for each level; the lowest bit is the innermost level; 1: list, 0: object
  std::uint64_t lists = 0;
  unsigned depth = 0;
  bool more = true;  // the next token is a value or, in an object, the key of a value
  for (;;) {
    const bool list = (lists & 1U) != 0;
    if (more) {
      if (depth != 0 && !list && !(at.skip_text() && at.colon())) return nullptr;
      if (at.peek() == '{' || at.peek() == '[') {
        if (++depth > 64) return nullptr;
        const bool inner = at.peek() == '[';
        lists = lists << 1U | (inner ? 1U : 0U);
        at.next();
        more = at.peek() != (inner ? ']' : '}');
      } else {
        if (!at.skip_scalar()) return nullptr;
        at.blanks();
        more = false;
      }
    } else if (at.peek() == ',') {
      at.next();
      more = true;
    } else {
      if (at.peek() != (list ? ']' : '}') || at.at_last()) return nullptr;
      if (--depth == 0) return at.at() + 1;
      lists >>= 1U;
      at.next();
    }
  }
}

}  // namespace openai::reading
