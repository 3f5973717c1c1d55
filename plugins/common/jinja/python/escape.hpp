// HTML escaping as markupsafe does it: strings marked as safe escape what meets them.
#pragma once

#include <string>
#include <string_view>

#include "value.hpp"

namespace jinja {

class rendering;

[[nodiscard]] std::string escaped(std::string_view text);
/// markupsafe.escape: Markup as it is, anything else as str() says, escaped.
[[nodiscard]] value escape(rendering& r, const value& of);
[[nodiscard]] bool is_markup(const value& of) noexcept;

}  // namespace jinja
