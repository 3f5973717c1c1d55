#include "word_text.hpp"

#include <array>

namespace reference_engine {

namespace {

constexpr std::array<std::string_view, 32> words = {
    "the",  "a",    "is",    "in",    "to",    "and",  "for",   "with",  "on",   "by",   "time",
    "day",  "year", "way",   "thing", "world", "hand", "part",  "place", "week", "case", "point",
    "made", "long", "great", "small", "other", "old",  "large", "new",   "good", "first"};

}  // namespace

std::uint64_t mixed(std::uint64_t a, std::uint64_t b) noexcept {
  std::uint64_t z = a + (b + 1) * 0x9E3779B97F4A7C15U;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  return z ^ (z >> 31U);
}

std::string_view word_at(std::uint64_t seed, std::uint64_t position) noexcept {
  return words[mixed(seed, position) % words.size()];
}

std::uint64_t beginning_of(std::uint64_t seed, std::uint64_t request, std::uint32_t output,
                           std::uint32_t adapter) noexcept {
  return mixed(mixed(mixed(seed, request), output), adapter) % word_text::beginnings;
}

void word_text::reach(std::uint64_t longest) {
  for (std::uint64_t i = ends_.size(); i < beginnings + longest; ++i) {
    if (i > 0) text_ += ' ';
    text_ += word_at(seed_, i);
    ends_.push_back(text_.size());
  }
}

std::string_view word_text::part(std::uint64_t begin, std::uint64_t count) const {
  if (count == 0) return {};
  const std::size_t from = begin == 0 ? 0 : ends_[begin - 1] + 1;
  return std::string_view(text_).substr(from, ends_[begin + count - 1] - from);
}

}  // namespace reference_engine
