#include "scene.hpp"

namespace figures {

// The markers look equally large: the same area, not the same width.
std::vector<place> corners_of(marker kind, place at, double size) {
  const double r = size / 2;
  const auto around = [&](std::initializer_list<place> corners) {
    std::vector<place> out;
    for (const place& c : corners)
      out.push_back({at.x + c.x * r, at.y + c.y * r});
    return out;
  };
  switch (kind) {
    case marker::square:
      return around({{-0.89, -0.89}, {0.89, -0.89}, {0.89, 0.89}, {-0.89, 0.89}});
    case marker::diamond: return around({{0, -1.25}, {1.25, 0}, {0, 1.25}, {-1.25, 0}});
    case marker::triangle: return around({{0, -1.3}, {1.25, 0.9}, {-1.25, 0.9}});
    case marker::cross: {
      constexpr double far = 1.15, near = 0.65, half = 0.5;
      return around({{-far, -near},
                     {-near, -far},
                     {0, -half},
                     {near, -far},
                     {far, -near},
                     {half, 0},
                     {far, near},
                     {near, far},
                     {0, half},
                     {-near, far},
                     {-far, near},
                     {-half, 0}});
    }
    case marker::circle: break;
  }
  return {};
}

}  // namespace figures
