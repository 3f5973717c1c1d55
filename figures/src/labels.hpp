// Finds room for the labels of points: beside the point, where they cover neither another label nor
// a marker with a label, and if possible no line and no other marker.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scene.hpp"

namespace figures {

class label_places {
 public:
  /// Labels stay inside this box.
  explicit label_places(box inside) : inside_(inside) {}

  /// Adds a marker that no label shall cover.
  void add_marker(place at, double size);
  /// Adds a part of a line that no label shall cover.
  void add_line(place from, place to);
  /// Adds a label for a point, and the marker of the point.
  void add_label(place at, double size, const std::string& text);
  /// Draws the labels that have room. Returns the number of the others.
  std::size_t draw(scene& to);

 private:
  struct label {
    place at;
    std::vector<std::string> lines;
    double width = 0, height = 0;
  };
  struct segment {
    place from, to;
  };
  [[nodiscard]] bool is_free(const box& wanted, bool of_lines) const noexcept;
  [[nodiscard]] bool put(const label& what, bool free_of_lines, scene& to);

  box inside_;
  std::vector<box> taken_;  // labels, and markers with a label
  std::vector<box> markers_;
  std::vector<segment> lines_;
  std::vector<label> labels_;
};

}  // namespace figures
