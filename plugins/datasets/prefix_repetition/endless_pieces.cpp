#include "endless_pieces.hpp"

#include <utility>

#include "datasets/synthetic/row_random.hpp"

namespace {

// Distinguishes the generators of groups from those of rows.
constexpr std::uint64_t of_groups = 0x7072656669786573U;

}  // namespace

endless_pieces::endless_pieces(const synthetic::prompt_maker& maker, endless_layout layout,
                               std::uint64_t seed)
    : maker_(maker), layout_(std::move(layout)), seed_(seed) {}

std::vector<std::uint32_t> endless_pieces::piece(std::uint32_t length,
                                                 ifb::numpy_pcg64& random) const {
  std::vector<std::uint32_t> ids(length);
  for (std::uint32_t& token : ids)
    token = static_cast<std::uint32_t>(random.integer(0, maker_.vocabulary()));
  return maker_.fit(std::move(ids), length, [&](std::int64_t n) { return random.integer(0, n); })
      .ids;
}

std::span<const std::uint32_t> endless_pieces::prefix(std::int64_t group) const {
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = prefixes_.find(group); known != prefixes_.end()) return known->second;
  }
  // Two threads may make the same prefix, with the same content.
  ifb::numpy_pcg64 random(
      synthetic::seed_of_row(seed_ ^ of_groups, static_cast<std::uint64_t>(group)));
  const std::uint32_t length = layout_.prefixes.draw(random);
  std::vector<std::uint32_t> made = piece(length, random);
  const std::lock_guard lock(mutex_);
  return prefixes_.emplace(group, std::move(made)).first->second;
}

endless_pieces::row endless_pieces::at(std::uint64_t i) const {
  ifb::numpy_pcg64 random(synthetic::seed_of_row(seed_, i));
  row out;
  out.prefix = prefix(random.integer(0, layout_.groups));
  const std::uint32_t length = layout_.suffixes.draw(random);
  out.output = layout_.outputs.draw(random);
  out.suffix = piece(length, random);
  return out;
}
