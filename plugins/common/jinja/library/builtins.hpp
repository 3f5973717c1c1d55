// The functions that templates find by name.
#pragma once

#include <string_view>

#include "common/jinja/python/call.hpp"

namespace jinja {

// Each function returns null if there is no entry with this name.
[[nodiscard]] const signature* find_filter(std::string_view name);
[[nodiscard]] const signature* find_test(std::string_view name);
[[nodiscard]] const signature* find_global(std::string_view name);

}  // namespace jinja
