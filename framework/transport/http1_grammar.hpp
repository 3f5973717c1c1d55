// The characters that RFC 9110 allows in header names and values.
#pragma once

#include <string_view>

namespace inferbench::transport {

/// True for a token (base/http_token.hpp), such as a method or the name of a header.
[[nodiscard]] bool valid_token(std::string_view text) noexcept;

/// True if there are no control characters except tab; bytes above 0x7F are allowed.
[[nodiscard]] bool valid_value(std::string_view text) noexcept;

/// The text without spaces and tabs at its ends.
[[nodiscard]] std::string_view without_blanks(std::string_view text) noexcept;

}  // namespace inferbench::transport
