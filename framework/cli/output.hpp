// The output of commands. main() reports at the end if some output was lost.
#pragma once

#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "base/output.hpp"

namespace inferbench::cli {

/// Standard output of this process.
[[nodiscard]] base::output& standard_output() noexcept;

template <typename... arguments>
void print(fmt::format_string<arguments...> form, arguments&&... values) {
  standard_output().write(fmt::format(form, std::forward<arguments>(values)...));
}

/// Writes text to standard error. A failed write is ignored, because it cannot be reported
/// anywhere.
void tell(std::string_view text) noexcept;

/// Prints the usage text of a command: to standard error if the command was misused, otherwise to
/// standard output. Returns the exit status.
int print_usage(const char* text, bool misused);

}  // namespace inferbench::cli
