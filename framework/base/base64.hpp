// Base64 with padding (RFC 4648).
#pragma once

#include <string>
#include <string_view>

namespace inferbench::base {

[[nodiscard]] std::string base64(std::string_view bytes);

}  // namespace inferbench::base
