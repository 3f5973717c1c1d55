// The characters that RFC 9110 allows in header names and values.
#pragma once

#include <string_view>

namespace inferbench::transport {

/// A token: letters, digits and !#$%&'*+-.^_`|~, at least one.
[[nodiscard]] bool valid_token(std::string_view text) noexcept;

/// No control characters except tab; bytes above 0x7F are tolerated.
[[nodiscard]] bool valid_value(std::string_view text) noexcept;

}  // namespace inferbench::transport
