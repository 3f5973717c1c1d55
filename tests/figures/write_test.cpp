// The functions of figures.hpp, with files.
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <cairo.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <inferbench-figures/figures.hpp>

#include "base/text.hpp"
#include "figures/samples.hpp"
#include "palette.hpp"
#include "scene.hpp"
#include "support/temporary_folder.hpp"
#include "svg.hpp"

namespace {

using namespace figures;
using inferbench::base::read_file;
using inferbench::support::temporary_folder;
using testing::HasSubstr;

/// The pixels of a PNG file as 0xRRGGBB.
struct picture {
  int width = 0, height = 0;
  std::vector<std::uint32_t> pixels;

  [[nodiscard]] std::size_t count(ink colour) const {
    const std::uint32_t wanted = static_cast<std::uint32_t>(colour.red) << 16U |
                                 static_cast<std::uint32_t>(colour.green) << 8U | colour.blue;
    std::size_t out = 0;
    for (const std::uint32_t each : pixels)
      out += each == wanted ? 1U : 0U;
    return out;
  }
};

picture decoded(const std::string& file) {
  const std::unique_ptr<cairo_surface_t, decltype(&cairo_surface_destroy)> surface(
      cairo_image_surface_create_from_png(file.c_str()), cairo_surface_destroy);
  EXPECT_EQ(cairo_surface_status(surface.get()), CAIRO_STATUS_SUCCESS) << file;
  picture out;
  out.width = cairo_image_surface_get_width(surface.get());
  out.height = cairo_image_surface_get_height(surface.get());
  const unsigned char* data = cairo_image_surface_get_data(surface.get());
  const int stride = cairo_image_surface_get_stride(surface.get());
  for (int y = 0; y < out.height; ++y)
    for (int x = 0; x < out.width; ++x)
      out.pixels.push_back(
          reinterpret_cast<const std::uint32_t*>(data + std::ptrdiff_t{y} * stride)[x] & 0xFFFFFFU);
  return out;
}

std::string error_of(const figure& what, const std::string& file) {
  try {
    write_png(what, file);
  } catch (const std::runtime_error& e) {
    return e.what();
  }
  return {};
}

TEST(png_file, has_the_size_of_the_figure_at_its_resolution) {
  const temporary_folder box;
  figure what = samples::figure_of({samples::banded_curve("a", 0)});
  const scene drawn = scene_of(what);
  for (const int dpi : {72, 144}) {
    what.dpi = dpi;
    write_png(what, box.path("a.png"));
    const picture found = decoded(box.path("a.png"));
    EXPECT_EQ(found.width, drawn.width * dpi / 72);
    EXPECT_EQ(found.height, drawn.height * dpi / 72);
  }
}

TEST(png_file, names_its_resolution) {
  const temporary_folder box;
  figure what = samples::figure_of({});
  what.dpi = 300;
  write_png(what, box.path("a.png"));
  // 11811 dots per metre, twice, and the unit.
  EXPECT_THAT(read_file(box.path("a.png")),
              HasSubstr(std::string("pHYs\0\0\x2E\x23\0\0\x2E\x23\1", 13)));
}

TEST(png_file, has_the_colours_of_its_curves_on_white) {
  const temporary_folder box;
  figure what = samples::figure_of({samples::banded_curve("a", 0)});
  write_png(what, box.path("a.png"));
  const picture one = decoded(box.path("a.png"));
  EXPECT_GT(one.count(paper), one.pixels.size() / 2);
  EXPECT_GT(one.count(colour_of(0)), 100U);
  EXPECT_EQ(one.count(colour_of(1)), 0U);
  what.panels[0].curves.push_back(samples::banded_curve("b", 300));
  what.panels[0].curves[1].colour = 1;
  write_png(what, box.path("a.png"));
  EXPECT_GT(decoded(box.path("a.png")).count(colour_of(1)), 100U);
}

TEST(png_file, draws_hostile_and_foreign_texts) {
  const temporary_folder box;
  figure what = samples::pareto_figure();
  what.panels[0].curves[0].label = std::string("\xFF\0\x1B", 3) +
                                   "\xE6\xA8\xA1\xE5\x9E\x8B \xD0\x9C \xF0\x9F\x98\x80 "
                                   "\xD7\x9E\xD7\x95 " +
                                   std::string(10'000, '<');
  what.panels[0].title = what.y_label = what.panels[0].curves[0].label;
  write_png(what, box.path("a.png"));
  EXPECT_GT(decoded(box.path("a.png")).width, 100);
}

TEST(png_file, of_nothing_or_of_10000_points_can_be_decoded) {
  const temporary_folder box;
  std::vector<std::pair<double, double>> places;
  for (int i = 0; i < 10'000; ++i)
    places.emplace_back(i, i % 97);
  for (const figure& what :
       {samples::figure_of({}), samples::figure_of({samples::plain_curve("a", places)})}) {
    write_png(what, box.path("a.png"));
    EXPECT_GT(decoded(box.path("a.png")).width, 100);
  }
}

TEST(png_file, of_too_many_pixels_is_refused_with_a_resolution_that_fits) {
  const temporary_folder box;
  figure what = samples::figure_of({});
  what.height_inches = 100;
  what.dpi = 2400;
  const std::string why = error_of(what, box.path("a.png"));
  EXPECT_THAT(why, HasSubstr("cannot write " + box.path("a.png") + ": the picture would have "));
  EXPECT_THAT(why, HasSubstr(" pixels; use at most 19"));
  what.height_inches = 1e9;
  EXPECT_THAT(error_of(what, box.path("a.png")), HasSubstr("draw fewer or smaller panels"));
  EXPECT_FALSE(std::filesystem::exists(box.path("a.png")));
}

TEST(png_file, that_cannot_be_written_is_an_error_with_its_name) {
  const temporary_folder box;
  const std::string file = box.path("missing/a.png");
  EXPECT_THAT(error_of(samples::figure_of({}), file), HasSubstr("cannot write " + file + ": "));
}

TEST(svg_file, is_the_drawing_of_the_figure) {
  const temporary_folder box;
  write_svg(samples::pareto_figure(), box.path("a.svg"));
  EXPECT_EQ(read_file(box.path("a.svg")), svg_of(scene_of(samples::pareto_figure())));
}

TEST(html_file, is_the_page_with_title_and_data) {
  const temporary_folder box;
  write_html({samples::pareto_figure()}, "a <b>", box.path("a.html"));
  const std::string found = read_file(box.path("a.html"));
  EXPECT_THAT(found, testing::StartsWith("<!doctype html>"));
  EXPECT_THAT(found, HasSubstr("<title>a &lt;b></title>"));
  EXPECT_THAT(found, HasSubstr("<script type=\"application/json\" id=\"plots\">{\"format\":1,"));
  EXPECT_THAT(found, HasSubstr("default-src 'none'"));
}

}  // namespace
