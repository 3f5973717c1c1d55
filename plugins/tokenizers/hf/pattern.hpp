// The pattern of Split and Replace: {"String": "..."} or {"Regex": "..."}.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "tokenizers/common/node.hpp"
#include "tokenizers/common/regex.hpp"
#include "tokenizers/common/utf8.hpp"

namespace tokenizers::hf {

/// Immutable: [any thread].
class pattern {
 public:
  using match = regex::match;

  /// Throws ifb::failure that names the path if the expression cannot be used.
  explicit pattern(const node& from);
  /// Uses a regular expression that does not come from a file.
  explicit pattern(std::string_view expression) : regex_(expression) {}

  /// Returns the text to search for; nullopt for a regular expression.
  [[nodiscard]] const std::optional<std::string>& literal() const noexcept { return literal_; }

  /// Calls `found(begin, end)` for each match. Matches do not overlap. An empty match directly
  /// after another match does not count, and an empty text has no matches.
  template <typename taker>
  void for_each(std::string_view text, taker&& found) const {
    if (text.empty()) return;
    std::size_t from = 0;
    if (regex_ && regex_->scans()) {
      // The matches of a scanner are never empty.
      for (auto next = regex_->scan(text, from); next; next = regex_->scan(text, from)) {
        found(next->begin, next->end);
        from = next->end;
      }
      return;
    }
    std::optional<std::size_t> last;
    while (from <= text.size()) {
      const auto next = find(text, from);
      if (!next) return;
      if (next->begin == next->end && last == next->end) {
        from += from < text.size() ? character_at(text, from).size : 1;
        continue;
      }
      found(next->begin, next->end);
      from = next->end;
      last = next->end;
    }
  }

 private:
  [[nodiscard]] std::optional<match> find(std::string_view text, std::size_t from) const;

  std::optional<std::string> literal_;
  std::optional<regex> regex_;
};

}  // namespace tokenizers::hf
