// CRC-32C (Castagnoli, RFC 3720 appendix B.4): what guards each frame of a journal.
#pragma once

#include <cstdint>
#include <string_view>

namespace inferbench::records {

/// `before`: the sum of the bytes in front of `data`, to go on from.
[[nodiscard]] std::uint32_t crc32c(std::string_view data, std::uint32_t before = 0) noexcept;

}  // namespace inferbench::records
