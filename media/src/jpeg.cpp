// JPEG with libjpeg-turbo, as Pillow uses it.
#include "codecs.hpp"

#if MEDIA_HAS_JPEG
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <jpeglib.h>

#include "attempt.hpp"
#include "exif.hpp"
#include "pieces.hpp"
#include "rgb.hpp"
#endif

namespace inferbench::media::jpeg {

bool recognises(std::string_view file) noexcept { return file.starts_with("\xFF\xD8\xFF"); }

#if MEDIA_HAS_JPEG
namespace {

// A progressive file with thousands of scans would keep a processor busy for minutes.
constexpr int most_scans = 500;

// Rows that are passed to or from libjpeg at once: they stay in the processor's caches.
constexpr std::size_t rows_at_once = 16;

// libjpeg's error manager. libjpeg calls error_exit() when it cannot continue.
struct errors {
  jpeg_error_mgr base{};
  std::jmp_buf back{};
  std::array<char, JMSG_LENGTH_MAX> text{};

  errors() {
    jpeg_std_error(&base);
    base.error_exit = [](j_common_ptr from) {
      auto& own = *reinterpret_cast<errors*>(from->err);
      if (own.text[0] == '\0') own.base.format_message(from, own.text.data());
      std::longjmp(own.back, 1);
    };
    // Warnings are about data that libjpeg replaces; Pillow ignores them, too.
    base.emit_message = [](j_common_ptr, int) {};
    base.output_message = [](j_common_ptr) {};
  }

  [[noreturn]] void fail(j_common_ptr from, std::string_view why) {
    std::copy(why.begin(), why.end(), text.begin());
    from->err->error_exit(from);
    std::abort();  // error_exit() does not return
  }
};

constexpr std::string_view early_end = "the JPEG file ends early";

// ---- decoding ----------------------------------------------------------------------------------

// The whole file is in memory; libjpeg asks for more only if the file is too short.
struct source {
  jpeg_source_mgr base{};

  explicit source(std::string_view file) {
    base.next_input_byte = reinterpret_cast<const JOCTET*>(file.data());
    base.bytes_in_buffer = file.size();
    base.init_source = [](j_decompress_ptr) {};
    base.term_source = [](j_decompress_ptr) {};
    base.resync_to_restart = jpeg_resync_to_restart;
    base.fill_input_buffer = [](j_decompress_ptr of) -> boolean { end(of); };
    base.skip_input_data = [](j_decompress_ptr of, long bytes) {
      if (bytes <= 0) return;
      const auto count = static_cast<std::size_t>(bytes);
      if (count > of->src->bytes_in_buffer) end(of);
      of->src->next_input_byte += count;
      of->src->bytes_in_buffer -= count;
    };
  }

  [[noreturn]] static void end(j_decompress_ptr of) {
    reinterpret_cast<errors*>(of->err)->fail(reinterpret_cast<j_common_ptr>(of), early_end);
  }
};

class decompression {
 public:
  explicit decompression(std::string_view file) : file_(file), source_(file) {
    all_.err = &errors_.base;
  }
  decompression(const decompression&) = delete;
  decompression& operator=(const decompression&) = delete;
  ~decompression() { jpeg_destroy_decompress(&all_); }

  [[nodiscard]] image pixels() {
    run([this] {
      jpeg_create_decompress(&all_);
      all_.src = &source_.base;
      progress_.progress_monitor = &watch;
      all_.progress = &progress_;
      jpeg_read_header(&all_, TRUE);
    });
    rgb::check_size(all_.image_width, all_.image_height);
    // Huffman's code needs a bit for each block of 8 x 8 pixels; a false head must not cost time.
    const std::uint64_t pixels = std::uint64_t{all_.image_width} * all_.image_height;
    if (all_.arith_code == FALSE && pixels / 512 > file_.size())
      throw failure(cause::data, std::string(early_end));
    const bool cmyk = all_.num_components == 4;
    if (!cmyk && all_.num_components != 1 && all_.num_components != 3)
      throw failure(cause::data,
                    "the JPEG file has " + std::to_string(all_.num_components) + " colours");
    all_.out_color_space = cmyk ? JCS_CMYK : JCS_RGB;
    run([this] { jpeg_start_decompress(&all_); });

    image out;
    out.width = all_.output_width;
    out.height = all_.output_height;
    const std::size_t row = std::size_t{out.width} * 3;
    const std::size_t inks = std::size_t{out.width} * 4;
    std::vector<std::uint8_t> buffer(cmyk ? inks * rows_at_once : 0);
    // The memory is touched with the rows that the file really has.
    out.rgb.reserve(row * out.height);
    while (all_.output_scanline < all_.output_height) {
      const std::size_t done = out.rgb.size();
      const std::size_t rows =
          std::min<std::size_t>(rows_at_once, all_.output_height - all_.output_scanline);
      out.rgb.resize(done + rows * row);
      const std::span<std::uint8_t> added = std::span(out.rgb).subspan(done);
      read(cmyk ? buffer.data() : added.data(), rows, cmyk ? inks : row);
      if (cmyk) rgb::from_inverted_cmyk(buffer, added);
    }
    return out;
  }

