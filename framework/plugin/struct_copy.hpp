// Copies of structs that a plugin has made, whose header may know more or fewer members.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace inferbench::plugin {

/// The struct with the members of this build: members that the plugin does not have are 0, and its
/// struct_size counts the members that both have. Never reads beyond the plugin's struct.
template <typename structure>
[[nodiscard]] structure struct_copy(const structure& from) noexcept {
  structure out{};
  const std::size_t size = std::min<std::size_t>(from.struct_size, sizeof out);
  std::memcpy(&out, &from, size);
  out.struct_size = static_cast<std::uint32_t>(size);
  return out;
}

}  // namespace inferbench::plugin
