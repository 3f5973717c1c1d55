// A position in JSON text, and the steps over its tokens. A step returns false if the text is
// malformed or unusual; RapidJSON then reads the event. A step never accepts text that RapidJSON
// refuses.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "scan.hpp"

namespace openai::reading {

/// A number without fraction and exponent: -size or size.
struct whole_number {
  bool negative = false;
  std::uint64_t size = 0;
};

// Steps that are long or rare. Each function starts at a position in the text of a cursor and
// returns the position after the step; nullptr if the step fails. The functions do not take a
// cursor, because the compiler keeps a cursor in registers only if its address is not passed.
// `last` is the last byte of the text.

/// Decodes the escape that begins with the backslash at `at` into `code`. Halves of surrogate pairs
/// count as unusual text.
[[nodiscard]] const char* skip_escape(const char* at, unsigned& code) noexcept;
/// Steps over the rest of a string, starting at its first backslash.
[[nodiscard]] const char* skip_escaped_text(const char* at, const char* last) noexcept;
struct decoded_text {
  const char* at;  // the position after the string
  char* to;        // the end of the decoded text
};
/// Decodes a string: `begin` is its first byte, `at` its first backslash. Writes the text to `to`.
/// The text never has more bytes than the string.
[[nodiscard]] decoded_text decode_text(const char* begin, const char* at, const char* last,
                                       char* to) noexcept;
/// Steps over the rest of a number after its integer digits: a fraction, an exponent, or nothing.
[[nodiscard]] const char* skip_fraction(const char* at) noexcept;
/// Steps over an object or a list of at most 64 levels.
[[nodiscard]] const char* skip_container(const char* at, const char* last) noexcept;

/// The text has more than `window` bytes, and its last byte is '}'. White space, digits, strings
/// and literals end at this byte at the latest, so only few steps need a bound. The cursor never
/// goes past this byte.
class cursor {
 public:
  cursor(const char* at, const char* last) noexcept : at_(at), last_(last) {}

  [[nodiscard]] char peek() const noexcept { return *at_; }
  [[nodiscard]] const char* at() const noexcept { return at_; }
  [[nodiscard]] bool at_last() const noexcept { return at_ == last_; }

  void blanks() noexcept {
    while (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')
      ++at_;
  }
  /// Steps over the current byte, which is not the last byte, and over the white space after it.
  void next() noexcept {
    ++at_;
    blanks();
  }

  /// Steps over null, true or false.
  [[nodiscard]] bool literal(std::string_view word) noexcept {
    if (static_cast<std::size_t>(last_ - at_) < word.size()) return false;
    if (std::memcmp(at_, word.data(), word.size()) != 0) return false;
    at_ += word.size();
    return true;
  }

  /// Steps over a string. `out` is its text: a view into the event or, if the string has an escape,
  /// a view to `spare`. `spare` then moves to the end of the text, which never needs more bytes
  /// than the string in the event.
  [[nodiscard]] bool text(std::string_view& out, char*& spare) noexcept {
    if (*at_ != '"') return false;
    const char* const begin = ++at_;
    at_ = plain_end(at_, last_);
    if (*at_ == '"') {
      out = {begin, static_cast<std::size_t>(at_++ - begin)};
      return true;
    }
    const auto [behind, to] = decode_text(begin, at_, last_, spare);
    out = {spare, static_cast<std::size_t>(to - spare)};
    spare = to;
    return go(behind);
  }
  [[nodiscard]] bool skip_text() noexcept {
    if (*at_ != '"') return false;
    at_ = plain_end(at_ + 1, last_);
    if (*at_ != '"') return go(skip_escaped_text(at_, last_));
    ++at_;
    return true;
  }

  /// Steps over a number of at most 18 digits, without a fraction and without an exponent.
  [[nodiscard]] bool whole(whole_number& out) noexcept {
    return integer(out) && *at_ != '.' && *at_ != 'e' && *at_ != 'E';
  }

  /// Steps over any value. Numbers may be up to 1e117; larger numbers are left to RapidJSON, which
  /// refuses a number that is too large for a double.
  [[nodiscard]] bool skip() noexcept {
    return *at_ == '{' || *at_ == '[' ? go(skip_container(at_, last_)) : skip_scalar();
  }
  [[nodiscard]] bool skip_scalar() noexcept {
    switch (*at_) {
      case '"': return skip_text();
      case 'n': return literal("null");
      case 't': return literal("true");
      case 'f': return literal("false");
      default: break;
    }
    whole_number ignored;
    if (!integer(ignored)) return false;
    return *at_ == ',' || *at_ == '}' || *at_ == ']' || go(skip_fraction(at_));
  }

  /// Steps over the colon after a key and the white space around the colon.
  [[nodiscard]] bool colon() noexcept {
    blanks();
    if (*at_ != ':') return false;
    next();
    return true;
  }

 private:
  [[nodiscard]] bool go(const char* there) noexcept {
    if (there != nullptr) at_ = there;
    return there != nullptr;
  }
  [[nodiscard]] unsigned digit() const noexcept {
    return static_cast<unsigned>(static_cast<unsigned char>(*at_)) - '0';
  }
  [[nodiscard]] bool integer(whole_number& out) noexcept {
    out.negative = *at_ == '-';
    if (out.negative) ++at_;
    const char* const begin = at_;
    if (digit() > 9) return false;
    out.size = digit();
    ++at_;
    if (out.size == 0) return true;
    for (; digit() <= 9; ++at_)
      // overflow is harmless: a number of more than 18 digits fails below
      out.size = out.size * 10 + digit();
    return at_ - begin <= 18;
  }

  const char* at_;
  const char* last_;
};

}  // namespace openai::reading
