// Lists of the contract by index. A list of one need not say its stride.
#pragma once

#include <cstddef>
#include <cstdint>

#include <inferbench/abi.h>

namespace inferbench::run {

[[nodiscard]] inline const ifb_part& element(const ifb_part_list& of, std::uint32_t i) noexcept {
  const auto* bytes = reinterpret_cast<const std::byte*>(of.first);
  return *reinterpret_cast<const ifb_part*>(bytes + std::size_t{i} * of.stride);
}

[[nodiscard]] inline const ifb_message& element(const ifb_message_list& of,
                                                std::uint32_t i) noexcept {
  const auto* bytes = reinterpret_cast<const std::byte*>(of.first);
  return *reinterpret_cast<const ifb_message*>(bytes + std::size_t{i} * of.stride);
}

}  // namespace inferbench::run
