// Colours, dashes and markers, which tell curves apart. The page (web/src/style/tokens.css, light
// theme) has the same colours. Pure functions.
#pragma once

#include <cstdint>
#include <vector>

#include <inferbench-figures/figures.hpp>

namespace figures {

struct ink {
  std::uint8_t red = 0, green = 0, blue = 0;
  double opacity = 1;
  friend bool operator==(const ink&, const ink&) = default;
};

inline constexpr ink text_ink{0x16, 0x19, 0x1D};
inline constexpr ink muted_ink{0x5A, 0x62, 0x6C};
inline constexpr ink frame_ink{0xD9, 0xDD, 0xE2};
inline constexpr ink paper{0xFF, 0xFF, 0xFF};

enum class marker { circle, square, diamond, triangle, cross };

/// The look of a curve. Lengths are points.
struct look {
  ink colour;
  std::vector<double> dashes;  // lengths of dashes and gaps; empty: a line without gaps
  marker shape = marker::circle;
  double width = 1.5;
};

/// `only_colours`: the curves of the figure differ in nothing but their colour. Then the markers
/// follow the colours, for readers who cannot tell the colours apart.
[[nodiscard]] look look_of(const curve& what, bool only_colours);
/// Whether no curve of the figure asks for another pattern than the first.
[[nodiscard]] bool differs_in_colours_only(const figure& what) noexcept;

inline constexpr int colours = 8;
/// The colour with this number, from 0 to `colours` - 1.
[[nodiscard]] ink colour_of(int number) noexcept;

}  // namespace figures
