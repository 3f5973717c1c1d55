// One function for each kind of normalizer; it creates the normalizer (normalizer.hpp).
#pragma once

#include <memory>
#include <vector>

#include "normal_form.hpp"
#include "normalizer.hpp"
#include "tokenizers/common/node.hpp"

namespace tokenizers::hf {

using normalizer_ptr = std::unique_ptr<normalizer>;

[[nodiscard]] normalizer_ptr make_sequence(std::vector<normalizer_ptr> steps);
[[nodiscard]] normalizer_ptr make_normal_form(normal_form form);

// These change single characters.
[[nodiscard]] normalizer_ptr make_lowercase();
[[nodiscard]] normalizer_ptr make_strip_accents();
[[nodiscard]] normalizer_ptr make_nmt();
[[nodiscard]] normalizer_ptr read_bert_normalizer(const node& from);

[[nodiscard]] normalizer_ptr read_strip(const node& from);
[[nodiscard]] normalizer_ptr read_prepend(const node& from);
[[nodiscard]] normalizer_ptr read_replace(const node& from);
[[nodiscard]] normalizer_ptr make_byte_level_normalizer();

/// Reads SentencePiece's compiled rules, in base64.
[[nodiscard]] normalizer_ptr read_precompiled(const node& from);

}  // namespace tokenizers::hf
