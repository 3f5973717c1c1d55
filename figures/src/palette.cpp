#include "palette.hpp"

#include <algorithm>
#include <array>

namespace figures {
namespace {

constexpr std::array<ink, colours> inks{{{0x1F, 0x66, 0xC1},
                                         {0xC4, 0x49, 0x0B},
                                         {0x12, 0x7A, 0x54},
                                         {0x7B, 0x3F, 0xC4},
                                         {0x92, 0x70, 0x00},
                                         {0x0C, 0x74, 0x89},
                                         {0xBD, 0x2F, 0x7B},
                                         {0x56, 0x60, 0x6B}}};

constexpr int patterns = 5;
constexpr std::array<marker, patterns> shapes{marker::circle, marker::square, marker::diamond,
                                              marker::triangle, marker::cross};
constexpr std::array<double, 4> line_widths{1.5, 2.75, 4, 0.9};

std::vector<double> dashes_of(int pattern) {
  switch (pattern) {
    case 1: return {6, 3};
    case 2: return {1.5, 2.5};
    case 3: return {7, 2.5, 1.5, 2.5};
    case 4: return {12, 3};
    default: return {};
  }
}

}  // namespace

ink colour_of(int number) noexcept {
  return inks[static_cast<std::size_t>(std::clamp(number, 0, colours - 1))];
}

look look_of(const curve& what, bool only_colours) {
  const int colour = std::max(0, what.colour), dash = std::max(0, what.dash),
            width = std::max(0, what.width);
  const int pattern = (dash % patterns + colour / colours) % patterns;
  look out;
  out.colour = colour_of(colour % colours);
  if (what.grey) {
    out.colour = muted_ink;
    out.colour.opacity = 0.55;
  }
  out.dashes = dashes_of(pattern);
  out.shape = shapes[static_cast<std::size_t>(only_colours ? colour % patterns : pattern)];
  out.width = line_widths[static_cast<std::size_t>(width) % line_widths.size()];
  return out;
}

bool differs_in_colours_only(const figure& what) noexcept {
  for (const panel& p : what.panels)
    for (const curve& c : p.curves)
      if (c.dash > 0) return false;
  return true;
}

}  // namespace figures
