// PNG with libpng.
#include "codecs.hpp"

#if MEDIA_HAS_PNG
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <png.h>

#include "attempt.hpp"
#include "exif.hpp"
#include "pieces.hpp"
#include "rgb.hpp"
#endif

namespace inferbench::media::png {

bool recognises(std::string_view file) noexcept { return file.starts_with("\x89PNG\r\n\x1A\n"); }

#if MEDIA_HAS_PNG
namespace {

constexpr const char* early_end = "the PNG file ends early";

// libpng's error functions. The text has its own memory, because a jump runs no destructor.
struct errors {
  std::jmp_buf back{};
  std::array<char, 160> text{};

  [[noreturn]] static void fail(png_structp from, png_const_charp why) {
    auto& own = *static_cast<errors*>(png_get_error_ptr(from));
    std::strncpy(own.text.data(), why, own.text.size() - 1);
    std::longjmp(own.back, 1);
  }
  static void ignore(png_structp /*from*/, png_const_charp /*why*/) {}

  // Calls `work`. Throws failure with `what` and libpng's text if libpng cannot continue.
  template <typename job>
  void run(const char* what, job work) {
    if (attempt(back, work)) return;
    if (std::string_view(text.data()) == early_end) throw failure(cause::data, early_end);
    throw failure(cause::data, std::string("the PNG file cannot be ") + what + ": " + text.data());
  }
};

// ---- decoding ----------------------------------------------------------------------------------

class reading {
 public:
  explicit reading(std::string_view file) : file_(file), left_(file) {}
  reading(const reading&) = delete;
  reading& operator=(const reading&) = delete;
  ~reading() { png_destroy_read_struct(&all_, &info_, nullptr); }

  [[nodiscard]] image pixels() {
    head();
    rgb::check_size(width_, height_);
    run([this] { transform(); });
    const std::size_t row = row_bytes_ * height_;
    // Deflate makes data at most 1,032 times smaller; a false head must not cost memory.
    if (row / 1032 > file_.size()) throw failure(cause::data, early_end);

    image out;
    out.width = width_;
    out.height = height_;
    // The rows of an interlaced image come several times.
    const std::size_t rows_at_once = passes_ > 1 ? height_ : std::min<std::size_t>(height_, 16);
    std::vector<std::uint8_t> rows(row_bytes_ * rows_at_once);
    const std::size_t row_out = std::size_t{width_} * 3;
    out.rgb.reserve(row_out * height_);
    for (std::size_t y = 0; y < height_; y += rows_at_once) {
      const std::size_t count = std::min<std::size_t>(rows_at_once, height_ - y);
      read(rows.data(), count);
      out.rgb.resize(row_out * (y + count));
      convert(rows, std::span(out.rgb).subspan(row_out * y));
    }
    return out;
  }

