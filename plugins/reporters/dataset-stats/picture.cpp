#include "picture.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <string_view>

#include <cairo.h>
#include <fontconfig/fontconfig.h>

#include <inferbench/guard.hpp>

#include "histogram.hpp"
#include "png.hpp"

namespace reporters {
namespace {

constexpr double dots_per_inch = 150;
constexpr int width = 14 * 150;
constexpr int height = 10 * 150;
constexpr double point = dots_per_inch / 72;
constexpr std::size_t bars = 30;

struct colour {
  double red, green, blue;
};
constexpr colour of_byte(int red, int green, int blue) {
  return {red / 255.0, green / 255.0, blue / 255.0};
}
constexpr colour black{0, 0, 0};
constexpr colour white{1, 1, 1};
constexpr colour grey{0.8, 0.8, 0.8};
constexpr colour steel_blue = of_byte(70, 130, 180);
constexpr colour coral = of_byte(255, 127, 80);
constexpr colour medium_sea_green = of_byte(60, 179, 113);

struct box {
  double x, y, width, height;
};

/// Draws a chart's frame, its axes and its content.
class axes {
 public:
  /// The chart shows values from (left, 0) to (right, top).
  axes(cairo_t* to, box place, double left, double right, double top)
      : to_(to), place_(place), left_(left), right_(right), top_(top > 0 ? top : 1) {}

  [[nodiscard]] double x(double value) const {
    return place_.x + (value - left_) / (right_ - left_) * place_.width;
  }
  [[nodiscard]] double y(double value) const {
    return place_.y + place_.height * (1 - value / top_);
  }

  void bar(double from, double to, double low, double high, colour fill, bool edges) const {
    cairo_rectangle(to_, x(from), y(high), x(to) - x(from), y(low) - y(high));
    ink(fill);
    if (!edges) return cairo_fill(to_);
    cairo_fill_preserve(to_);
    ink(black);
    cairo_set_line_width(to_, 0.8 * point);
    cairo_stroke(to_);
  }

  void finish(const char* title, const char* below, const char* beside) const {
    ink(black);
    cairo_set_line_width(to_, 0.8 * point);
    cairo_rectangle(to_, place_.x, place_.y, place_.width, place_.height);
    cairo_stroke(to_);
    for (const double at : marks(left_, right_)) {
      tick(x(at), place_.y + place_.height, 0, 1);
      text(number(at), x(at), place_.y + place_.height + 14 * point, 10, 0.5);
    }
    for (const double at : marks(0, top_)) {
      tick(place_.x, y(at), -1, 0);
      text(number(at), place_.x - 6 * point, y(at) + 3.5 * point, 10, 1);
    }
    const double middle = place_.x + place_.width / 2;
    text(title, middle, place_.y - 7 * point, 12, 0.5);
    text(below, middle, place_.y + place_.height + 29 * point, 10, 0.5);
    cairo_save(to_);
    cairo_translate(to_, place_.x - 44 * point, place_.y + place_.height / 2);
    cairo_rotate(to_, -std::acos(-1.0) / 2);
    text(beside, 0, 0, 10, 0.5);
    cairo_restore(to_);
  }

  /// Draws two lines in a box in the upper right corner.
  void legend(const char* first, colour first_fill, const char* second, colour second_fill) const {
    const double right = place_.x + place_.width - 8 * point;
    const double top = place_.y + 8 * point;
    cairo_rectangle(to_, right - 118 * point, top, 118 * point, 36 * point);
    ink(white);
    cairo_fill_preserve(to_);
    ink(grey);
    cairo_stroke(to_);
    line(first, first_fill, right - 112 * point, top + 6 * point);
    line(second, second_fill, right - 112 * point, top + 21 * point);
  }

 private:
  void ink(colour c) const { cairo_set_source_rgb(to_, c.red, c.green, c.blue); }
  void line(const char* name, colour fill, double at_x, double at_y) const {
    cairo_rectangle(to_, at_x, at_y, 20 * point, 8 * point);
    ink(fill);
    cairo_fill(to_);
    ink(black);
    text(name, at_x + 26 * point, at_y + 8 * point, 10, 0);
  }
  static std::string number(double value) {
    return std::to_string(static_cast<long long>(std::llround(value)));
  }
  void tick(double at_x, double at_y, double along_x, double along_y) const {
    cairo_move_to(to_, at_x, at_y);
    cairo_rel_line_to(to_, along_x * 3.5 * point, along_y * 3.5 * point);
    cairo_stroke(to_);
  }
  /// Draws a text. `share` is the fraction of its width that is to the left of `at_x`.
  void text(std::string_view what, double at_x, double at_y, double size, double share) const {
    const std::string terminated(what);
    cairo_set_font_size(to_, size * point);
    cairo_text_extents_t extents{};
    cairo_text_extents(to_, terminated.c_str(), &extents);
    cairo_move_to(to_, at_x - extents.x_advance * share, at_y);
    cairo_show_text(to_, terminated.c_str());
  }

