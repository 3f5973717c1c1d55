// Names of Unicode's properties, and PCRE2's names for them.
#pragma once

#include <string>
#include <string_view>

#include "dialect.hpp"

namespace tokenizers {

// Items for PCRE2's brackets.

/// White_Space; PCRE2's own \s has U+180E as well.
[[nodiscard]] std::string_view white_space_items();
/// \w: letters, marks, decimal digits and connectors, and the dialect's own additions.
[[nodiscard]] std::string_view word_items(dialect written);
/// \p{name}: a category, short or long, a script, a binary property or a POSIX name; case, spaces,
/// '_' and '-' do not matter. Empty if there is no such property.
[[nodiscard]] std::string property_items(std::string_view name, dialect written);
/// [:name:]. Empty if there is no such class.
[[nodiscard]] std::string_view posix_items(std::string_view name, dialect written);

}  // namespace tokenizers
