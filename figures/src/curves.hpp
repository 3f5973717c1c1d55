// Draws the curves of a panel.
#pragma once

#include <cstddef>

#include "axis.hpp"
#include "scene.hpp"

namespace figures {

/// The axes of a panel: where its values lie.
struct panel_axes {
  scale x_scale, y_scale;
  axis_map x, y;
  box inside;
  [[nodiscard]] bool shows(const point& p) const noexcept {
    return has_place(x_scale, p.x) && has_place(y_scale, p.y);
  }
  [[nodiscard]] place at(const point& p) const noexcept { return {x(p.x), y(p.y)}; }
};

/// Draws bands, lines, markers and labels. Returns the number of labels that have no room.
std::size_t draw_curves(const panel& what, const panel_axes& axes, bool only_colours, scene& to);

}  // namespace figures
