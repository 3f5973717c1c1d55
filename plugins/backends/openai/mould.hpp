// What the events of one answer have in common: as a rule each is the one before it
// with another text. Finding that out takes 300 instructions, reading it 1,800.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

#include "event.hpp"

namespace openai::reading {

/// Belongs to one reader. Allocates nothing.
class mould {
 public:
  /// Takes the shape of `data`, read as `what` with views into it. Stays as it was
  /// where `data` is too long, or has no text, two, or one with escapes.
  void take(std::string_view data, const event& what) noexcept;

  /// Whether `data` is the event taken but for its text, which is not empty; `out` is
  /// then what reading it would come to, before UTF-8 in its `text` is mended. That lies
  /// in `data` or, when it has escapes, at `spare`, where `data.size()` bytes are free.
  /// Why this is right: the rest is byte for byte what was accepted, a string is the
  /// only token that has changed, it is still a string, and no other part of an event
  /// depends on a text, except for whether it is empty.
  [[nodiscard]] bool fits(std::string_view data, char* spare, event& out,
                          std::string_view*& text) const noexcept;

 private:
  std::array<char, 1000> bytes_{};
  std::size_t before_ = 0;  // bytes up to the text, with its quote; 0: nothing was taken
  std::size_t after_ = 0;   // bytes from its other quote on
  std::size_t size_ = 0;
  event rest_;
  std::string_view event::* field_ = nullptr;
};

}  // namespace openai::reading
