// The terminal that is standard error, drawn on with ncurses: its alternate screen, without a
// cursor and without input. One thread at a time, one object at a time.
#pragma once

#include <span>

#include "layout.hpp"

namespace reporters {

class terminal {
 public:
  terminal() = default;
  terminal(const terminal&) = delete;
  terminal& operator=(const terminal&) = delete;
  ~terminal() { close(); }

  /// Whether standard error is a terminal.
  [[nodiscard]] static bool exists() noexcept;

  /// Switches to the alternate screen, unless that has been done. Throws ifb::failure if ncurses
  /// does not know the terminal. Signal handlers stay as they are.
  void open();
  /// The present size, after open().
  [[nodiscard]] screen_size size();
  /// Draws the lines, after open().
  void draw(std::span<const screen_line> lines);
  /// Gives the terminal its earlier screen and settings back. Does nothing unless it is open.
  void close() noexcept;

 private:
  struct state;
  state* state_ = nullptr;  // owned; null: the terminal is not open
};

}  // namespace reporters
