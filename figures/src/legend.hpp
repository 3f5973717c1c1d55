// The legend beside the panels: a line for each look.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "scene.hpp"

namespace figures {

class legend_box {
 public:
  /// The legend of a figure whose panels are `height` high. `left_out`: number of labels of points
  /// that have no room in the panels.
  legend_box(const figure& what, double height, std::size_t left_out);

  /// 0 without any line.
  [[nodiscard]] double width() const noexcept;
  void draw(place corner, scene& to) const;

 private:
  struct entry {
    std::vector<std::string> lines;
    look how;
    bool sample = true;  // false: a text only
    bool line = true, hollow = false, band = false;
    [[nodiscard]] double height() const noexcept;
  };
  struct column {
    std::vector<entry> entries;
    double width = 0, height = 0;
  };
  void collect(const figure& what);
  void arrange(double height);
  static void draw_sample(const entry& what, place at, scene& to);

  std::vector<entry> entries_;
  std::vector<column> columns_;
};

}  // namespace figures
