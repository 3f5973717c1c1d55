// Any number of prompts like those of run_prompts.hpp, for runs that end at a time. Each prompt has
// a generator of its own (row_random.hpp), so these prompts differ from the prompts of a run with a
// number of requests.
#pragma once

#include <cstdint>
#include <functional>

#include <inferbench/host.hpp>

#include "draws.hpp"
#include "mismatch.hpp"
#include "run_maker.hpp"

namespace synthetic {

/// The lengths of prompts without an end.
struct endless_lengths {
  length_range inputs;
  length_range outputs;
  length_range prefixes;
  std::function<void(draw&)> adapt{};  // changes each draw; may be empty. Any thread
};

/// Draws the lengths and the offset of prompt `i`; `random` is the generator of the prompt.
[[nodiscard]] draw draw_one(ifb::numpy_pcg64& random, const endless_lengths& lengths,
                            std::int64_t vocabulary);

/// Any thread.
class endless_prompts {
 public:
  struct finished_prompt {
    prompt text;
    std::uint32_t output = 0;  // wanted length of the answer
  };

  endless_prompts(ifb::host host, run_maker maker, endless_lengths lengths, std::int64_t vocabulary,
                  std::uint64_t seed);

  /// Returns prompt `i`; every call returns the same content. When the first 1000 prompts were
  /// made, a warning reports how many of them do not have their length. Throws the exceptions of
  /// the tokenizer.
  [[nodiscard]] finished_prompt at(std::uint64_t i) const;
  /// The same; `after` becomes the generator of the prompt, in its state after the text.
  [[nodiscard]] finished_prompt at(std::uint64_t i, ifb::numpy_pcg64& after) const;

 private:
  ifb::host host_;
  run_maker maker_;
  endless_lengths lengths_;
  std::int64_t vocabulary_;
  std::uint64_t seed_;
  mutable row_mismatches wrong_;
};

}  // namespace synthetic
