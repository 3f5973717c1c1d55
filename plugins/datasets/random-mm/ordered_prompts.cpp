#include "ordered_prompts.hpp"

#include <algorithm>
#include <utility>

namespace random_mm {

namespace {

// Twice the number of rows that the host's threads read in advance (at most 64, in groups of
// neighbours), so each finished prompt is kept until its thread asks for it.
constexpr std::size_t most_waiting = 128;

}  // namespace

ordered_prompts::ordered_prompts(ifb::host host, const synthetic::prompt_maker& maker,
                                 synthetic::run_recipe recipe, skip_items skip)
    : prompts_(host, maker, with_items(std::move(recipe), std::move(skip)), std::nullopt) {}

synthetic::run_recipe ordered_prompts::with_items(synthetic::run_recipe recipe, skip_items skip) {
  recipe.after = [this, skip = std::move(skip)](ifb::numpy_pcg64& random) {
    random_ = random;
    skip(random);
  };
  return recipe;
}

ordered_prompts::request_prompt ordered_prompts::make(std::uint64_t i) {
  synthetic::prompt text = prompts_.at(i);
  return {std::move(text), random_};
}

ordered_prompts::request_prompt ordered_prompts::at(std::uint64_t i) {
  const std::lock_guard lock(mutex_);
  if (auto found = waiting_.extract(i)) return std::move(found.mapped());
  if (i < next_) return make(i);
  for (next_ = std::max(next_, i - std::min<std::uint64_t>(i, most_waiting)); next_ < i; ++next_)
    waiting_.emplace(next_, make(next_));
  request_prompt out = make(i);
  next_ = i + 1;
  while (waiting_.size() > most_waiting)
    waiting_.erase(waiting_.begin());
  return out;
}

}  // namespace random_mm
