// HTML escaping as markupsafe does it: a string marked as safe escapes other strings that it is
// combined with.
#pragma once

#include <string>
#include <string_view>

#include "value.hpp"

namespace jinja {

class rendering;

[[nodiscard]] std::string escaped(std::string_view text);
/// markupsafe.escape: Markup unchanged, the str() of any other value escaped.
[[nodiscard]] value escape(rendering& r, const value& of);
[[nodiscard]] bool is_markup(const value& of) noexcept;

}  // namespace jinja
