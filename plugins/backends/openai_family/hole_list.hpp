// The places of an event in which the next event may differ. They are noted while the event is
// read.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace openai::reading {

/// The meaning of a value that may differ from event to event.
enum class meaning : std::uint8_t {
  other_text,  // a text that the reader does not use
  other_number,
  text,
  content,
  reasoning,
  finish_reason,
  prompt_tokens,
  output_tokens,
  cached_tokens,
  reasoning_tokens
};

/// The values of an event that may differ in the next event, in their order in the text.
class hole_list {
 public:
  struct hole {
    const char* begin;  // first byte of the value; for a string, the byte after the quote
    const char* end;
    meaning what;
  };

  void clear() noexcept { size_ = 0; }
  void add(const char* begin, const char* end, meaning what) noexcept {
    if (size_ < holes_.size()) holes_[size_] = {begin, end, what};
    ++size_;
  }
  [[nodiscard]] bool complete() const noexcept { return size_ <= holes_.size(); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] const hole& operator[](std::size_t i) const noexcept { return holes_[i]; }

  static constexpr std::size_t most = 16;

 private:
  std::array<hole, most> holes_;  // elements from size_ on are not set
  std::size_t size_ = 0;
};

}  // namespace openai::reading
