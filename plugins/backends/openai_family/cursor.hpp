// A place in JSON text, and the steps over its tokens. A step that returns false has
// met malformed or unusual text: RapidJSON then reads the event. A step accepts nothing
// that RapidJSON refuses.
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

// Steps that are long or rare, from a place in the text of a cursor to the place behind
// the step; nullptr if they fail. They take no cursor: the compiler keeps a cursor in
// registers as long as its address is not passed. `last`: the last byte of the text.

/// The character that a backslash at `at` stands for; halves of surrogate pairs are
/// unusual.
[[nodiscard]] const char* skip_escape(const char* at, unsigned& code) noexcept;
/// The rest of a string, from its first backslash on.
[[nodiscard]] const char* skip_escaped_text(const char* at, const char* last) noexcept;
struct decoded_text {
  const char* at;  // behind the string
  char* to;        // behind its text
};
/// The rest of a string from `begin` on, with its first backslash at `at`. Writes its
/// text to `to`, no more bytes than the string has.
[[nodiscard]] decoded_text decode_text(const char* begin, const char* at, const char* last,
                                       char* to) noexcept;
/// The rest of a number behind the digits of its integer: a fraction, an exponent, or nothing.
[[nodiscard]] const char* skip_fraction(const char* at) noexcept;
/// An object or a list of at most 64 levels.
[[nodiscard]] const char* skip_container(const char* at, const char* last) noexcept;

/// The text has more than `window` bytes, and '}' is the last of them: blanks, digits,
/// strings and literals end there at the latest, so that few steps need a bound. The
/// cursor never goes behind that byte.
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
  /// Over the byte here, which is not the last, and the blanks behind it.
  void next() noexcept {
    ++at_;
    blanks();
  }

  /// null, true or false.
  [[nodiscard]] bool literal(std::string_view word) noexcept {
    if (static_cast<std::size_t>(last_ - at_) < word.size()) return false;
    if (std::memcmp(at_, word.data(), word.size()) != 0) return false;
    at_ += word.size();
    return true;
  }

  /// A string. `out`: its text, in the event itself or, where it has an escape, at
  /// `spare`, which moves behind it; it takes no more bytes there than in the event.
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

  /// A number of at most 18 digits, without fraction and exponent.
  [[nodiscard]] bool whole(whole_number& out) noexcept {
    return integer(out) && *at_ != '.' && *at_ != 'e' && *at_ != 'E';
  }

  /// Any value. Numbers: up to 1e117, since RapidJSON refuses those that are too large
  /// for a double.
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

  /// Over the colon behind a key and the blanks around it.
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
      out.size = out.size * 10 + digit();  // rolls over if it is too long anyway
    return at_ - begin <= 18;
  }

  const char* at_;
  const char* last_;
};

}  // namespace openai::reading
