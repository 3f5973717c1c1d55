// Raises errors with Python's messages, and guards against too deep recursion.
#pragma once

#include <string>

#include "error.hpp"

namespace jinja {

[[noreturn]] void raise(const char* type, std::string message);
[[noreturn]] void raise_type(std::string message);
[[noreturn]] void raise_value(std::string message);
/// Raises the error for features of Jinja2 that this library leaves out.
[[noreturn]] void raise_unsupported(const std::string& what, int line = 0);

/// Measures the stack instead of counting calls, because the size of stack frames depends on the
/// build. Created at the beginning of a compilation or a rendering, and checked in every function
/// that recurses.
class stack_guard {
 public:
  stack_guard() noexcept : bottom_(here()) {}
  void check() const {
    if (used() > limit) overflow();
  }

 private:
  static constexpr std::size_t limit = std::size_t{1} << 20;
  static const char* here() noexcept {
    return static_cast<const char*>(__builtin_frame_address(0));
  }
  [[nodiscard]] std::size_t used() const noexcept {
    const char* const now = here();
    return static_cast<std::size_t>(now < bottom_ ? bottom_ - now : now - bottom_);
  }
  [[noreturn]] static void overflow();

  const char* bottom_;
};

}  // namespace jinja
