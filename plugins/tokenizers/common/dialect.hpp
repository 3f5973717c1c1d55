// The same regular expression has different meanings in different libraries. This code rewrites an
// expression so that PCRE2 (UTF, UCP) finds the same matches as the library that the model's author
// used.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tokenizers {

enum class dialect : std::uint8_t {
  oniguruma,  // Ruby's syntax, which tokenizer.json uses
  rust        // the syntax of fancy-regex, which tiktoken uses
};

/// Rewrites `pattern` for PCRE2. The differences are: \h is a hexadecimal digit, and \s is
/// White_Space. \w and \b include marks. \p{Han} is a script without script extensions. Categories
/// may have long names. Classes may be nested, with && and --, and {,n} is allowed. In Ruby's
/// syntax there are also {n,m}+ (which repeats, and is not possessive), (?m), \v, \uHHHH, and
/// different meanings of ^ and $, which pcre2_options() sets.
/// Throws ifb::failure (IFB_E_CONFIG) for syntax that PCRE2 cannot express.
[[nodiscard]] std::string to_pcre2(std::string_view pattern, dialect written);

/// Returns the options for pcre2_compile().
[[nodiscard]] std::uint32_t pcre2_options(dialect written);

}  // namespace tokenizers
