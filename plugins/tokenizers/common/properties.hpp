// Translates the names of Unicode properties into PCRE2's names.
#pragma once

#include <string>
#include <string_view>

#include "dialect.hpp"

namespace tokenizers {

// Each function returns items for PCRE2's brackets.

/// White_Space. PCRE2's own \s also contains U+180E.
[[nodiscard]] std::string_view white_space_items();
/// \w: letters, marks, decimal digits and connectors, and the additions of the dialect.
[[nodiscard]] std::string_view word_items(dialect written);
/// \p{name}: a category with its short or long name, a script, a binary property or a POSIX name.
/// Case, spaces, '_' and '-' are ignored. Empty if there is no property with this name.
[[nodiscard]] std::string property_items(std::string_view name, dialect written);
/// [:name:]. Empty if there is no class with this name.
[[nodiscard]] std::string_view posix_items(std::string_view name, dialect written);

}  // namespace tokenizers
