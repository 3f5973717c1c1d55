// Numbers in the heads of files. [any thread]
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace inferbench::media {

enum class byte_order : std::uint8_t { little, big };

/// Reads numbers at positions that may come from the file itself: a number that is not completely
/// inside of the file is 0.
class numbers {
 public:
  /// `file` must outlive this object.
  numbers(std::string_view file, byte_order order) : file_(file), order_(order) {}

  /// Returns a number of 1 to 8 bytes.
  [[nodiscard]] std::uint64_t read(std::size_t at, std::size_t bytes) const noexcept {
    if (at > file_.size() || bytes > file_.size() - at) return 0;
    std::uint64_t out = 0;
    for (std::size_t i = 0; i < bytes; ++i) {
      const std::size_t place = order_ == byte_order::big ? i : bytes - 1 - i;
      out = out << 8 | static_cast<std::uint8_t>(file_[at + place]);
    }
    return out;
  }

 private:
  std::string_view file_;
  byte_order order_;
};

/// Returns at most `bytes` bytes from `at`; nothing if `at` is outside of the file.
[[nodiscard]] inline std::string_view part(std::string_view file, std::size_t at,
                                           std::size_t bytes) noexcept {
  return at < file.size() ? file.substr(at, bytes) : std::string_view();
}

}  // namespace inferbench::media
