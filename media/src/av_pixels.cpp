#include "av_pixels.hpp"

#if MEDIA_HAS_AV

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <utility>
#include <vector>

extern "C" {
#include <libavutil/pixdesc.h>
#include <libswscale/swscale.h>
}

#include "rgb.hpp"
#include "webp.hpp"

namespace inferbench::media::av {
namespace {

// ---- formats without chroma --------------------------------------------------------------------

// RGB, palettes and greys with any number of bits: the values of the channels are read as they are.
class channels {
 public:
  /// `opaque`: the alpha channel is not used.
  channels(const AVFrame& from, const AVPixFmtDescriptor& format, bool opaque)
      : from_(from),
        format_(format),
        opaque_(opaque),
        width_(static_cast<std::size_t>(from.width)),
        values_(width_),
        rgba_(width_ * 4, 255) {}

  void read_row(int y, std::span<std::uint8_t> out) {
    if (from_.format == AV_PIX_FMT_PAL8) {
      for (std::size_t x = 0; x < width_; ++x)
        look_up(y, x);
    } else {
      const int colours = format_.nb_components <= 2 ? 1 : 3;
      for (int c = 0; c < (opaque_ ? colours : int{format_.nb_components}); ++c)
        read_channel(y, c, c >= colours ? 3 : static_cast<std::size_t>(c));
      if (colours == 1)
        for (std::size_t i = 0; i < rgba_.size(); i += 4)
          rgba_[i + 1] = rgba_[i + 2] = rgba_[i];
    }
    rgb::from_rgba(rgba_, out);
  }

 private:
  void look_up(int y, std::size_t x) {
    const std::uint8_t index =
        from_.data[0][std::ptrdiff_t{y} * from_.linesize[0] + static_cast<std::ptrdiff_t>(x)];
    std::uint32_t argb = 0;
    std::memcpy(&argb, from_.data[1] + 4 * index, sizeof argb);
    for (std::size_t c = 0; c < 4; ++c)
      rgba_[4 * x + c] = static_cast<std::uint8_t>(argb >> (c == 3 ? 24 : 16 - 8 * c));
  }

  void read_channel(int y, int c, std::size_t to) {
    std::array<const std::uint8_t*, 4> data{};
    std::copy_n(from_.data, data.size(), data.begin());
    av_read_image_line2(values_.data(), data.data(), from_.linesize, &format_, 0, y, c, from_.width,
                        0, sizeof values_[0]);
    const int bits = format_.comp[c].depth;
    const bool grey = format_.nb_components <= 2 && c == 0;
    const std::uint32_t inverted = from_.format == AV_PIX_FMT_MONOWHITE ? 1 : 0;
    for (std::size_t x = 0; x < width_; ++x) {
      std::uint32_t value = values_[x] ^ inverted;
      if (bits < 8)
        value = value * 255 / ((1U << bits) - 1);
      else if (bits > 8)  // Pillow does not scale such greys
        value = grey ? std::min(value, 255U) : value >> (bits - 8);
      rgba_[4 * x + to] = static_cast<std::uint8_t>(value);
    }
  }

  const AVFrame& from_;
  const AVPixFmtDescriptor& format_;
  bool opaque_;
  std::size_t width_;
  std::vector<std::uint32_t> values_;
  std::vector<std::uint8_t> rgba_;
};

// ---- formats with chroma -----------------------------------------------------------------------

struct scaler_release {
  void operator()(SwsContext* of) const noexcept { sws_freeContext(of); }
};

// FFmpeg copies numbers from files into its enumerations, also numbers without a name.
template <typename enumeration>
int number_of(const enumeration& of) {
  int out = 0;
  static_assert(sizeof out == sizeof of);
  std::memcpy(&out, &of, sizeof out);
  return out;
}

// Returns red, green, blue and alpha.
std::vector<std::uint8_t> scaled(const AVFrame& from) {
  const std::unique_ptr<SwsContext, scaler_release> scaler(sws_getContext(
      from.width, from.height, static_cast<AVPixelFormat>(from.format), from.width, from.height,
      AV_PIX_FMT_RGBA, SWS_BILINEAR | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP,
      nullptr, nullptr, nullptr));
  if (scaler == nullptr) throw failure(cause::data, "the image has pixels of an unknown format");
  const int matrix = number_of(from.colorspace);
  const int full_range = number_of(from.color_range) == AVCOL_RANGE_JPEG ? 1 : 0;
  sws_setColorspaceDetails(scaler.get(), sws_getCoefficients(matrix), full_range,
                           sws_getCoefficients(SWS_CS_DEFAULT), 1, 0, 1 << 16, 1 << 16);
  // libswscale writes whole vectors.
  const int row = from.width * 4;
  std::vector<std::uint8_t> out(
      static_cast<std::size_t>(row) * static_cast<std::size_t>(from.height) + 64);
  std::array<std::uint8_t*, 1> planes{out.data()};
  check(sws_scale(scaler.get(), from.data, from.linesize, 0, from.height, planes.data(), &row),
        "the image cannot be converted");
  return out;
}

image from_webp(const AVFrame& from, image out) {
  const auto plane = [&](std::size_t i) {
    return webp::planes::plane{from.data[i], from.linesize[i]};
  };
  const webp::planes planes{.width = out.width,
                            .height = out.height,
                            .y = plane(0),
                            .u = plane(1),
                            .v = plane(2),
                            .alpha = plane(3)};
  webp::conversion rows(planes);
  const std::size_t row = std::size_t{out.width} * 3;
  std::vector<std::uint8_t> rgba(std::size_t{out.width} * 4);
  for (std::uint32_t y = 0; y < out.height; ++y) {
    rows.row(y, rgba);
    rgb::from_rgba(rgba, std::span(out.rgb).subspan(row * y, row));
  }
  return out;
}

}  // namespace

image pixels_of(const AVFrame& frame, pixel_kind kind) {
  rgb::check_size(static_cast<std::uint64_t>(std::max(frame.width, 0)),
                  static_cast<std::uint64_t>(std::max(frame.height, 0)));
  const auto id = static_cast<AVPixelFormat>(frame.format);
  const AVPixFmtDescriptor* const format = av_pix_fmt_desc_get(id);
  if (format == nullptr) throw failure(cause::data, "the image has pixels of an unknown format");
  image out;
  out.width = static_cast<std::uint32_t>(frame.width);
  out.height = static_cast<std::uint32_t>(frame.height);
  const std::size_t row = std::size_t{out.width} * 3;
  out.rgb.resize(row * out.height);
  if (kind == pixel_kind::webp && (id == AV_PIX_FMT_YUV420P || id == AV_PIX_FMT_YUVA420P))
    return from_webp(frame, std::move(out));
  const bool floats = (format->flags & AV_PIX_FMT_FLAG_FLOAT) != 0;
  const bool chroma = (format->flags & AV_PIX_FMT_FLAG_RGB) == 0 && format->nb_components >= 3;
  if (floats || chroma) {
    rgb::from_rgba(scaled(frame), out.rgb);
    return out;
  }
  channels rows(frame, *format, kind == pixel_kind::opaque);
  for (std::uint32_t y = 0; y < out.height; ++y)
    rows.read_row(static_cast<int>(y), std::span(out.rgb).subspan(row * y, row));
  return out;
}

}  // namespace inferbench::media::av

#endif  // MEDIA_HAS_AV
