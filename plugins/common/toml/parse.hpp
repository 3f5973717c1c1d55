// Parses TOML text into values, in the order of the text. Any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "document.hpp"

namespace toml_file {

/// The exception that parse() throws.
struct parse_trouble {
  std::uint32_t line;
  std::string what;
  std::string remedy;
};

/// Throws parse_trouble if the text is not TOML, if it contains a date or a time, or if values are
/// nested too deeply.
[[nodiscard]] value parse(std::string_view text);

}  // namespace toml_file
