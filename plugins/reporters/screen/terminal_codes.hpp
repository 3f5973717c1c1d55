// The control sequences of a terminal, from terminfo. Only these low-level functions of ncurses are
// used: its windows show UTF-8 only if the locale of the process says so, and the locale belongs to
// the host (rule R9 of abi.h).
#pragma once

#include <cstddef>
#include <string>

namespace reporters {

/// A sequence is empty if the terminal does not have it.
struct terminal_codes {
  std::string enter, leave;  // the alternate screen
  std::string hide_cursor, show_cursor;
  std::string wrap_off, wrap_on;    // at the right margin
  std::string clear, clear_to_end;  // the screen; the rest of a line
  std::string place;                // place_cursor() fills in row and column
  std::string plain, bold, dim, reverse;
  std::string green, yellow, red;
  std::size_t columns = 80, rows = 24;  // used if the system does not know the size
  /// A character in the last column moves the cursor to the next line, and on the last line moves
  /// the screen.
  bool wraps_at_once = false;
};

/// Returns the sequences of the terminal that the environment variable TERM names, with colours
/// only if `colours`. `descriptor` is open on the terminal. Throws ifb::failure if the terminal is
/// not known or cannot place its cursor.
[[nodiscard]] terminal_codes codes_of_terminal(int descriptor, bool colours);

/// Both numbers count from 0.
[[nodiscard]] std::string place_cursor(const terminal_codes& codes, std::size_t row,
                                       std::size_t column);

}  // namespace reporters
