// The prompts of `random` and `random-rerank`: runs of neighbouring ids after a common beginning,
// fitted to their lengths. They are made in parallel and in advance, and stored on disk if this
// saves time. They are equal, bit for bit, to the prompts of a serial run: only padding, and what
// follows a prompt in run_recipe::after, draws numbers. Therefore all other steps are done in
// advance, and these are done in order, when a prompt is taken.
#pragma once

#include <cstdint>
#include <functional>
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
#include "run_maker.hpp"

namespace synthetic {

/// Everything that determines the prompts.
struct run_recipe : run_style {
  std::vector<draw> draws;     // one for each prompt
  ifb::numpy_pcg64 random{0};  // its state before the first padding
  /// Draws the numbers that follow the text of each prompt; may be empty. at() calls this function
  /// each time it makes a prompt, lastly for the prompt that it returns, with the generator's state
  /// after the text. It must draw the same numbers whenever it is called with the same state. It
  /// needs a run without a place in the cache.
  std::function<void(ifb::numpy_pcg64&)> after{};
};

/// One thread.
class run_prompts {
 public:
  /// `place` is the place in the cache; nullopt: no cache. If `threads` is 0, a prompt is made when
  /// it is needed.
  run_prompts(ifb::host host, const prompt_maker& maker, run_recipe recipe,
              std::optional<cache_place> place, unsigned threads = usual_threads());

  [[nodiscard]] std::uint64_t size() const noexcept { return draws_.size(); }

  /// Returns prompt `i`, which must be less than size(); every call returns the same content. The
  /// first call makes all prompts before it. When the last prompt is made, a warning reports how
  /// many prompts do not have their length. Throws the exceptions of the tokenizer, and
  /// IFB_E_CANCELLED if the run is being stopped.
  [[nodiscard]] prompt at(std::uint64_t i);

 private:
  // The state of the generator for prompt `from` and the prompts after it, up to the next entry.
  struct state {
    std::uint64_t from;
    ifb::numpy_pcg64 random;
  };

  [[nodiscard]] run_maker::unpadded begin(std::uint64_t i) const;
  [[nodiscard]] prompt finish(std::uint64_t i, run_maker::unpadded from,
                              ifb::numpy_pcg64& random) const;
  [[nodiscard]] prompt make_new();
  [[nodiscard]] prompt make_again(std::uint64_t i);

  ifb::host host_;
  run_maker maker_;
  std::vector<draw> draws_;
  std::function<void(ifb::numpy_pcg64&)> after_;
  std::optional<kept_prompts> kept_;
  std::optional<cache_writer> keep_;
  std::vector<state> states_;  // ascending; one entry is added for each prompt that draws numbers
  std::uint64_t made_ = 0;     // number of prompts made at least once
  std::uint64_t last_ = 0;     // the prompt of the previous call
  mismatches wrong_;
  prefetcher<run_maker::unpadded> ahead_;  // last member: its threads use the other members
};

}  // namespace synthetic
