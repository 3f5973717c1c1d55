// The same regular expression means different things to the libraries that read it. This says it
// again so that PCRE2 (UTF, UCP) finds what the library of the model's author would.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tokenizers {

enum class dialect : std::uint8_t {
  oniguruma,  // Ruby's syntax, which tokenizer.json is read with
  rust        // fancy-regex, which tiktoken is
};

/// What differs: \h is a hexadecimal digit, \s White_Space, \w and \b count marks, \p{Han} is a
/// script and no script extension, long names of categories, nested classes with && and --,
/// {,n}; in Ruby's syntax also {n,m}+ (repeats, is not possessive), (?m), \v, \uHHHH and ^ and $,
/// which pcre2_options() sets. Throws ifb::failure (IFB_E_CONFIG) for what has no counterpart.
[[nodiscard]] std::string to_pcre2(std::string_view pattern, dialect written);

/// For pcre2_compile().
[[nodiscard]] std::uint32_t pcre2_options(dialect written);

}  // namespace tokenizers
