#include "frame.hpp"

#include "cells.hpp"

namespace reporters {
namespace {

/// Without colours, a warning is bold, and a fault is bold in reverse.
std::string look_of(emphasis look, const terminal_codes& codes) {
  switch (look) {
    case emphasis::strong: return codes.bold;
    case emphasis::faint: return codes.dim;
    case emphasis::good: return codes.green;
    case emphasis::warn: return codes.yellow.empty() ? codes.bold : codes.yellow;
    case emphasis::bad: return (codes.red.empty() ? codes.reverse : codes.red) + codes.bold;
    case emphasis::none: break;
  }
  return {};
}

}  // namespace

std::string frame_of(std::span<const screen_line> lines, const screen_size& size,
                     const terminal_codes& codes) {
  std::string out = codes.plain;
  for (std::size_t row = 0; row < size.rows; ++row) {
    out += place_cursor(codes, row, 0);
    std::size_t used = 0;
    if (row < lines.size()) {
      for (const screen_span& each : lines[row]) {
        const std::string look = look_of(each.look, codes);
        out += look + each.text;
        if (!look.empty()) out += codes.plain;
        used += columns_of(each.text);
      }
    }
    // Behind a full line the cursor is still on its last character, which would be cleared.
    if (used >= size.columns) continue;
    out += codes.clear_to_end.empty() ? std::string(size.columns - used, ' ') : codes.clear_to_end;
  }
  return out;
}

}  // namespace reporters