  cairo_t* to_;
  box place_;
  double left_, right_, top_;
};

constexpr double headroom = 1.05;

void draw_histogram(cairo_t* to, box place, const std::vector<std::int64_t>& values, colour fill,
                    const char* title, const char* below) {
  const histogram found = histogram_of(values, bars);
  const auto most = static_cast<double>(*std::ranges::max_element(found.counts));
  const double side = (found.high() - found.low) * 0.05;
  const axes chart(to, place, found.low - side, found.high() + side, most * headroom);
  for (std::size_t i = 0; i < bars; ++i) {
    const double from = found.low + found.width * static_cast<double>(i);
    chart.bar(from, from + found.width, 0, static_cast<double>(found.counts[i]), fill, true);
  }
  chart.finish(title, below, "Frequency");
}

void draw_stack(cairo_t* to, box place, const lengths& of, const std::vector<std::int64_t>& sums) {
  const auto count = static_cast<double>(sums.size());
  const auto most = static_cast<double>(*std::ranges::max_element(sums));
  const double side = std::max(0.5, count * 0.02);
  const axes chart(to, place, -0.5 - side, count - 0.5 + side, most * headroom);
  // If bars are narrower than a dot, they are drawn without gaps.
  const double half = place.width / count > 4 ? 0.4 : 0.5;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const auto at = static_cast<double>(i);
    const auto prompt = static_cast<double>(of.prompt[i]);
    chart.bar(at - half, at + half, 0, prompt, steel_blue, false);
    chart.bar(at - half, at + half, prompt, static_cast<double>(sums[i]), coral, false);
  }
  chart.finish("Tokens per Request (Stacked)", "Request Index", "Tokens");
  chart.legend("Prompt Tokens", steel_blue, "Output Tokens", coral);
}

cairo_status_t append(void* to, const unsigned char* bytes, unsigned int count) {
  static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(bytes), count);
  return CAIRO_STATUS_SUCCESS;
}

void check(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS)
    throw ifb::failure{IFB_E_INTERNAL, std::string("cairo: ") + cairo_status_to_string(status)};
}

}  // namespace

std::string picture_of(const lengths& of) {
  const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface(
      cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height), cairo_surface_destroy);
  check(cairo_surface_status(surface.get()));
  const std::unique_ptr<cairo_t, decltype(&cairo_destroy)> pen(cairo_create(surface.get()),
                                                               cairo_destroy);
  check(cairo_status(pen.get()));
  cairo_set_source_rgb(pen.get(), white.red, white.green, white.blue);
  cairo_paint(pen.get());
  cairo_select_font_face(pen.get(), "sans-serif", CAIRO_FONT_SLANT_NORMAL,
                         CAIRO_FONT_WEIGHT_NORMAL);

  std::vector<std::int64_t> sums(of.prompt.size());
  std::ranges::transform(of.prompt, of.output, sums.begin(), std::plus{});
  constexpr double plot_width = 850;
  constexpr double plot_height = 560;
  constexpr double lefts[] = {140, 1190};
  constexpr double tops[] = {90, 840};
  draw_histogram(pen.get(), {lefts[0], tops[0], plot_width, plot_height}, of.prompt, steel_blue,
                 "Prompt Tokens Distribution", "Prompt Tokens");
  draw_histogram(pen.get(), {lefts[1], tops[0], plot_width, plot_height}, of.output, coral,
                 "Output Tokens Distribution", "Output Tokens");
  draw_histogram(pen.get(), {lefts[0], tops[1], plot_width, plot_height}, sums, medium_sea_green,
                 "Total Tokens Distribution", "Total Tokens");
  draw_stack(pen.get(), {lefts[1], tops[1], plot_width, plot_height}, of, sums);
  check(cairo_status(pen.get()));

  std::string png;
  check(cairo_surface_write_to_png_stream(surface.get(), append, &png));
  return with_resolution(png, dots_per_inch);
}

void forget_fonts() noexcept {
  cairo_debug_reset_static_data();
  FcFini();
}

}  // namespace reporters