 private:
  void head() {
    all_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &errors_, &errors::fail, &errors::ignore);
    info_ = all_ == nullptr ? nullptr : png_create_info_struct(all_);
    if (info_ == nullptr) throw std::bad_alloc();
    run([this] {
      png_set_read_fn(all_, &left_, &take);
      // check_size() limits the size. Texts and colour profiles are not read.
      png_set_user_limits(all_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
      png_set_keep_unknown_chunks(all_, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
      png_set_crc_action(all_, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
      png_read_info(all_, info_);
      int interlacing = 0;
      png_get_IHDR(all_, info_, &width_, &height_, &depth_, &type_, &interlacing, nullptr, nullptr);
    });
  }

  // Chooses libpng's conversions: to 8 bits for each channel, except for grey with 16 bits.
  void transform() {
    if (depth_ == 16 && type_ != PNG_COLOR_TYPE_GRAY) png_set_strip_16(all_);
    if (depth_ < 8 && type_ == PNG_COLOR_TYPE_GRAY) png_set_expand_gray_1_2_4_to_8(all_);
    if (depth_ < 8 && type_ == PNG_COLOR_TYPE_PALETTE) png_set_packing(all_);
    passes_ = png_set_interlace_handling(all_);
    colours();
    png_read_update_info(all_, info_);
    row_bytes_ = png_get_rowbytes(all_, info_);
  }

  // The colours of a palette or of greys. Transparent colours are put before white.
  void colours() {
    png_bytep alphas = nullptr;
    png_color_16p transparent = nullptr;
    int count = 0;
    png_get_tRNS(all_, info_, &alphas, &count, &transparent);
    if (type_ == PNG_COLOR_TYPE_GRAY) {
      colours_ = rgb::greys();
      // Pillow compares the value with pixels that have been scaled to 8 bits, and ignores it for
      // pixels of one bit.
      if (transparent != nullptr && depth_ > 1) colours_[transparent->gray & 0xFFU].fill(255);
    }
    png_colorp palette = nullptr;
    int colours = 0;
    if (type_ != PNG_COLOR_TYPE_PALETTE ||
        png_get_PLTE(all_, info_, &palette, &colours) != PNG_INFO_PLTE)
      return;
    for (int i = 0; i < std::min(colours, 256); ++i) {
      const unsigned alpha = alphas != nullptr && i < count ? alphas[i] : 255;
      colours_[static_cast<std::size_t>(i)] = {rgb::over_white(palette[i].red, alpha),
                                               rgb::over_white(palette[i].green, alpha),
                                               rgb::over_white(palette[i].blue, alpha)};
    }
  }

  void read(std::uint8_t* to, std::size_t rows) {
    run([this, to, rows] {
      for (int pass = 0; pass < passes_; ++pass)
        for (std::size_t i = 0; i < rows; ++i)
          png_read_row(all_, to + i * row_bytes_, nullptr);
    });
  }

  void convert(std::span<const std::uint8_t> from, std::span<std::uint8_t> to) const noexcept {
    switch (type_) {
      case PNG_COLOR_TYPE_RGB: std::copy_n(from.begin(), to.size(), to.begin()); break;
      case PNG_COLOR_TYPE_RGB_ALPHA: rgb::from_rgba(from, to); break;
      case PNG_COLOR_TYPE_GRAY_ALPHA: rgb::from_grey_alpha(from, to); break;
      default:
        depth_ == 16 ? rgb::from_grey16(from, to) : rgb::from_table(from, colours_, to);
        break;
    }
  }

  template <typename job>
  void run(job work) {
    errors_.run("decoded", work);
  }

  static void take(png_structp of, png_bytep to, std::size_t bytes) {
    auto& left = *static_cast<std::string_view*>(png_get_io_ptr(of));
    if (bytes > left.size()) errors::fail(of, early_end);
    std::memcpy(to, left.data(), bytes);
    left.remove_prefix(bytes);
  }

  std::string_view file_;
  std::string_view left_;
  errors errors_;
  png_structp all_ = nullptr;
  png_infop info_ = nullptr;
  png_uint_32 width_ = 0;
  png_uint_32 height_ = 0;
  int depth_ = 0;
  int type_ = 0;
  int passes_ = 1;
  std::size_t row_bytes_ = 0;
  rgb::table colours_{};
};

// ---- encoding ----------------------------------------------------------------------------------

class writing {
 public:
  writing() = default;
  writing(const writing&) = delete;
  writing& operator=(const writing&) = delete;
  ~writing() { png_destroy_write_struct(&all_, &info_); }

  [[nodiscard]] std::string file(const image_view& pixels) {
    all_ = png_create_write_struct(PNG_LIBPNG_VER_STRING, &errors_, &errors::fail, &errors::ignore);
    info_ = all_ == nullptr ? nullptr : png_create_info_struct(all_);
    if (info_ == nullptr) throw std::bad_alloc();
    errors_.run("encoded", [this, &pixels] {
      png_set_write_fn(all_, this, &add, [](png_structp) {});
      png_set_user_limits(all_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
      png_set_IHDR(all_, info_, pixels.width, pixels.height, 8, PNG_COLOR_TYPE_RGB,
                   PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
      png_write_info(all_, info_);
      const std::size_t row = std::size_t{pixels.width} * 3;
      for (std::size_t y = 0; y < pixels.height; ++y)
        png_write_row(all_, pixels.rgb.data() + y * row);
      png_write_end(all_, info_);
    });
    return file_.joined(free_.size());
  }

 private:
  static void add(png_structp of, png_bytep from, std::size_t bytes) {
    auto& own = *static_cast<writing*>(png_get_io_ptr(of));
    for (std::span<const std::uint8_t> left(from, bytes); !left.empty();) {
      if (own.free_.empty()) own.free_ = own.file_.more();
      if (own.free_.empty()) errors::fail(of, "there is not enough memory");
      const std::size_t count = std::min(left.size(), own.free_.size());
      std::copy_n(left.begin(), count, own.free_.begin());
      left = left.subspan(count);
      own.free_ = own.free_.subspan(count);
    }
  }

  errors errors_;
  pieces file_;
  std::span<std::uint8_t> free_;  // the end of the last piece
  png_structp all_ = nullptr;
  png_infop info_ = nullptr;
};

}  // namespace

image decode(std::string_view file, orientation turn) {
  image out = reading(file).pixels();
  return turn == orientation::upright ? exif::turned(std::move(out), exif::of_png(file)) : out;
}

std::string encode(const image_view& pixels) {
  rgb::check(pixels);
  return writing().file(pixels);
}

#else
namespace {
[[noreturn]] void lack() {
  throw failure(cause::missing, "this build of inferbench has no libpng, which PNG files need");
}
}  // namespace

image decode(std::string_view /*file*/, orientation /*turn*/) { lack(); }
std::string encode(const image_view& /*pixels*/) { lack(); }
#endif

}  // namespace inferbench::media::png