 private:
  // libjpeg returns fewer rows than asked for.
  void read(std::uint8_t* to, std::size_t rows, std::size_t row) {
    run([this, to, rows, row] {
      for (std::size_t i = 0; i < rows;) {
        JSAMPROW at = to + i * row;
        i += jpeg_read_scanlines(&all_, &at, 1);
      }
    });
  }

  template <typename job>
  void run(job work) {
    if (attempt(errors_.back, work)) return;
    throw failure(cause::data,
                  errors_.text.data() == early_end
                      ? std::string(early_end)
                      : std::string("the JPEG file cannot be decoded: ") + errors_.text.data());
  }

  static void watch(j_common_ptr of) {
    if (reinterpret_cast<j_decompress_ptr>(of)->input_scan_number > most_scans)
      reinterpret_cast<errors*>(of->err)->fail(of, "it has more than 500 scans");
  }

  std::string_view file_;
  errors errors_;
  source source_;
  jpeg_progress_mgr progress_{};
  jpeg_decompress_struct all_{};
};

// ---- encoding ----------------------------------------------------------------------------------

// Collects the file.
struct destination {
  jpeg_destination_mgr base{};
  pieces file;

  destination() {
    base.init_destination = [](j_compress_ptr of) { grow(of); };
    base.empty_output_buffer = [](j_compress_ptr of) -> boolean {
      grow(of);
      return TRUE;
    };
    base.term_destination = [](j_compress_ptr) {};
  }

  static void grow(j_compress_ptr of) {
    auto& own = *reinterpret_cast<destination*>(of->dest);
    const std::span<std::uint8_t> more = own.file.more();
    if (more.empty())
      reinterpret_cast<errors*>(of->err)->fail(reinterpret_cast<j_common_ptr>(of),
                                               "there is not enough memory");
    own.base.next_output_byte = more.data();
    own.base.free_in_buffer = more.size();
  }
};

class compression {
 public:
  compression() { all_.err = &errors_.base; }
  compression(const compression&) = delete;
  compression& operator=(const compression&) = delete;
  ~compression() { jpeg_destroy_compress(&all_); }

  [[nodiscard]] std::string file(const image_view& pixels) {
    run([this, &pixels] {
      jpeg_create_compress(&all_);
      all_.dest = &destination_.base;
      all_.image_width = pixels.width;
      all_.image_height = pixels.height;
      all_.input_components = 3;
      all_.in_color_space = JCS_RGB;
      // Quality 75, chroma 4:2:0, the usual Huffman tables, and a JFIF header without a resolution.
      jpeg_set_defaults(&all_);
      jpeg_start_compress(&all_, TRUE);
      std::array<JSAMPROW, rows_at_once> rows{};
      const std::size_t row = std::size_t{pixels.width} * 3;
      while (all_.next_scanline < all_.image_height) {
        const std::size_t count =
            std::min<std::size_t>(rows.size(), all_.image_height - all_.next_scanline);
        // libjpeg does not change the pixels.
        for (std::size_t i = 0; i < count; ++i)
          rows[i] = const_cast<JSAMPROW>(pixels.rgb.data() + (all_.next_scanline + i) * row);
        jpeg_write_scanlines(&all_, rows.data(), static_cast<JDIMENSION>(count));
      }
      jpeg_finish_compress(&all_);
    });
    return destination_.file.joined(destination_.base.free_in_buffer);
  }

 private:
  template <typename job>
  void run(job work) {
    if (!attempt(errors_.back, work))
      throw failure(cause::data,
                    std::string("the JPEG file cannot be encoded: ") + errors_.text.data());
  }

  errors errors_;
  destination destination_;
  jpeg_compress_struct all_{};
};

}  // namespace

image decode(std::string_view file, orientation turn) {
  image out = decompression(file).pixels();
  return turn == orientation::upright ? exif::turned(std::move(out), exif::of_jpeg(file)) : out;
}

std::string encode(const image_view& pixels) {
  rgb::check(pixels);
  constexpr std::uint32_t most = JPEG_MAX_DIMENSION;
  if (pixels.width > most || pixels.height > most)
    throw failure(cause::data, "the image has " + std::to_string(pixels.width) + " x " +
                                   std::to_string(pixels.height) + " pixels, and a JPEG file has " +
                                   "at most " + std::to_string(most) + " on a side");
  return compression().file(pixels);
}

#else
namespace {
[[noreturn]] void lack() {
  throw failure(cause::missing,
                "this build of inferbench has no libjpeg-turbo, which JPEG files need");
}
}  // namespace

image decode(std::string_view /*file*/, orientation /*turn*/) { lack(); }
std::string encode(const image_view& /*pixels*/) { lack(); }
#endif

}  // namespace inferbench::media::jpeg
