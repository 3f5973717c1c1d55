#include "run_prompts.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <inferbench/guard.hpp>

namespace synthetic {

namespace {

constexpr std::uint64_t few_prompts = 64;  // so few prompts are not worth a thread

// Returns how many prompts may wait to be taken: up to 256, and fewer if they are long.
std::size_t room_for(const std::vector<draw>& draws) {
  constexpr std::uint64_t most_tokens = std::uint64_t{8} << 20U;
  std::uint64_t longest = 1;
  for (const draw& each : draws)
    longest = std::max(longest, std::uint64_t{each.prefix} + each.input);
  return static_cast<std::size_t>(std::clamp<std::uint64_t>(most_tokens / longest, 8, 256));
}

}  // namespace

run_prompts::run_prompts(ifb::host host, const prompt_maker& maker, run_recipe recipe,
                         std::optional<cache_place> place, unsigned threads)
    : host_(host),
      maker_(maker, std::move(static_cast<run_style&>(recipe))),
      draws_(std::move(recipe.draws)),
      after_(std::move(recipe.after)),
      states_{{0, recipe.random}},
      ahead_(size() < few_prompts ? 0 : threads, room_for(draws_),
             [this](std::uint64_t i) { return begin(i); }) {
  if (!place) return;
  kept_ = open_cache(host_, *place, size());
  if (!kept_) {
    keep_.emplace(host_, std::move(*place), size());
    return;
  }
  for (std::uint64_t i = 0; i < size(); ++i)
    wrong_.add(kept_->mismatch(i));
  if (const std::string text = wrong_.text(); !text.empty()) host_.warn(text);
}

prompt run_prompts::at(std::uint64_t i) {
  if (kept_) return kept_->at(i);
  if (i < made_) return make_again(i);
  while (made_ < i) {
    (void)make_new();
    if (host_.cancelled()) throw ifb::failure(IFB_E_CANCELLED, "stopped");
  }
  return make_new();
}

run_maker::unpadded run_prompts::begin(std::uint64_t i) const { return maker_.begin(draws_[i], i); }

prompt run_prompts::finish(std::uint64_t i, run_maker::unpadded from,
                           ifb::numpy_pcg64& random) const {
  prompt out = maker_.finish(draws_[i], std::move(from), random);
  if (after_) after_(random);
  return out;
}

// The generator's state after a prompt, and the prompt's mismatch, are stored only when the prompt
// is made for the first time.
prompt run_prompts::make_new() {
  const std::uint64_t i = made_;
  if (ahead_.next() != i || i == 0) ahead_.start(i, size());
  ifb::numpy_pcg64 random = states_.back().random;
  prompt out = finish(i, ahead_.take(), random);
  last_ = i;
  ++made_;
  wrong_.add(out.mismatch);
  if (!(random == states_.back().random)) states_.push_back({made_, random});
  if (keep_) keep_->add(out);
  if (made_ < size()) return out;
  keep_.reset();
  if (const std::string text = wrong_.text(); !text.empty()) host_.warn(text);
  return out;
}

// If prompts are read again in order, they are again made in advance.
prompt run_prompts::make_again(std::uint64_t i) {
  if (ahead_.next() != i && i != 0 && last_ == i - 1) ahead_.start(i, size());
  last_ = i;
  const auto after = std::ranges::upper_bound(states_, i, {}, &state::from);
  ifb::numpy_pcg64 random = std::prev(after)->random;
  return finish(i, ahead_.next() == i ? ahead_.take() : begin(i), random);
}

}  // namespace synthetic
