// The output of commands. main tells at the end when it did not arrive.
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

/// A line or more on standard error. Nobody can be told where it does not arrive.
void tell(std::string_view text) noexcept;

/// How a command is used: on standard error where it was used another way. Answers the exit
/// status.
int print_usage(const char* text, bool misused);

}  // namespace inferbench::cli
