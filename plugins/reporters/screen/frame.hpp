// The bytes that show the lines of the screen on a terminal.
#pragma once

#include <span>
#include <string>

#include "layout.hpp"
#include "terminal_codes.hpp"

namespace reporters {

/// Returns the bytes of the whole picture, as UTF-8. Each line has its place, so a terminal that
/// gives a character another width than utf8proc does not shift the lines below it. The whole
/// picture is drawn each time, so nothing stays that another program wrote into it.
[[nodiscard]] std::string frame_of(std::span<const screen_line> lines, const screen_size& size,
                                   const terminal_codes& codes);

}  // namespace reporters
