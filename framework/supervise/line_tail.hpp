// The last lines of a program's output, for messages about its end. Used by one thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <string>
#include <string_view>

#include "supervise/supervised_process.hpp"

namespace inferbench::supervise {

/// Lines of the two streams are not mixed: a line takes its place when it ends. A progress bar,
/// which redraws its line after a carriage return, is one line with its last text.
class line_tail {
 public:
  /// Largest size of the kept text, with a line end for each line.
  static constexpr std::size_t most_bytes = 16 * 1024;

  void add(stream from, std::string_view text);
  /// At most `lines` lines, the last ones, and lines that have not ended after them. Joined by line
  /// ends; valid UTF-8 without control characters and without terminals' escape sequences.
  [[nodiscard]] std::string last(std::size_t lines) const;

 private:
  struct unfinished_line {
    std::string text;
    bool returned = false;  // the last character was a carriage return
  };

  void keep(std::string line);

  std::deque<std::string> lines_;
  std::size_t bytes_ = 0;
  std::array<unfinished_line, 2> unfinished_;
};

}  // namespace inferbench::supervise
