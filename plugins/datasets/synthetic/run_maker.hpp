// Makes one prompt of `random` or `random-rerank`: a run of neighbouring ids after a common
// beginning, fitted to its length.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <inferbench/random.hpp>

#include "draws.hpp"
#include "prompt_cache.hpp"
#include "prompt_maker.hpp"

namespace synthetic {

/// The properties that all prompts of a dataset have in common.
struct run_style {
  std::vector<std::uint32_t> allowed;    // ids from which prompts are made
  std::vector<std::uint32_t> beginning;  // ids of the longest prefix
  std::uint32_t longest_prefix = 0;
  bool with_special = false;  // ids include the special tokens that the model adds
  bool with_ids = false;      // the ids are wanted, and not only their number
};

/// Immutable; any thread. Only padding draws numbers, so all other steps can be done in advance.
/// The functions throw the exceptions of the tokenizer.
class run_maker {
 public:
  /// A prompt that may still need padding.
  struct unpadded {
    fit_state so_far;
    std::vector<std::uint32_t> sent;
  };

  run_maker(const prompt_maker& maker, run_style style) : maker_(maker), style_(std::move(style)) {}

  [[nodiscard]] const run_style& style() const noexcept { return style_; }

  /// Does all steps before the first padding for prompt `i` with the lengths `wanted`.
  [[nodiscard]] unpadded begin(const draw& wanted, std::uint64_t i) const;
  /// Does the remaining steps.
  [[nodiscard]] prompt finish(const draw& wanted, unpadded from, ifb::numpy_pcg64& random) const;

 private:
  prompt_maker maker_;
  run_style style_;
};

}  // namespace synthetic
