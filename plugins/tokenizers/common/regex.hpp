// Regular expressions as tokenizers write them, compiled once. The patterns of well-known models
// are matched by hand-written scanners (scanners.hpp), all others by PCRE2 with JIT.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

#include "dialect.hpp"
#include "scanners.hpp"

namespace tokenizers {

/// Immutable: [any thread].
class regex {
 public:
  /// Throws ifb::failure (IFB_E_CONFIG) with the reason and the offset in the pattern. If
  /// `may_scan` is false, PCRE2 is used even if there is a scanner.
  explicit regex(std::string_view pattern, dialect written = dialect::oniguruma,
                 bool may_scan = true);
  ~regex();
  regex(regex&&) noexcept;
  regex& operator=(regex&&) noexcept;

  struct match {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  /// Returns the first match that begins at or after `from`, which must be at a character boundary.
  /// Lookbehind can see the text before `from`. `text` must be valid UTF-8. A match may be empty:
  /// in this case the caller must advance by one character. Throws ifb::failure if the pattern
  /// reaches its limit of backtracking.
  [[nodiscard]] std::optional<match> find(std::string_view text, std::size_t from) const;

  /// Returns whether a scanner is used; if it is, find() is equivalent to scan().
  [[nodiscard]] bool scans() const noexcept { return scan_ != nullptr; }
  [[nodiscard]] std::optional<match> scan(std::string_view text, std::size_t from) const {
    const scan_result found = scan_(*kinds_, text, from);
    if (found.begin == scan_result::nowhere) return std::nullopt;
    return match{found.begin, found.end};
  }

 private:
  struct program;
  scanner scan_ = nullptr;
  const character_table* kinds_ = nullptr;  // set if a scanner is used
  std::unique_ptr<program> program_;        // set if no scanner is used
};

}  // namespace tokenizers
