// How many prompts did not come out at the length that was asked for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace synthetic {

/// A value. One thread.
class mismatches {
 public:
  /// A prompt of `tokens` more (or, negative, fewer) than asked for.
  void add(std::int64_t tokens) noexcept;

  /// "3 of 1000 prompts are not of the length asked for: 4 tokens too many and 1 too few in all,
  /// ..."; empty when all are. `what`: "prompts".
  [[nodiscard]] std::string text(std::string_view what = "prompts") const;

 private:
  std::uint64_t prompts_ = 0;
  std::uint64_t wrong_ = 0;
  std::int64_t more_ = 0;
  std::int64_t fewer_ = 0;
};

}  // namespace synthetic
