// A fast checksum, for files that only this program writes and reads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace synthetic {

/// A hash of 64 bits over bytes that are added in pieces. Not collision-resistant. A plain value.
class block_hash {
 public:
  explicit block_hash(std::uint64_t seed = 0) noexcept : state_(seed ^ 0x9E3779B97F4A7C15U) {}

  /// Every piece except for the last must have a multiple of 8 bytes.
  void add(std::string_view bytes) noexcept;
  [[nodiscard]] std::uint64_t value() const noexcept;

 private:
  std::uint64_t state_;
  std::uint64_t size_ = 0;
};

/// Returns 32 hexadecimal digits that identify `text`.
[[nodiscard]] std::string short_name_of(std::string_view text);

}  // namespace synthetic
