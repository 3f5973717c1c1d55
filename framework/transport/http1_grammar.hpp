// The values of header fields (RFC 9110). The names of fields are tokens: base/http_token.hpp.
#pragma once

#include <string_view>

namespace inferbench::transport {

/// True if there are no control characters except tab; bytes above 0x7F are allowed.
[[nodiscard]] bool valid_value(std::string_view text) noexcept;

/// The text without spaces and tabs at its ends.
[[nodiscard]] std::string_view without_blanks(std::string_view text) noexcept;

}  // namespace inferbench::transport
