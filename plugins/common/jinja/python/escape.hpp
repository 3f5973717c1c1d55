// HTML escaping like markupsafe: a string that is marked as safe escapes the other strings with
// which it is combined.
#pragma once

#include <string>
#include <string_view>

#include "value.hpp"

namespace jinja {

class rendering;

[[nodiscard]] std::string escaped(std::string_view text);
/// markupsafe.escape: returns Markup unchanged, and escapes str() of any other value.
[[nodiscard]] value escape(rendering& r, const value& of);
[[nodiscard]] bool is_markup(const value& of) noexcept;

}  // namespace jinja
