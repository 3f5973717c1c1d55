// The prompts of `random` and `random-rerank`: runs of neighbouring ids behind a common
// beginning, fitted to their lengths. Made in parallel and ahead of need, kept on disk where
// that pays, and bit for bit the prompts of a serial run: only padding draws numbers, so all other
// steps are done ahead, and padding in order, when a prompt is taken.
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

/// Everything that decides about the prompts.
struct run_recipe {
  std::vector<draw> draws;               // a prompt each
  std::vector<std::uint32_t> allowed;    // ids
  std::vector<std::uint32_t> beginning;  // of the prompts with the longest prefix
  std::uint32_t longest_prefix = 0;
  ifb::numpy_pcg64 random{0};  // its state before the first padding
  bool with_special = false;   // ids include the special tokens that the model adds
  bool with_ids = false;       // ids are wanted, not only their number
};

/// One thread.
class run_prompts {
 public:
  /// `place`: of the cache; nothing: no cache. `threads` 0: a prompt is made when it is asked for.
  run_prompts(ifb::host host, const prompt_maker& maker, run_recipe recipe,
              std::optional<cache_place> place, unsigned threads = usual_threads());

  [[nodiscard]] std::uint64_t size() const noexcept { return recipe_.draws.size(); }

  /// Prompt `i`, below size(), always the same. The first time it needs all prompts before it. When
  /// the last prompt is made, a warning says how many do not have their length. Throws what the
  /// tokenizer throws, and IFB_E_CANCELLED if the run is being stopped.
  [[nodiscard]] prompt at(std::uint64_t i);

 private:
  // The state of the generator for prompt `from` and those after it, up to the next entry.
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
  std::uint64_t last_ = 0;     // the prompt of the previous call
  mismatches wrong_;
  prefetcher<unpadded> ahead_;  // last: its threads use the rest
};

}  // namespace synthetic
