#include "noise.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <inferbench-media/media.hpp>

#include <inferbench/guard.hpp>

namespace random_mm {

namespace media = inferbench::media;

namespace {

std::string encode(const bucket& of, std::span<const std::uint8_t> rgb) {
  if (of.kind() == modality::image) return media::encode_jpeg({of.width, of.height, rgb});
  return media::encode_mp4({of.width, of.height, of.frames, rgb});
}

}  // namespace

pixel_budget::share::share(pixel_budget& from, std::uint64_t bytes) : from_(from), bytes_(bytes) {
  std::unique_lock lock(from_.mutex_);
  from_.returned_.wait(lock,
                       [&] { return from_.used_ == 0 || from_.used_ + bytes_ <= from_.bytes_; });
  from_.used_ += bytes_;
}

pixel_budget::share::~share() {
  {
    const std::lock_guard lock(from_.mutex_);
    from_.used_ -= bytes_;
  }
  from_.returned_.notify_all();
}

std::string noise::file(const bucket& of, ifb::numpy_pcg64& random) {
  const pixel_budget::share memory(budget_, of.bytes());
  const auto size = static_cast<std::size_t>(of.bytes());
  const auto pixels = std::make_unique_for_overwrite<std::uint8_t[]>(size);
  random.bytes({pixels.get(), size});
  // Upstream passes the drawn bytes to its video encoder as blue, green and red.
  if (of.kind() == modality::video)
    for (std::size_t i = 0; i < size; i += 3)
      std::swap(pixels[i], pixels[i + 2]);
  return encode(of, {pixels.get(), size});
}

void noise::check(const bucket& of) {
  bucket frame = of;
  frame.frames = 1;
  const pixel_budget::share memory(budget_, frame.bytes());
  const std::vector<std::uint8_t> black(static_cast<std::size_t>(frame.bytes()));
  try {
    if (of.kind() == modality::image)
      static_cast<void>(media::encode_jpeg({of.width, of.height, black}));
    else
      static_cast<void>(media::encode_mp4({of.width, of.height, 1, black}));
  } catch (const media::failure& e) {
    if (e.kind() == media::cause::missing) throw ifb::failure(IFB_E_UNSUPPORTED, e.what());
    throw ifb::failure(IFB_E_CONFIG, "the bucket " + of.text() + " cannot be encoded: " + e.what(),
                       "bucket-config");
  }
}

}  // namespace random_mm
