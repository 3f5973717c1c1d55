// Joins matches and the text between them, following the setting SplitDelimiterBehavior.
#pragma once

#include <cstddef>
#include <cstdint>

#include "piece.hpp"

namespace tokenizers::hf {

enum class behavior : std::uint8_t {
  removed,
  isolated,
  merged_with_previous,
  merged_with_next,
  contiguous
};

/// Receives the stretches of one piece in order and without gaps, and passes on the resulting
/// pieces. One object per piece, on the stack.
class cutter {
 public:
  cutter(behavior how, const piece& whole, piece_sink& to) : how_(how), whole_(whole), to_(to) {}

  void add(std::size_t begin, std::size_t end, bool matches) {
    switch (how_) {
      case behavior::isolated: emit(begin, end); return;
      case behavior::removed:
        if (!matches) emit(begin, end);
        return;
      case behavior::contiguous:
        if (held_ && matches == held_matches_) {
          held_end_ = end;
          return;
        }
        break;
      case behavior::merged_with_previous:
        if (held_ && matches && !held_matches_) {
          held_end_ = end;
          held_matches_ = true;
          return;
        }
        break;
      case behavior::merged_with_next:
        if (held_ && held_matches_ && !matches) {
          emit(held_begin_, end);
          held_ = false;
          return;
        }
        break;
    }
    finish();
    held_ = true;
    held_matches_ = matches;
    held_begin_ = begin;
    held_end_ = end;
  }
  /// Must be called after the last stretch.
  void finish() {
    if (held_) emit(held_begin_, held_end_);
    held_ = false;
  }

 private:
  void emit(std::size_t begin, std::size_t end) {
    if (begin < end) to_.take(whole_.part(begin, end));
  }

  behavior how_;
  const piece& whole_;
  piece_sink& to_;
  bool held_ = false;
  bool held_matches_ = false;
  std::size_t held_begin_ = 0;
  std::size_t held_end_ = 0;
};

}  // namespace tokenizers::hf
