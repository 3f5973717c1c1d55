#include "tiff.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <inferbench-media/media.hpp>

#include "numbers.hpp"

namespace inferbench::media::tiff {
namespace {

enum tag : std::uint16_t { orientation = 274, extra_samples = 338, sample_format = 339 };

// Size, bits, compression, colours, fill order, strips, planes, fax options, predictor, palette,
// tiles, JPEG tables, subsampling and range of YCbCr.
constexpr std::array<std::uint64_t, 23> pixel_tags{256, 257, 258, 259, 262, 266, 273, 277,
                                                   278, 279, 284, 292, 293, 317, 320, 322,
                                                   323, 324, 325, 347, 529, 530, 532};

// The first directory: a count, and entries of 12 bytes (tag, type, count, value or its position).
class directory {
 public:
  static constexpr std::size_t entry_bytes = 12;

  explicit directory(std::string_view file)
      : file_(file),
        numbers_(file, file.starts_with("MM") ? byte_order::big : byte_order::little),
        at_(numbers_.read(4, 4)) {
    if (at_ + 2 > file.size()) return;
    const std::size_t room = (file.size() - at_ - 2) / entry_bytes;
    count_ = std::min<std::size_t>(numbers_.read(at_, 2), room);
  }

  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  [[nodiscard]] std::size_t position(std::size_t entry) const noexcept {
    return at_ + 2 + entry_bytes * entry;
  }
  [[nodiscard]] std::size_t tag_of(std::size_t entry) const noexcept {
    return numbers_.read(position(entry), 2);
  }

  /// The first number of the tag.
  [[nodiscard]] std::optional<std::uint64_t> value(tag wanted) const noexcept {
    for (std::size_t i = 0; i < count_; ++i) {
      if (tag_of(i) != wanted) continue;
      const std::size_t at = position(i);
      const std::uint64_t type = numbers_.read(at + 2, 2);
      const std::size_t bytes = type == 1 ? 1 : type == 3 ? 2 : 4;
      const bool inside = numbers_.read(at + 4, 4) * bytes <= 4;
      return numbers_.read(inside ? at + 8 : numbers_.read(at + 8, 4), bytes);
    }
    return std::nullopt;
  }

  /// Replaces the count.
  void write_count(std::string& file, std::size_t count) const {
    const bool big = file_.starts_with("MM");
    file[at_] = static_cast<char>(big ? count >> 8 : count);
    file[at_ + 1] = static_cast<char>(big ? count : count >> 8);
  }

 private:
  std::string_view file_;
  numbers numbers_;
  std::size_t at_;
  std::size_t count_ = 0;
};

}  // namespace

bool recognises(std::string_view file) noexcept {
  return file.starts_with(std::string_view("II*\0", 4)) ||
         file.starts_with(std::string_view("MM\0*", 4));
}

int orientation_of(std::string_view file) noexcept {
  if (!recognises(file)) return 1;
  const std::uint64_t value = directory(file).value(orientation).value_or(1);
  return value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
}

bool has_unused_channel(std::string_view file) noexcept {
  return recognises(file) && directory(file).value(extra_samples) == 0U;
}

std::string for_ffmpeg(std::string_view file) {
  const directory all(file);
  if (all.value(sample_format).value_or(1) != 1)
    throw failure(cause::data, "the TIFF file has samples that are not unsigned integers");
  std::string out(file);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < all.count(); ++i)
    if (std::find(pixel_tags.begin(), pixel_tags.end(), all.tag_of(i)) != pixel_tags.end())
      out.replace(all.position(kept++), directory::entry_bytes,
                  file.substr(all.position(i), directory::entry_bytes));
  if (all.count() > 0) all.write_count(out, kept);
  return out;
}

}  // namespace inferbench::media::tiff
