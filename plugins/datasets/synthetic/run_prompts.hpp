// The prompts of `random` and `random-rerank`: runs of neighbouring ids behind a common
// beginning, fitted to their lengths. Made in parallel and ahead of need, kept on disk where
// that pays, and bit for bit what a serial run makes: all steps but padding draw nothing, so they
// are done ahead; padding is done in order, where a prompt is taken.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <inferbench/host.hpp>
#include <inferbench/random.hpp>

#include "cache_writer.hpp"
#include "draws.hpp"
#include "mismatch.hpp"
#include "prefetcher.hpp"
#include "prompt_cache.hpp"
#include "prompt_maker.hpp"

namespace synthetic {

/// What decides about the prompts.
struct run_recipe {
  std::vector<draw> draws;               // a prompt each
  std::vector<std::uint32_t> allowed;    // ids
  std::vector<std::uint32_t> beginning;  // of those with the longest prefix, whatever its length
  std::uint32_t longest_prefix = 0;
  ifb::numpy_pcg64 random{0};  // as padding finds it
  bool with_special = false;   // the ids are those of the text with what the model adds
  bool with_ids = false;       // they are wanted, not only counted
};

/// One thread.
class run_prompts {
 public:
  /// `place`: of a cache; nothing: without one. `threads` 0: all is done where it is asked for.
  run_prompts(ifb::host host, const prompt_maker& maker, run_recipe recipe,
              std::optional<cache_place> place, unsigned threads = usual_threads());

  [[nodiscard]] std::uint64_t size() const noexcept { return recipe_.draws.size(); }

  /// Prompt `i`, below size(), the same whenever it is asked for. The first time it needs all
  /// before it. When the last was made the first time, it is told how many are not of their
  /// length. Throws what the tokenizer throws, and IFB_E_CANCELLED when the run is being stopped.
  [[nodiscard]] prompt at(std::uint64_t i);

 private:
  // The generator as it is from prompt `from` on, until the next entry.
  struct state {
    std::uint64_t from;
    ifb::numpy_pcg64 random;
  };
  struct unpadded {
    fit_state so_far;
    std::vector<std::uint32_t> sent;
  };

  [[nodiscard]] std::size_t target(std::uint64_t i) const;
  [[nodiscard]] unpadded begin(std::uint64_t i) const;
  [[nodiscard]] prompt finish(std::uint64_t i, unpadded from, ifb::numpy_pcg64& random) const;
  [[nodiscard]] prompt make_new();
  [[nodiscard]] prompt make_again(std::uint64_t i);

  ifb::host host_;
  prompt_maker maker_;
  run_recipe recipe_;
  std::optional<kept_prompts> kept_;
  std::optional<cache_writer> keep_;
  std::vector<state> states_;  // ascending; one more for each prompt that was padded
  std::uint64_t made_ = 0;     // prompts made at least once
  std::uint64_t last_ = 0;     // the one asked for before
  mismatches wrong_;
  prefetcher<unpadded> ahead_;  // last: its threads use the rest
};

}  // namespace synthetic
