// The same regular expression means different things to different libraries. This rewrites it so
// that PCRE2 (UTF, UCP) finds the matches of the library that the model's author used.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tokenizers {

enum class dialect : std::uint8_t {
  oniguruma,  // Ruby's syntax, which tokenizer.json is read with
  rust        // fancy-regex, which tiktoken is
};

/// Differences: \h is a hexadecimal digit, \s White_Space, \w and \b count marks, \p{Han} is a
/// script and no script extension, long names of categories, nested classes with && and --,
/// {,n}; in Ruby's syntax also {n,m}+ (repeats, is not possessive), (?m), \v, \uHHHH and ^ and $,
/// which pcre2_options() sets. Throws ifb::failure (IFB_E_CONFIG) for syntax without a counterpart.
[[nodiscard]] std::string to_pcre2(std::string_view pattern, dialect written);

/// The options for pcre2_compile().
[[nodiscard]] std::uint32_t pcre2_options(dialect written);

}  // namespace tokenizers
