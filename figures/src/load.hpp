// Opens the library that links cairo.
#pragma once

#include "table.hpp"

namespace figures {

/// The functions of the library, which the first call opens; a failed attempt is repeated by the
/// next call. Throws std::runtime_error with the reason and the remedy. Any thread may call it.
[[nodiscard]] const table& functions();

}  // namespace figures
