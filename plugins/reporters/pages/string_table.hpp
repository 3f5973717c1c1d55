// Texts that many requests share, such as their errors: each request keeps only a number. For one
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace reporters {

class string_table {
 public:
  struct limits {
    std::size_t texts = 10'000;       // number of different texts
    std::size_t long_texts = 0;       // number of the first texts that may be long
    std::size_t long_bytes = 0;       // length of a long text, in bytes
    std::size_t bytes = 160;          // length of all other texts
    std::string_view rest = "other";  // stands for all texts beyond the first `texts`; a literal
  };
  explicit string_table(const limits& bounds) : bounds_(bounds) {}
  string_table(const string_table&) = delete;
  string_table& operator=(const string_table&) = delete;

  /// Returns the number of the text, counted from 1; 0 for the empty text. A text that is longer
  /// than the limits is cut at the end of a character and ends with "...".
  [[nodiscard]] std::uint32_t number_of(std::string_view text);

  /// The texts by their numbers, the first with number 1.
  [[nodiscard]] const std::deque<std::string>& texts() const noexcept { return texts_; }

 private:
  std::uint32_t add(std::string text);

  limits bounds_;
  std::uint32_t rest_ = 0;         // number of the text `rest`; 0: it is not used yet
  std::deque<std::string> texts_;  // a deque, because the keys of the map point into it
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
};

}  // namespace reporters
