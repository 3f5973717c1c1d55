#include "endless_prompts.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "row_random.hpp"

namespace synthetic {

draw draw_one(ifb::numpy_pcg64& random, const endless_lengths& lengths, std::int64_t vocabulary) {
  draw out;
  out.input = lengths.inputs.draw(random);
  out.output = lengths.outputs.draw(random);
  out.offset = static_cast<std::uint32_t>(random.integer(0, vocabulary));
  out.prefix = lengths.prefixes.draw(random);
  if (lengths.adapt) lengths.adapt(out);
  return out;
}

endless_prompts::endless_prompts(ifb::host host, run_maker maker, endless_lengths lengths,
                                 std::int64_t vocabulary, std::uint64_t seed)
    : host_(host),
      maker_(std::move(maker)),
      lengths_(std::move(lengths)),
      vocabulary_(vocabulary),
      seed_(seed) {
  wrong_.expect(looked_at);
}

endless_prompts::finished_prompt endless_prompts::at(std::uint64_t i) const {
  ifb::numpy_pcg64 random(0);
  return at(i, random);
}

endless_prompts::finished_prompt endless_prompts::at(std::uint64_t i,
                                                     ifb::numpy_pcg64& random) const {
  random = ifb::numpy_pcg64(seed_of_row(seed_, i));
  draw wanted = draw_one(random, lengths_, vocabulary_);
  wanted.prefix = std::min(wanted.prefix, maker_.style().longest_prefix);
  finished_prompt out;
  out.output = wanted.output;
  // The offset alone places the run: unlike in a run with a number of requests, the number of the
  // prompt is not added.
  out.text = maker_.finish(wanted, maker_.begin(wanted, 0), random);
  if (const std::string text = wrong_.add(i, out.text.mismatch); !text.empty()) host_.warn(text);
  return out;
}

}  // namespace synthetic
