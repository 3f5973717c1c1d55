// The output of commands. main reports at the end if it was lost.
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

/// Writes a line or more to standard error. A failure is ignored: it could not be reported.
void tell(std::string_view text) noexcept;

/// Prints how a command is used; to standard error if it was misused. Returns the exit status.
int print_usage(const char* text, bool misused);

}  // namespace inferbench::cli
