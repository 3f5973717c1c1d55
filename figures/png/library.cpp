// The library's entry: PNG files through cairo.
#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

#include <cairo.h>
#include <fontconfig/fontconfig.h>

#include "../src/table.hpp"
#include "painter.hpp"
#include "resolution.hpp"

namespace figures {
namespace {

constexpr double points_of_inch = 72;
// cairo's limit for images, and a limit for the memory: four bytes for each pixel.
constexpr double most_pixels_along = 32767;
constexpr double most_pixels = 5e8;

void check(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS)
    throw std::runtime_error(std::string("cairo: ") + cairo_status_to_string(status));
}

cairo_status_t append_bytes(void* to, const unsigned char* bytes, unsigned int count) {
  try {
    static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(bytes), count);
  } catch (const std::bad_alloc&) {
    return CAIRO_STATUS_NO_MEMORY;
  }
  return CAIRO_STATUS_SUCCESS;
}

void check_size(const scene& what, double dots) {
  const double width = what.width / points_of_inch, height = what.height / points_of_inch;
  const double fits = std::min({most_pixels_along / width, most_pixels_along / height,
                                std::sqrt(most_pixels / width / height)});
  if (dots <= fits) return;
  std::string remedy = "draw fewer or smaller panels";
  if (fits >= 1)
    remedy = "use at most " + std::to_string(static_cast<int>(fits)) + " dots per inch";
  throw std::runtime_error("the picture would have " + std::to_string(std::llround(width * dots)) +
                           " x " + std::to_string(std::llround(height * dots)) + " pixels; " +
                           remedy);
}

/// Frees the fonts that cairo and fontconfig keep for the whole process, when it ends: a leak
/// checker cannot see fontconfig's pointers to them.
struct kept_fonts {
  kept_fonts() = default;
  kept_fonts(const kept_fonts&) = delete;
  kept_fonts& operator=(const kept_fonts&) = delete;
  ~kept_fonts() {
    cairo_debug_reset_static_data();
    FcFini();
  }
};

std::string png_of(const scene& what, int dots_per_inch) {
  static const kept_fonts until_the_end;
  const double dots = std::max(1, dots_per_inch);
  check_size(what, dots);
  const double scale = dots / points_of_inch;
  const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24,
                                 std::max(1, static_cast<int>(std::ceil(what.width * scale))),
                                 std::max(1, static_cast<int>(std::ceil(what.height * scale)))),
      cairo_surface_destroy);
  check(cairo_surface_status(surface.get()));
  const std::unique_ptr<cairo_t, decltype(&cairo_destroy)> pen(cairo_create(surface.get()),
                                                               cairo_destroy);
  cairo_set_source_rgb(pen.get(), 1, 1, 1);
  cairo_paint(pen.get());
  cairo_scale(pen.get(), scale, scale);
  const std::unique_ptr<cairo_font_options_t, decltype(&cairo_font_options_destroy)> options(
      cairo_font_options_create(), cairo_font_options_destroy);
  // Letters are as far apart as in the file of the font, at every resolution.
  cairo_font_options_set_hint_metrics(options.get(), CAIRO_HINT_METRICS_OFF);
  cairo_font_options_set_hint_style(options.get(), CAIRO_HINT_STYLE_NONE);
  cairo_font_options_set_antialias(options.get(), CAIRO_ANTIALIAS_GRAY);
  cairo_set_font_options(pen.get(), options.get());
  const font_list fonts;
  painter paint(pen.get(), fonts);
  for (const shape& each : what.shapes)
    std::visit(paint, each);
  check(cairo_status(pen.get()));
  std::string out;
  check(cairo_surface_write_to_png_stream(surface.get(), append_bytes, &out));
  return with_dots_per_inch(std::move(out), static_cast<int>(dots));
}

constexpr table own_functions{
    .version = INFERBENCH_VERSION,
    .png = [](const scene& what, int dots_per_inch, std::string& out, std::string& why) noexcept {
      try {
        out = png_of(what, dots_per_inch);
      } catch (const std::bad_alloc&) {
        why = "there is not enough memory for the picture";
      } catch (const std::exception& e) {
        why = e.what();
      }
    }};

}  // namespace
}  // namespace figures

extern "C" __attribute__((visibility("default"))) const figures::table*
inferbench_figures_table() noexcept {
  return &figures::own_functions;
}
