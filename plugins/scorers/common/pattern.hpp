// Regular expressions whose cost is known: RE2 matches in time that is linear in the length of the
// text, whatever the expression, and the size of a compiled expression is bounded.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace scorers {

/// Bytes of memory of a compiled expression, with the states that matching adds to it.
inline constexpr std::size_t most_pattern_memory = std::size_t{8} << 20;
/// Bytes of the text of an expression.
inline constexpr std::size_t longest_pattern = std::size_t{64} << 10;

/// A place in a text where an expression matches.
struct pattern_match {
  std::size_t begin = 0;   // of the whole match, in bytes
  std::size_t end = 0;     // behind the whole match
  std::string_view group;  // the first group; the whole match if the expression has no group
};

/// Immutable after construction; any thread.
class pattern {
 public:
  /// Compiles `text`, in RE2's syntax. A fault does not throw: usable() is then false.
  explicit pattern(std::string_view text);
  pattern(pattern&&) noexcept;
  pattern& operator=(pattern&&) noexcept;
  ~pattern();

  [[nodiscard]] bool usable() const noexcept { return problem_.empty(); }
  /// Why the expression cannot be used: "invalid perl operator: (?="; empty if it can.
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

  /// The functions below need a usable expression.
  /// Returns whether the expression matches at the start of `text`; the match may end before the
  /// end of `text`.
  [[nodiscard]] bool starts(std::string_view text) const;
  /// Returns whether the expression matches anywhere in `text`.
  [[nodiscard]] bool occurs_in(std::string_view text) const;
  /// Returns the first match that begins at byte `from` or later.
  [[nodiscard]] std::optional<pattern_match> find(std::string_view text, std::size_t from) const;

 private:
  std::unique_ptr<re2::RE2> compiled_;
  std::string problem_;
};

/// Translates the syntax of ECMAScript, which JSON Schema uses, to the syntax of RE2 where they
/// differ: \uXXXX, \cX and (?<name>...). What RE2 does not have, such as lookahead, stays as it is
/// and does not compile.
[[nodiscard]] std::string from_ecmascript(std::string_view text);

}  // namespace scorers
