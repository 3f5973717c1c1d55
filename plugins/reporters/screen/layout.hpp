// The lines of the screen: a pure function of what is known and of the size of the terminal.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "model.hpp"

namespace reporters {

enum class emphasis : unsigned char { none, strong, faint, good, warn, bad };

/// A part of a line with one look.
struct screen_span {
  std::string text;  // valid UTF-8 without control characters
  emphasis look = emphasis::none;
};

using screen_line = std::vector<screen_span>;

/// The size of the terminal, and whether it shows UTF-8.
struct screen_size {
  std::size_t columns = 80;
  std::size_t rows = 24;
  bool utf8 = true;
};

/// At most `size.rows` lines of at most `size.columns` columns. If they do not all fit, the least
/// important lines are left out: charts first, then series, old log lines and latencies.
[[nodiscard]] std::vector<screen_line> lay_out(const screen_model& now, const screen_size& size);

}  // namespace reporters
