// The pieces of which prompts consist: prefixes that several prompts share, and one suffix for each
// prompt. All pieces take their ids from one generator, so a piece is made after all pieces before
// it. Decoding and encoding run in parallel while no piece needs padding.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <inferbench/host.hpp>
#include <inferbench/random.hpp>

#include "datasets/synthetic/cache_writer.hpp"
#include "datasets/synthetic/mismatch.hpp"
#include "datasets/synthetic/prefetcher.hpp"
#include "datasets/synthetic/prompt_cache.hpp"
#include "datasets/synthetic/prompt_maker.hpp"

/// Keeps all pieces that it has made; each token takes 4 bytes. One thread.
class pieces {
 public:
  /// `lengths` contains the wanted number of tokens of each piece.
  pieces(ifb::host host, const synthetic::prompt_maker& maker, std::vector<std::uint32_t> lengths,
         std::uint32_t seed, std::optional<synthetic::cache_place> place,
         unsigned threads = synthetic::usual_threads());

  /// Returns the ids of piece `i`; the span is valid as long as the object. Also makes all pieces
  /// before it. Throws the exceptions of the tokenizer, and IFB_E_CANCELLED if the run is being
  /// stopped.
  [[nodiscard]] std::span<const std::uint32_t> at(std::size_t i);

 private:
  // The ids that were drawn for a piece, and the generator after the draw.
  struct draft {
    std::vector<std::uint32_t> ids;
    ifb::numpy_legacy random;
  };

  void load(const synthetic::kept_prompts& kept);
  void make_some();
  void put(synthetic::fit_result piece);
  void tell();

  ifb::host host_;
  synthetic::prompt_maker maker_;
  std::vector<std::uint32_t> lengths_;
  ifb::numpy_legacy random_;  // the state before the first piece that is not made yet
  std::vector<std::vector<std::uint32_t>> made_;
  std::optional<synthetic::cache_writer> keep_;
  synthetic::mismatches wrong_;
  std::size_t calm_;  // pieces since the last padded piece: decides how far to draw ahead
  std::vector<draft> drafts_;
  // last member: its threads use the other members
  synthetic::prefetcher<synthetic::fit_state> ahead_;
};
