// Names of Unicode's properties, and what PCRE2 calls them.
#pragma once

#include <string>
#include <string_view>

#include "dialect.hpp"

namespace tokenizers {

/// Items to stand between PCRE2's brackets. White_Space; PCRE2's own \s has U+180E as well.
[[nodiscard]] std::string_view white_space_items();
/// What \w means: letters, marks, decimal digits and connectors, and what each dialect adds.
[[nodiscard]] std::string_view word_items(dialect written);
/// Of \p{name}: a category, short or long, a script, a binary property or a POSIX name; case,
/// spaces, '_' and '-' do not matter. Empty where there is none.
[[nodiscard]] std::string property_items(std::string_view name, dialect written);
/// Of [:name:]. Empty where there is none.
[[nodiscard]] std::string_view posix_items(std::string_view name, dialect written);

}  // namespace tokenizers
