#include "run_prompts.hpp"

#include <algorithm>
#include <iterator>
#include <span>
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
      maker_(maker),
      recipe_(std::move(recipe)),
      states_{{0, recipe_.random}},
      ahead_(size() < few_prompts ? 0 : threads, room_for(recipe_.draws),
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

std::size_t run_prompts::target(std::uint64_t i) const {
  const draw& wanted = recipe_.draws[i];
  return std::size_t{wanted.prefix} + wanted.input;
}

run_prompts::unpadded run_prompts::begin(std::uint64_t i) const {
  const draw& wanted = recipe_.draws[i];
  std::span<const std::uint32_t> beginning = recipe_.beginning;
  if (wanted.prefix < recipe_.longest_prefix)
    beginning = beginning.first(std::min<std::size_t>(beginning.size(), wanted.prefix));
  unpadded out;
  out.so_far =
      maker_.begin(id_run(beginning, recipe_.allowed, wanted.offset + i, wanted.input), target(i));
  if (recipe_.with_special && out.so_far.missing == 0)
    out.sent = maker_.tokenizer().encode(out.so_far.so_far.text, IFB_ENCODE_SPECIAL);
  return out;
}

prompt run_prompts::finish(std::uint64_t i, unpadded from, ifb::numpy_pcg64& random) const {
  const bool padded = from.so_far.missing != 0;
  fit_result made = maker_.finish(std::move(from.so_far), target(i),
                                  [&](std::int64_t n) { return random.integer(0, n); });
  prompt out;
  out.mismatch = made.mismatch;
  if (recipe_.with_special)
    out.ids =
        padded ? maker_.tokenizer().encode(made.text, IFB_ENCODE_SPECIAL) : std::move(from.sent);
  else
    out.ids = std::move(made.ids);
  out.text = std::move(made.text);
  out.tokens = out.ids.size();
  if (!recipe_.with_ids) out.ids.clear();
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
