// String literals.
#pragma once

#include <string>
#include <string_view>

namespace jinja {

/// The value of a literal with this text between its quotes. TemplateSyntaxError with the line.
[[nodiscard]] std::string unescaped(std::string_view text, int line);

}  // namespace jinja
