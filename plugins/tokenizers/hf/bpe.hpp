// Model "BPE": byte-pair encoding, over characters or over bytes.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>

#include "byte_tokens.hpp"
#include "byte_vocabulary.hpp"
#include "symbols.hpp"
#include "tokenizers/common/merges.hpp"
#include "tokenizers/common/word_cache.hpp"
#include "vocabulary_model.hpp"

namespace tokenizers::hf {

class bpe final : public vocabulary_model {
 public:
  bpe(const node& from, alphabet pieces);
  void encode(std::string_view piece, std::vector<std::uint32_t>& ids) const override;
  void encode_all(std::span<const std::string_view> pieces,
                  std::vector<std::uint32_t>& ids) const override;
  void finish() override;
  [[nodiscard]] const byte_vocabulary* bytes() const override {
    return whole_.empty() ? nullptr : &whole_;
  }

 private:
  using ids_type = std::vector<std::uint32_t>;

  void read_merges(const node& list);
  void find_byte_ids();
  void find_cuts(const node& list);
  /// Returns the end of the next stretch. No merge joins this stretch with the text after it.
  [[nodiscard]] std::size_t cut(std::string_view piece, std::size_t from) const;

  void encode_bytes(std::string_view piece, std::uint64_t hash, word_cache::lease& cache,
                    ids_type& ids) const;
  /// Encodes only by merges. `token` is the token with exactly these bytes, or null.
  void encode_stretch(std::string_view piece, std::uint64_t hash, byte_vocabulary::entry* token,
                      word_cache::lease& cache, ids_type& ids) const;
  void encode_anew(std::string_view piece, ids_type& ids) const;
  [[nodiscard]] std::optional<std::uint32_t> id_of_bytes(std::string_view piece) const;
  void merge_bytes(std::string_view piece, ids_type& ids) const;
  /// Like merge_bytes(), stretch by stretch.
  void merge_stretches(std::string_view piece, word_cache::lease& cache, ids_type& ids) const;
  void merge_text(std::string_view piece, ids_type& ids) const;
  /// Appends the ids for the characters of `text`, before any merge.
  void spell(std::string_view text, ids_type& ids) const;

  alphabet pieces_;
  bool ignore_merges_;
  bool fuse_unknown_;
  std::string prefix_;  // prefix of every character of a piece except for the first
  std::string suffix_;  // suffix of the last character of a piece
  std::optional<std::uint32_t> unknown_;
  byte_tokens bytes_;
  character_ids characters_;
  // With alphabet::bytes: the ids of the 256 bytes, if every byte has a token.
  std::optional<std::array<std::uint32_t, 256>> byte_ids_;
  byte_vocabulary whole_;  // empty unless the alphabet is alphabet::bytes
  merge_table merges_;
  // Whether a text may be cut before a "▁". It may not be cut after the characters in
  // no_cut_after_.
  bool cuts_ = false;
  std::vector<char32_t> no_cut_after_;
  mutable word_cache cache_{tokens().size()};
};

}  // namespace tokenizers::hf
