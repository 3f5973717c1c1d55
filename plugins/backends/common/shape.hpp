// What the events of a server have in common: as a rule each has the shape of one before
// it, with another id, another text, another count. Finding that out takes 500
// instructions, reading it 1,800.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "event.hpp"

namespace openai::reading {

/// What a value that may differ from event to event means.
enum class meaning : std::uint8_t {
  other_text,  // nobody asked for it
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

/// The values of an event that may differ in the next, in the order in which they stand.
class draft {
 public:
  struct hole {
    const char* begin;  // of a string: without its quotes
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
  std::array<hole, most> holes_;  // unset from size_ on
  std::size_t size_ = 0;
};

/// Whether to try what has failed lately: now and then.
class patience {
 public:
  [[nodiscard]] bool worth_it() const noexcept { return failures_ < 8 || failures_ % 64 == 0; }
  void succeeded() noexcept { failures_ = 0; }
  void failed() noexcept { ++failures_; }

 private:
  unsigned failures_ = 0;  // or omissions, since it succeeded
};

/// The shape of one event.
class shape {
 public:
  /// Takes the shape of `data`, read as `what` with these holes in it. Stays as it was
  /// where that is too long, has too many, or something joined from several strings.
  bool take(std::string_view data, const event& what, const draft& holes) noexcept;

  /// Whether `data` is of this shape; `out` is then what reading it would come to, before
  /// UTF-8 is mended. Its texts lie in `data` or, where they have escapes, at `spare`,
  /// where `data.size()` bytes are free. Why this is right: all but the holes is byte for
  /// byte what was accepted, a string in a hole is still one string, a whole number one
  /// whole number, and each goes where a reader would put it, in the same order.
  ///
  /// Within an answer only what is wanted differs. So the rest is compared as a whole
  /// first, unless events of several answers come by turns, and then hole by hole.
  [[nodiscard]] bool fits(std::string_view data, char* spare, event& out) noexcept;

 private:
  struct hole {
    std::uint16_t begin = 0;  // in bytes_
    std::uint16_t end = 0;
    meaning what = meaning::other_text;
  };
  struct list {
    std::array<hole, draft::most> of;
    std::size_t size = 0;
  };

  /// With holes where `open` says. `seen`, if not null, gets those of `data`.
  [[nodiscard]] bool fits(std::string_view data, const list& open, char* spare, event& out,
                          draft* seen) const noexcept;

  std::array<char, 1000> bytes_;  // the event
  std::size_t size_ = 0;          // 0: nothing was taken
  list all_;
  list wanted_;
  event rest_;
  patience whole_;
};

/// The shapes of the events that came last, for all answers that a thread reads.
/// Allocates nothing.
class shapes {
 public:
  /// As shape::fits(), for any of them.
  [[nodiscard]] bool fit(std::string_view data, char* spare, event& out) noexcept;
  /// After fit() found none. Where few events resemble one another, both let most pass.
  void take(std::string_view data, const event& what, const draft& holes) noexcept;

 private:
  static constexpr std::size_t count = 4;
  std::array<shape, count> known_;
  std::array<std::size_t, count> next_{};  // which one came after each
  std::size_t last_ = 0;                   // the one that fitted or was taken last
  std::size_t oldest_ = 0;
  patience any_;
};

}  // namespace openai::reading
