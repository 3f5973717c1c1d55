// What Split and Replace look for: {"String": "..."} or {"Regex": "..."}.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "tokenizers/common/node.hpp"
#include "tokenizers/common/regex.hpp"
#include "tokenizers/common/utf8.hpp"

namespace tokenizers::hf {

/// Immutable: [any] thread.
class pattern {
 public:
  using match = regex::match;

  /// Throws ifb::failure naming the path where the expression cannot be used.
  explicit pattern(const node& from);
  /// A regular expression of our own.
  explicit pattern(std::string_view expression) : regex_(expression) {}

  /// The text that is looked for; nothing where it is an expression.
  [[nodiscard]] const std::optional<std::string>& literal() const noexcept { return literal_; }

  /// Calls `found(begin, end)` for each match. They do not overlap; an empty one right after
  /// another match is none, and nothing is found in an empty text.
  template <typename taker>
  void for_each(std::string_view text, taker&& found) const {
    if (text.empty()) return;
    std::size_t from = 0;
    if (regex_ && regex_->scans()) {
      // None of its matches is empty.
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
