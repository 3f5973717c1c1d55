// Regular expressions as tokenizers write them, compiled once. The patterns of well-known models
// run as scanners of our own (scanners.hpp), all others on PCRE2 with JIT.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

#include "dialect.hpp"
#include "scanners.hpp"

namespace tokenizers {

/// [any] thread.
class regex {
 public:
  /// Throws ifb::failure (IFB_E_CONFIG) with the reason and the offset in the pattern.
  /// `may_scan`: false for PCRE2 even if there is a scanner.
  explicit regex(std::string_view pattern, dialect written = dialect::oniguruma,
                 bool may_scan = true);
  ~regex();
  regex(regex&&) noexcept;
  regex& operator=(regex&&) noexcept;

  struct match {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  /// The first match that begins at or after `from`, at a character's boundary; look-behind sees
  /// the text before it. `text` is valid UTF-8. A match may be empty: the caller must step on.
  /// Throws ifb::failure if the pattern reaches its limit of backtracking.
  [[nodiscard]] std::optional<match> find(std::string_view text, std::size_t from) const;

  /// Whether a scanner finds the matches; find() does the same as scan() then.
  [[nodiscard]] bool scans() const noexcept { return scan_ != nullptr; }
  [[nodiscard]] std::optional<match> scan(std::string_view text, std::size_t from) const {
    const scan_result found = scan_(*kinds_, text, from);
    if (found.begin == scan_result::nowhere) return std::nullopt;
    return match{found.begin, found.end};
  }

 private:
  struct program;
  scanner scan_ = nullptr;
  const character_table* kinds_ = nullptr;  // with a scanner
  std::unique_ptr<program> program_;        // without a scanner
};

}  // namespace tokenizers
