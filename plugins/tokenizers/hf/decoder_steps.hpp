// One function for each kind of decoder; it creates the decoder (decoder.hpp).
#pragma once

#include <memory>

#include "decoder.hpp"
#include "tokenizers/common/node.hpp"

namespace tokenizers::hf {

using decoder_ptr = std::unique_ptr<decoder>;

// These turn bytes into characters.
[[nodiscard]] decoder_ptr make_byte_level_decoder();
[[nodiscard]] decoder_ptr make_byte_fallback_decoder();

// These replace certain characters by spaces, or remove them.
[[nodiscard]] decoder_ptr read_metaspace_decoder(const node& from);
[[nodiscard]] decoder_ptr read_word_piece_decoder(const node& from);
[[nodiscard]] decoder_ptr read_bpe_decoder(const node& from);
[[nodiscard]] decoder_ptr read_ctc_decoder(const node& from);
[[nodiscard]] decoder_ptr read_strip_decoder(const node& from);
[[nodiscard]] decoder_ptr read_replace_decoder(const node& from);
[[nodiscard]] decoder_ptr make_fuse_decoder();

}  // namespace tokenizers::hf
