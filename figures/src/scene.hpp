// A drawing as a list of shapes, in the order of painting. Lengths are points (1/72 inch) from the
// upper left corner. The layout makes a scene; svg.cpp and the library of cairo write it.
#pragma once

#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "palette.hpp"

namespace figures {

struct place {
  double x = 0, y = 0;
};

struct box {
  double left = 0, top = 0, width = 0, height = 0;
  [[nodiscard]] double right() const noexcept { return left + width; }
  [[nodiscard]] double bottom() const noexcept { return top + height; }
};

/// Lines with one pen; each list of places is a line of its own.
struct polylines {
  std::vector<std::vector<place>> lines;
  ink colour;
  double width = 1;
  std::vector<double> dashes;
};

/// A filled area.
struct polygon {
  std::vector<place> corners;
  ink colour;
};

/// Markers with one look.
struct markers {
  std::vector<place> at;
  marker shape = marker::circle;
  double size = 6;  // about the diameter
  ink colour;
  bool hollow = false;  // white with a border
};

enum class anchor { left, middle, right };

/// A line of text: clean() and not empty. `at` is on its base line.
struct writing {
  place at;
  std::string text;
  double size = 10;  // of the font
  anchor side = anchor::left;
  ink colour = text_ink;
  bool upwards = false;  // turned by 90 degrees to the left around `at`
  bool halo = false;     // white around the letters, to be read on lines
};

/// The shapes that follow are cut at the box, until the next clip_end. Clips are not nested.
struct clip_begin {
  box inside;
};
struct clip_end {};

using shape = std::variant<polylines, polygon, markers, writing, clip_begin, clip_end>;

struct scene {
  double width = 0, height = 0;
  std::string title;  // clean; may be empty
  std::vector<shape> shapes;
};

/// The corners of a marker, or an empty list for a circle with this diameter.
[[nodiscard]] std::vector<place> corners_of(marker kind, place at, double size);

/// The whole drawing of a figure.
[[nodiscard]] scene scene_of(const figure& what);

}  // namespace figures
