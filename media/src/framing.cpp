#include "framing.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "numbers.hpp"

namespace inferbench::media::framing {
namespace {

using namespace std::string_view_literals;

constexpr auto none = std::string_view::npos;

std::uint64_t big(std::string_view file, std::size_t at, std::size_t bytes) noexcept {
  return numbers(file, byte_order::big).read(at, bytes);
}
std::uint64_t little(std::string_view file, std::size_t at) noexcept {
  return numbers(file, byte_order::little).read(at, 4);
}

// The image ends with its last marker EOI. A marker cannot occur in the compressed data, but a
// small image (a thumbnail) can precede the image, so the end must follow the last start of data.
bool jpeg(std::string_view file) noexcept {
  const auto end = file.rfind("\xFF\xD9"sv);
  const auto data = file.rfind("\xFF\xDA"sv);
  return end == none || data == none || end < data;
}

bool png(std::string_view file) noexcept {
  for (std::size_t at = 8; at + 12 <= file.size();) {
    const std::uint64_t size = big(file, at, 4);
    if (file.size() - at - 12 < size) return true;
    if (file.substr(at + 4, 4) == "IEND") return false;
    at += 12 + static_cast<std::size_t>(size);
  }
  return true;
}

bool gif(std::string_view file) noexcept {
  const auto last = file.find_last_not_of('\0');
  return last == none || file[last] != ';';
}

bool riff(std::string_view file) noexcept {
  return !is_streamed(file) && little(file, 4) + 8 > file.size();
}

// Calls `use` with the name and the content of each box in `content`. Returns whether the last box
// is whole; FFmpeg reads it even if it is not.
template <typename user>
bool each_box(std::string_view content, user use) noexcept {
  while (!content.empty()) {
    std::uint64_t size = big(content, 0, 4);
    const std::size_t head = size == 1 ? 16 : 8;
    if (size == 1) size = big(content, 8, 8);
    if (size == 0) size = content.size();  // up to the end
    if (size < head || content.size() < head) return false;
    const auto bytes = static_cast<std::size_t>(std::min<std::uint64_t>(size, content.size()));
    use(content.substr(4, 4), content.substr(head, bytes - head));
    if (bytes < size) return false;
    content.remove_prefix(bytes);
  }
  return true;
}

bool iso(std::string_view file) noexcept {
  return !each_box(file, [](std::string_view, std::string_view) {});
}

// The numbers of samples in the boxes stsz and stz2 (of a track) and trun (of a fragment).
std::uint64_t announced_samples(std::string_view content, int depth) noexcept {
  constexpr std::array<std::string_view, 7> parents = {"moov", "trak", "mdia", "minf",
                                                       "stbl", "moof", "traf"};
  std::uint64_t sum = 0;
  each_box(content, [&](std::string_view name, std::string_view inner) {
    if (name == "stsz" || name == "stz2") sum += big(inner, 8, 4);
    if (name == "trun") sum += big(inner, 4, 4);
    if (depth > 0 && std::ranges::find(parents, name) != parents.end())
      sum += announced_samples(inner, depth - 1);
  });
  return sum;
}

// An element's size, whose first byte tells its length. Moves `at` behind it.
std::uint64_t ebml_size(std::string_view file, std::size_t& at, bool& unknown) noexcept {
  const auto first = static_cast<std::uint8_t>(big(file, at, 1));
  const auto bytes = static_cast<std::size_t>(std::countl_zero(first)) + 1;
  unknown = true;
  if (bytes > 8) return 0;
  const std::uint64_t most = (std::uint64_t{1} << 7U * bytes) - 1;
  const std::uint64_t size = big(file, at, bytes) & most;
  unknown = size == most;
  at += bytes;
  return size;
}

bool matroska(std::string_view file) noexcept {
  bool unknown = false;
  std::size_t at = 4;
  const std::uint64_t head = ebml_size(file, at, unknown);
  if (unknown || head > file.size() - std::min(at, file.size())) return true;
  at += static_cast<std::size_t>(head);
  if (file.substr(at, 4) != "\x18\x53\x80\x67"sv) return true;
  at += 4;
  const std::uint64_t segment = ebml_size(file, at, unknown);
  return !unknown && segment > file.size() - std::min(at, file.size());
}

bool ogg(std::string_view file) noexcept {
  std::size_t at = 0;
  while (file.substr(std::min(at, file.size()), 4) == "OggS") {
    const auto segments = static_cast<std::size_t>(big(file, at + 26, 1));
    std::size_t size = 27 + segments;
    for (std::size_t i = 0; i < segments; ++i)
      size += static_cast<std::size_t>(big(file, at + 27 + i, 1));
    if (size > file.size() - at) return true;
    at += size;
  }
  return at < file.size();
}

bool is_iso(std::string_view file) noexcept { return file.substr(0, 8).ends_with("ftyp"); }

}  // namespace

bool ends_early(std::string_view file) noexcept {
  if (file.starts_with("\xFF\xD8\xFF"sv)) return jpeg(file);
  if (file.starts_with("\x89PNG\r\n\x1A\n"sv)) return png(file);
  if (file.starts_with("GIF8")) return gif(file);
  if (file.starts_with("RIFF")) return riff(file);
  if (file.starts_with("OggS")) return ogg(file);
  if (file.starts_with("\x1A\x45\xDF\xA3"sv)) return matroska(file);
  return is_iso(file) && iso(file);
}

bool is_streamed(std::string_view file) noexcept {
  const std::uint64_t size = little(file, 4);
  return file.starts_with("RIFF") && (size == 0 || size == UINT32_MAX);
}

bool announces_too_much(std::string_view file) noexcept {
  constexpr int deepest = 6;
  return announced_samples(file, deepest) > file.size();
}

std::string_view brand(std::string_view file) noexcept {
  if (file.starts_with("\x1A\x45\xDF\xA3"sv))
    return file.substr(0, 64).find("webm") == none ? "matroska" : "webm";
  return is_iso(file) && file.size() >= 12 ? file.substr(8, 4) : std::string_view{};
}

}  // namespace inferbench::media::framing
