// String literals.
#pragma once

#include <string>
#include <string_view>

namespace jinja {

/// What a literal of this text, between its quotes, means. TemplateSyntaxError with the line.
[[nodiscard]] std::string unescaped(std::string_view text, int line);

}  // namespace jinja
