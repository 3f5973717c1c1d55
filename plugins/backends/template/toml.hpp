// TOML text as values, in the order of the text. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "document.hpp"

namespace template_backend {

/// The exception of parse_toml().
struct toml_trouble {
  std::uint32_t line;
  std::string what;
  std::string remedy;
};

/// Throws toml_trouble: no TOML; a date or a time; values nested too deeply.
[[nodiscard]] value parse_toml(std::string_view text);

}  // namespace template_backend
