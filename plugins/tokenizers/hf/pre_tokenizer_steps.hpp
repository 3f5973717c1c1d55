// One function for each kind of pre-tokenizer; it creates the pre-tokenizer (pre_tokenizer.hpp).
#pragma once

#include <memory>

#include "model.hpp"
#include "pre_tokenizer.hpp"
#include "tokenizers/common/node.hpp"

namespace tokenizers::hf {

using step_ptr = std::unique_ptr<pre_tokenizer>;

// These split the text at patterns or at kinds of characters, and do not change it.
[[nodiscard]] step_ptr read_split(const node& from);
[[nodiscard]] step_ptr read_char_delimiter_split(const node& from);
[[nodiscard]] step_ptr read_digits(const node& from);
[[nodiscard]] step_ptr read_punctuation(const node& from);
[[nodiscard]] step_ptr read_fixed_length(const node& from);
[[nodiscard]] step_ptr make_whitespace();
[[nodiscard]] step_ptr make_whitespace_split();
[[nodiscard]] step_ptr make_bert();
[[nodiscard]] step_ptr make_unicode_scripts();

// These also change the text.
[[nodiscard]] step_ptr read_byte_level(const node& from, alphabet pieces);
[[nodiscard]] step_ptr read_metaspace(const node& from);

}  // namespace tokenizers::hf
