// CRC-32C (Castagnoli, RFC 3720 appendix B.4), the checksum of each frame of a journal.
#pragma once

#include <cstdint>
#include <string_view>

namespace inferbench::records {

/// The checksum of some bytes followed by `data`. `before` is the checksum of these bytes.
[[nodiscard]] std::uint32_t crc32c(std::string_view data, std::uint32_t before = 0) noexcept;

}  // namespace inferbench::records
