// Decodes string literals.
#pragma once

#include <string>
#include <string_view>

namespace jinja {

/// Returns the value of a string literal. `text` is the text between its quotes. Throws a
/// TemplateSyntaxError with the line.
[[nodiscard]] std::string unescaped(std::string_view text, int line);

}  // namespace jinja
