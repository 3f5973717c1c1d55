#include "length.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

#include <inferbench-media/media.hpp>

#include "numbers.hpp"

namespace inferbench::media {
namespace {

// The rows of pixels that are not compressed.
bool is_whole_bmp(std::string_view file) {
  const numbers from(file, byte_order::little);
  const std::uint64_t compression = from.read(30, 4);
  if (from.read(14, 4) < 40 || (compression != 0 && compression != 3)) return true;
  const auto height = static_cast<std::int32_t>(from.read(22, 4));
  const auto rows =
      static_cast<std::uint64_t>(height < 0 ? -std::int64_t{height} : std::int64_t{height});
  const std::uint64_t row = (from.read(18, 4) * from.read(28, 2) + 31) / 32 * 4;
  const std::uint64_t start = from.read(10, 4);
  return start <= file.size() && (row == 0 || rows <= (file.size() - start) / row);
}

// A list of blocks, each of which begins with its length, up to a block without bytes.
class gif_blocks {
 public:
  explicit gif_blocks(std::string_view file)
      : from_(file, byte_order::little), size_(file.size()) {}

  /// Whether the file has the first picture up to the end of its blocks.
  [[nodiscard]] bool reach_end_of_picture() {
    constexpr std::size_t screen = 6;  // where the description of the screen begins
    at_ = screen + 7 + palette_bytes(screen + 4);
    while (at_ < size_) {
      const std::uint64_t kind = from_.read(at_, 1);
      if (kind == ',') {
        at_ += 10 + palette_bytes(at_ + 9) + 1;  // and the size of a code
        return skip_blocks();
      }
      if (kind == '!') {
        at_ += 2;
        if (!skip_blocks()) return false;
      } else {
        ++at_;
      }
    }
    return false;
  }

 private:
  [[nodiscard]] std::size_t palette_bytes(std::size_t flags_at) const {
    const std::uint64_t flags = from_.read(flags_at, 1);
    return (flags & 0x80) == 0 ? 0 : std::size_t{3} << ((flags & 7) + 1);
  }

  bool skip_blocks() {
    while (at_ < size_) {
      const std::uint64_t bytes = from_.read(at_, 1);
      at_ += 1 + bytes;
      if (bytes == 0) return true;
    }
    return false;
  }

  numbers from_;
  std::size_t size_;
  std::size_t at_ = 0;
};

}  // namespace

void check_length(std::string_view file) {
  const char* name = nullptr;
  if (file.starts_with("BM") && !is_whole_bmp(file)) name = "BMP";
  if (file.starts_with("GIF8") && !gif_blocks(file).reach_end_of_picture()) name = "GIF";
  if (name != nullptr) throw failure(cause::data, std::string("the ") + name + " file ends early");
}

}  // namespace inferbench::media
