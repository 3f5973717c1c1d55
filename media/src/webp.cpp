#include "webp.hpp"

#include <algorithm>
#include <utility>

#include "numbers.hpp"
#include "rgb.hpp"

namespace inferbench::media::webp {
namespace {

[[noreturn]] void fail(const char* why) {
  throw failure(cause::data, std::string("the WebP file ") + why);
}

std::uint32_t number(std::string_view from, std::size_t at, std::size_t bytes) {
  return static_cast<std::uint32_t>(numbers(from, byte_order::little).read(at, bytes));
}

std::string text_of(std::uint32_t number, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i)
    out.push_back(static_cast<char>(number >> (8 * i)));
  return out;
}

struct chunk {
  std::string_view name;
  std::string_view data;
};

// Removes the first chunk from `from`. Returns no value at the end.
std::optional<chunk> take_chunk(std::string_view& from) {
  if (from.empty()) return std::nullopt;
  if (from.size() < 8) fail("ends early");
  const std::size_t bytes = number(from, 4, 4);
  if (bytes > from.size() - 8) fail("ends early");
  const chunk out{from.substr(0, 4), from.substr(8, bytes)};
  from.remove_prefix(std::min(from.size(), 8 + bytes + bytes % 2));
  return out;
}

void append(std::string& to, std::string_view name, std::string_view data) {
  to.append(name).append(text_of(static_cast<std::uint32_t>(data.size()), 4)).append(data);
  if (data.size() % 2 != 0) to.push_back('\0');
}

constexpr unsigned has_alpha = 0x10;

// A file of one picture from the chunks of a frame, whose sizes are minus 1.
std::string still(std::string_view frame) {
  std::string chunks = "WEBP";
  append(chunks, "VP8X",
         text_of(has_alpha, 4) + std::string(frame.substr(6, 3)) + std::string(frame.substr(9, 3)));
  std::string_view left = frame.substr(16);
  bool pixels = false;
  while (const std::optional<chunk> next = take_chunk(left)) {
    pixels = next->name == "VP8 " || next->name == "VP8L";
    if (pixels || next->name == "ALPH") append(chunks, next->name, next->data);
    if (pixels) break;
  }
  if (!pixels) fail("has a picture without pixels");
  return "RIFF" + text_of(static_cast<std::uint32_t>(chunks.size()), 4) + chunks;
}

std::uint8_t channel(int value) {
  return static_cast<std::uint8_t>(std::clamp(value, 0, 16383) >> 6);
}

}  // namespace

bool recognises(std::string_view file) noexcept {
  return file.size() >= 12 && file.starts_with("RIFF") && file.substr(8, 4) == "WEBP";
}

std::optional<first_picture> first_of(std::string_view file) {
  std::string_view left = file.substr(12);
  const std::optional<chunk> head = take_chunk(left);
  constexpr unsigned animated = 0x02;
  if (!head || head->name != "VP8X" || head->data.size() < 10 ||
      (number(head->data, 0, 1) & animated) == 0)
    return std::nullopt;
  first_picture out;
  out.canvas.width = number(head->data, 4, 3) + 1;
  out.canvas.height = number(head->data, 7, 3) + 1;
  rgb::check_size(out.canvas.width, out.canvas.height);
  while (const std::optional<chunk> next = take_chunk(left)) {
    if (next->name != "ANMF") continue;
    if (next->data.size() < 16) fail("has a damaged picture");
    out.left = 2 * number(next->data, 0, 3);
    out.top = 2 * number(next->data, 3, 3);
    out.file = still(next->data);
    // The canvas is transparent, and so white, or black in a file without transparency.
    const bool transparent = (number(head->data, 0, 1) & has_alpha) != 0;
    out.canvas.rgb.assign(std::size_t{out.canvas.width} * out.canvas.height * 3,
                          transparent ? 255 : 0);
    return out;
  }
  fail("has no picture");
}

image placed(first_picture on, const image& picture) {
  if (on.left + picture.width > on.canvas.width || on.top + picture.height > on.canvas.height)
    fail("has a picture outside of its canvas");
  const std::size_t row = std::size_t{picture.width} * 3;
  for (std::size_t y = 0; y < picture.height; ++y)
    std::copy_n(picture.rgb.data() + y * row, row,
                on.canvas.rgb.data() + ((on.top + y) * on.canvas.width + on.left) * 3);
  return std::move(on.canvas);
}

conversion::conversion(const planes& from)
    : from_(from), u_((std::size_t{from.width} + 1) / 2), v_(u_.size()) {}

void conversion::mix_rows(const planes::plane& from, std::ptrdiff_t near, std::ptrdiff_t far,
                          std::vector<std::uint16_t>& to) {
  const std::uint8_t* const close = from.data + near * from.stride;
  const std::uint8_t* const distant = from.data + far * from.stride;
  for (std::size_t i = 0; i < to.size(); ++i)
    to[i] = static_cast<std::uint16_t>(3 * close[i] + distant[i]);
}

unsigned conversion::mixed(const std::vector<std::uint16_t>& rows, std::size_t x) {
  const std::size_t near = x / 2;
  const std::size_t far = x % 2 == 0 ? near - (near > 0) : std::min(near + 1, rows.size() - 1);
  return (3U * rows[near] + rows[far] + 8) >> 4;
}

void conversion::row(std::uint32_t y, std::span<std::uint8_t> rgba) {
  const std::ptrdiff_t last = (std::ptrdiff_t{from_.height} + 1) / 2 - 1;
  const std::ptrdiff_t near = y / 2;
  const std::ptrdiff_t far = std::clamp<std::ptrdiff_t>(y % 2 == 0 ? near - 1 : near + 1, 0, last);
  mix_rows(from_.u, near, far, u_);
  mix_rows(from_.v, near, far, v_);
  const std::uint8_t* const luma = from_.y.data + std::ptrdiff_t{y} * from_.y.stride;
  const std::uint8_t* const alpha = from_.alpha.data == nullptr
                                        ? nullptr
                                        : from_.alpha.data + std::ptrdiff_t{y} * from_.alpha.stride;
  for (std::size_t x = 0; x < from_.width; ++x) {
    // BT.601 with a limited range, in units of 1/64; the constants contain the offsets 16 and 128.
    const int light = luma[x] * 19077 >> 8;
    const int u = static_cast<int>(mixed(u_, x));
    const int v = static_cast<int>(mixed(v_, x));
    rgba[4 * x] = channel(light + (v * 26149 >> 8) - 14234);
    rgba[4 * x + 1] = channel(light - (u * 6419 >> 8) - (v * 13320 >> 8) + 8708);
    rgba[4 * x + 2] = channel(light + (u * 33050 >> 8) - 17685);
    rgba[4 * x + 3] = alpha == nullptr ? 255 : alpha[x];
  }
}

}  // namespace inferbench::media::webp
