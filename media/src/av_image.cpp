// Images in other formats than JPEG and PNG, with FFmpeg.
#include "av_input.hpp"
#include "codecs.hpp"

#if MEDIA_HAS_AV
#include <optional>
#include <string>
#include <utility>

#include "av_pixels.hpp"
#include "exif.hpp"
#include "framing.hpp"
#include "length.hpp"
#include "numbers.hpp"
#include "tiff.hpp"
#include "webp.hpp"
#endif

namespace inferbench::media::av {

#if MEDIA_HAS_AV
namespace {

constexpr const char* subject = "the image";

// Whether the format holds pictures and not videos. AVIF shares its demuxer with MP4.
bool holds_pictures(std::string_view format, std::string_view content) {
  if (format.ends_with("_pipe") || format == "gif" || format == "apng" || format == "ico")
    return true;
  return framing::brand(content).starts_with("avi");
}

// FFmpeg reads the colours of AVIF files only.
void check_alpha(std::string_view file) {
  if (file.find("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha") != std::string_view::npos)
    throw failure(cause::data, "the AVIF file has transparency, which inferbench does not read");
}

owned_frame first_frame(std::string_view file) {
  input from(file, subject, checks::strict);
  if (!holds_pictures(from.format(), file))
    throw failure(cause::data, "the file is a video or a sound, and not an image");
  if (from.format().starts_with("mov")) check_alpha(file);
  const AVStream& stream = from.best(AVMEDIA_TYPE_VIDEO);
  decoder pictures(stream, checks::strict, subject);
  const owned_packet data = make_packet();
  owned_frame out = make_frame();
  do {
    pictures.send(from.read(*data, stream) ? data.get() : nullptr);
    if (pictures.receive(*out)) return out;
  } while (!pictures.ended());
  throw failure(cause::data, "the image ends early");
}

pixel_kind kind_of(std::string_view file) {
  if (webp::recognises(file)) return pixel_kind::webp;
  constexpr std::size_t compression = 30;
  const bool opaque =
      tiff::has_unused_channel(file) ||
      (file.starts_with("BM") && numbers(file, byte_order::little).read(compression, 4) == 0);
  return opaque ? pixel_kind::opaque : pixel_kind::usual;
}

image pixels(std::string_view file) { return pixels_of(*first_frame(file), kind_of(file)); }

image tiff_pixels(std::string_view file) {
  const std::string known = tiff::for_ffmpeg(file);
  // Pillow turns TIFF files in any case.
  return exif::turned(pixels_of(*first_frame(known), kind_of(file)), tiff::orientation_of(file));
}

image webp_pixels(std::string_view file) {
  if (framing::ends_early(file)) throw failure(cause::data, "the WebP file ends early");
  std::optional<webp::first_picture> first = webp::first_of(file);
  if (!first) return pixels(file);
  const image picture = pixels(first->file);
  return webp::placed(std::move(*first), picture);
}

}  // namespace

image decode_image(std::string_view file, orientation turn) {
  check_length(file);
  if (tiff::recognises(file)) return tiff_pixels(file);
  if (!webp::recognises(file)) return pixels(file);
  image out = webp_pixels(file);
  return turn == orientation::upright ? exif::turned(std::move(out), exif::of_webp(file)) : out;
}

#else
image decode_image(std::string_view /*file*/, orientation /*turn*/) {
  lack("images other than JPEG and PNG");
}
#endif

}  // namespace inferbench::media::av
