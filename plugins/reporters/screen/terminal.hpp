// The terminal that is standard error: its alternate screen, without a cursor and without input.
// One thread at a time, one object at a time.
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

  /// Switches to the alternate screen, unless that has been done. Throws ifb::failure if terminfo
  /// does not know the terminal or the terminal cannot place its cursor.
  void open();
  /// The present size, after open().
  [[nodiscard]] screen_size size() const;
  /// Draws the lines of a picture of this size, after open(). A failure of the terminal is ignored:
  /// the run matters more than its picture.
  void draw(std::span<const screen_line> lines, const screen_size& size);
  /// Gives the terminal its earlier screen and settings back. Does nothing unless it is open.
  void close() noexcept;

 private:
  struct state;
  state* state_ = nullptr;  // owned; null: the terminal is not open
};

}  // namespace reporters
