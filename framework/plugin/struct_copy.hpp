// Copies structs from a plugin, which may have been compiled with a header of the SDK in which the
// struct has more or fewer members.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace inferbench::plugin {

/// Returns a copy with the members of this build. Members that the plugin's struct does not have
/// are 0. The copy's struct_size is the smaller one of the two sizes, in bytes. Never reads beyond
/// the plugin's struct.
template <typename structure>
[[nodiscard]] structure struct_copy(const structure& from) noexcept {
  structure out{};
  const std::size_t size = std::min<std::size_t>(from.struct_size, sizeof out);
  std::memcpy(&out, &from, size);
  out.struct_size = static_cast<std::uint32_t>(size);
  return out;
}

}  // namespace inferbench::plugin
