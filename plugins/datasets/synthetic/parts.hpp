// Turns prompts into the parts of a sample.
#pragma once

#include <cstdint>
#include <span>

#include <inferbench/host.hpp>
#include <inferbench/views.hpp>

#include "prompt_cache.hpp"

namespace synthetic {

/// Returns a part of kind TOKENS with a copy of the ids in the arena.
[[nodiscard]] inline ifb_part token_part(std::span<const std::uint32_t> ids, ifb::arena memory) {
  const auto kept = memory.copy(ids);
  ifb_part out{};
  out.struct_size = sizeof out;
  out.kind = IFB_PART_TOKENS;
  out.data = {kept.data(), kept.size_bytes()};
  return out;
}

[[nodiscard]] inline ifb_part part_of(const prompt& from, bool as_ids, ifb::arena memory) {
  return as_ids ? token_part(from.ids, memory) : ifb::text_part(memory.copy(from.text));
}

}  // namespace synthetic
