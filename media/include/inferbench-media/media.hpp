// Images, video and sound: decoding, encoding and checking.
//
// The codecs (libjpeg-turbo, libpng, libsndfile, FFmpeg's libav*) are in one shared library,
// lib/inferbench/inferbench-media.so, which is opened at the first call: a run without media does
// not load some hundred libraries. The build leaves out the codecs whose libraries are missing; a
// function that needs such a codec throws failure with cause::missing and the name of the library.
//
// All functions: [any thread], at the same time. They throw only failure and std::bad_alloc. All
// input is safe: it comes from the internet.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace inferbench::media {

enum class cause : std::uint8_t {
  data,    // the file cannot be decoded, or is larger than allowed
  missing  // this build lacks the codec, or the shared library cannot be opened
};

/// what(): one clause without a period, such as "the PNG file ends early".
class failure : public std::runtime_error {
 public:
  failure(cause kind, const std::string& text) : std::runtime_error(text), kind_(kind) {}
  [[nodiscard]] cause kind() const noexcept { return kind_; }

 private:
  cause kind_;
};

// ---- images ------------------------------------------------------------------------------------

/// Three bytes a pixel (red, green, blue), rows from top to bottom without padding.
struct image {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::vector<std::uint8_t> rgb;
};

struct image_view {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::span<const std::uint8_t> rgb;  // width * height * 3 bytes

  image_view(std::uint32_t w, std::uint32_t h, std::span<const std::uint8_t> pixels)
      : width(w), height(h), rgb(pixels) {}
  image_view(const image& of) : width(of.width), height(of.height), rgb(of.rgb) {}  // NOLINT
};

/// Pillow refuses images with more pixels (twice its MAX_IMAGE_PIXELS) as decompression bombs.
inline constexpr std::uint64_t most_pixels = 178'956'970;

/// The use of the orientation in a file's EXIF data.
enum class orientation : std::uint8_t {
  as_stored,  // is ignored
  upright     // the image is turned and mirrored as it says
};

/// Decodes JPEG, PNG, WebP, GIF, BMP, TIFF and what else FFmpeg decodes; the first frame of an
/// animation. Converts to RGB as vLLM does with Pillow (vllm/multimodal/image.py): transparent
/// pixels are composited over opaque white; CMYK, grey, palette and 16 bits as in Pillow's
/// convert("RGB").
[[nodiscard]] image decode_image(std::string_view file, orientation turn = orientation::as_stored);

/// Encodes a JPEG file as Pillow does by default: baseline, quality 75, chroma 4:2:0, JFIF header.
[[nodiscard]] std::string encode_jpeg(const image_view& pixels);
/// Encodes a PNG file of 8-bit RGB.
[[nodiscard]] std::string encode_png(const image_view& pixels);

// ---- video -------------------------------------------------------------------------------------

struct video_view {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t frames = 0;
  std::span<const std::uint8_t> rgb;  // frames * width * height * 3 bytes
};

/// Encodes an MP4 file with MPEG-4 Part 2 (tag mp4v), 30 frames a second, in memory. Every frame of
/// the view is a frame of the file.
[[nodiscard]] std::string encode_mp4(const video_view& frames);

// ---- sound -------------------------------------------------------------------------------------

struct sound_facts {
  std::uint32_t rate = 0;  // frames a second
  std::uint32_t channels = 0;
  std::uint64_t frames = 0;  // samples of each channel
  [[nodiscard]] double seconds() const noexcept {
    return rate == 0 ? 0 : static_cast<double>(frames) / rate;
  }
};

/// Returns the length of a WAV, FLAC, Ogg (Vorbis, Opus, FLAC), MP3, M4A or other file, from its
/// head where the format has it, otherwise by decoding. The file has at least one frame. Throws
/// failure for a WAV or MP3 file that was cut, as to_wav() does.
[[nodiscard]] sound_facts inspect_sound(std::string_view file);

/// The type of the samples between decoder and encoder. The 16-bit integers of the WAV file depend
/// on it: libsndfile scales with 2^31, rounds, and keeps the upper 16 bits.
enum class precision : std::uint8_t { float32, float64 };

struct wav_file {
  std::string file;
  sound_facts facts;
};

/// Decodes a sound file, and encodes it as WAV with 16-bit integers, as the Python package
/// soundfile does: read(dtype), write(format="WAV"). Rate and channels stay.
[[nodiscard]] wav_file to_wav(std::string_view file, precision between);

/// Encodes interleaved samples between -1 and 1 as WAV with 16-bit integers, as soundfile does.
[[nodiscard]] wav_file encode_wav(std::uint32_t rate, std::uint32_t channels,
                                  std::span<const double> samples);

// ---- checks ------------------------------------------------------------------------------------

enum class kind : std::uint8_t { image, video, sound };

/// A file's properties, found by decoding the whole file with FFmpeg.
struct facts {
  std::string format;        // a media type: "image/jpeg", "video/mp4", "audio/wav"
  std::uint32_t width = 0;   // images and videos
  std::uint32_t height = 0;  // images and videos
  std::uint64_t frames = 0;  // decoded: 1 for an image; of a sound, samples of each channel
  std::uint32_t rate = 0;    // sound: frames a second
  std::uint32_t channels = 0;
  double seconds = 0;  // videos and sound
};

/// Decodes the whole file with FFmpeg, independently of the functions above. Throws failure if a
/// part of the file cannot be decoded, or the file is not of the kind `expected`.
[[nodiscard]] facts inspect(std::string_view file, kind expected);

}  // namespace inferbench::media
