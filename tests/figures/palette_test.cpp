#include "palette.hpp"

#include <cstdio>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "base/text.hpp"

namespace {

using namespace figures;

std::string css_colour(ink colour) {
  char out[8];
  std::snprintf(out, sizeof out, "#%02x%02x%02x", colour.red, colour.green, colour.blue);
  return out;
}

/// The value of a custom property in the light theme of the pages.
std::string token(const std::string& name) {
  const std::string sheet =
      inferbench::base::read_file(std::string(INFERBENCH_SOURCE) + "/web/src/style/tokens.css");
  const std::size_t at = sheet.find("--" + name + ": ");
  return at == std::string::npos ? "" : sheet.substr(at + name.size() + 4, 7);
}

curve curve_with(int colour, int dash = 0, int width = 0) {
  curve out;
  out.colour = colour;
  out.dash = dash;
  out.width = width;
  return out;
}

TEST(palette, is_that_of_the_light_theme_of_the_pages) {
  for (int i = 0; i < colours; ++i)
    EXPECT_EQ(css_colour(colour_of(i)), token("series" + std::to_string(i)));
  EXPECT_EQ(css_colour(text_ink), token("text"));
  EXPECT_EQ(css_colour(muted_ink), token("muted"));
  EXPECT_EQ(css_colour(frame_ink), token("line"));
  EXPECT_EQ(css_colour(paper), token("background"));
}

TEST(look_of_a_curve, has_another_pattern_from_the_ninth_colour_on) {
  const look first = look_of(curve_with(0), false), ninth = look_of(curve_with(8), false);
  EXPECT_EQ(first.colour, ninth.colour);
  EXPECT_NE(first.dashes, ninth.dashes);
  EXPECT_NE(first.shape, ninth.shape);
}

TEST(look_of_a_curve, has_a_marker_of_its_colour_if_curves_differ_in_colours_only) {
  EXPECT_NE(look_of(curve_with(0), true).shape, look_of(curve_with(1), true).shape);
  EXPECT_EQ(look_of(curve_with(0), false).shape, look_of(curve_with(1), false).shape);
}

TEST(look_of_a_curve, exists_for_every_number) {
  for (const int number : {-5, 0, 7, 1'000'000, 2'147'483'647})
    EXPECT_GT(look_of(curve_with(number, number, number), false).width, 0);
}

TEST(look_of_a_curve, is_grey_if_the_curve_is_background) {
  curve background = curve_with(3);
  background.grey = true;
  const ink found = look_of(background, false).colour;
  EXPECT_EQ(css_colour(found), css_colour(muted_ink));
  EXPECT_LT(found.opacity, 1);
}

}  // namespace
