// The boundary between the program and the library that links cairo: a table of functions. No
// exception crosses it.
#pragma once

#include <string>

#include "scene.hpp"

namespace figures {

struct table {
  const char* version;  // of the build; a library of another build is refused

  /// Draws the scene as a PNG file. `why`: the reason, if it fails; otherwise empty.
  void (*png)(const scene&, int dots_per_inch, std::string& out, std::string& why) noexcept;
};

/// The name of the library's only symbol: `const table* inferbench_figures_table()`.
inline constexpr const char* entry_name = "inferbench_figures_table";
using entry = const table*() noexcept;

}  // namespace figures
