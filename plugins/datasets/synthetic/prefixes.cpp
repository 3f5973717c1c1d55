#include "prefixes.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "row_random.hpp"

namespace synthetic {

namespace {

void make_beginning(ifb::host host, const prompt_maker& maker, ifb::numpy_pcg64& random,
                    run_style& style) {
  const std::size_t count = style.longest_prefix;
  if (count == 0) return;
  const auto& allowed = style.allowed;
  std::vector<std::uint32_t> ids(count);
  for (auto& token : ids)
    token = allowed[static_cast<std::size_t>(
        random.integer(0, static_cast<std::int64_t>(allowed.size())))];
  fit_result made =
      maker.fit(std::move(ids), count, [&](std::int64_t n) { return random.integer(0, n); });
  if (made.mismatch != 0)
    host.warn("the common prefix has " + std::to_string(made.ids.size()) + " tokens, not the " +
              std::to_string(count) + " asked for");
  style.beginning = std::move(made.ids);
}

}  // namespace

void draw_prefixes(ifb::host host, const prompt_maker& maker, const length_range& prefixes,
                   ifb::numpy_pcg64& random, run_recipe& recipe) {
  for (draw& each : recipe.draws) {
    each.prefix = prefixes.draw(random);
    recipe.longest_prefix = std::max(recipe.longest_prefix, each.prefix);
  }
  make_beginning(host, maker, random, recipe);
}

void draw_endless_prefix(ifb::host host, const prompt_maker& maker, const endless_lengths& lengths,
                         std::uint64_t seed, run_style& style) {
  for (std::uint64_t i = 0; i < looked_at; ++i) {
    ifb::numpy_pcg64 random(seed_of_row(seed, i));
    style.longest_prefix =
        std::max(style.longest_prefix, draw_one(random, lengths, maker.vocabulary()).prefix);
  }
  ifb::numpy_pcg64 random(seed);
  make_beginning(host, maker, random, style);
}

}  // namespace synthetic
