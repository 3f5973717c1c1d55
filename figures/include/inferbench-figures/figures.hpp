// Draws figures of curves as PNG, SVG and HTML. Usable like a library of the distribution: it knows
// neither the host nor the SDK. The first write_png() opens lib/inferbench/inferbench-figures.so,
// which links cairo; everything else needs no other library. Functions are free of global state;
// one figure is used by one thread.
//
// Values that are not finite, that have no place on a scale, or that are larger than 1e300 are not
// drawn; a line has a gap there. Texts may contain anything: what is not UTF-8, and control
// characters, become U+FFFD, and a text that is too long for its place is cut, except on the page.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace figures {

/// `log` needs values above 0, `sqrt` values from 0. `symlog` is linear between -2 and 2 and
/// logarithmic beyond.
enum class scale { linear, log, symlog, sqrt };

struct point {
  double x = 0, y = 0;
  double low = 0, high = 0;  // the error band; both equal to y: none. A lower end that the scale
                             // has no place for, such as -1 on log, lies at the end of the axis
  std::string label;         // printed beside the point; lines are separated by '\n'; may be empty.
                             // PNG and SVG leave labels out that would cover others, and say so
  std::string detail;        // for the HTML page: the text of the tooltip
  bool weak = false;         // drawn hollow: the point is unstable (the server did not keep up)
};

struct curve {
  std::string label;          // lines separated by '\n'
  std::vector<point> points;  // a line joins them in the order of x
  int colour = 0;             // number in the palette, any number >= 0. From the ninth colour on,
                              // the colours begin again with the next pattern and marker
  int dash = 0;               // pattern and marker, any number >= 0
  int width = 0;              // class of the line's width, any number >= 0
  bool line = true;           // false: points only
  bool grey = false;          // without colour: the background of the other curves
};

struct panel {
  std::string title;  // lines separated by '\n'; empty: no title
  std::size_t row = 0, column = 0;
  std::vector<curve> curves;
};

struct figure {
  std::string title;  // HTML: the heading; SVG: the name for screen readers; PNG: not drawn
  std::string x_label, y_label;
  scale x_scale = scale::linear, y_scale = scale::linear;
  std::size_t rows = 1, columns = 1;
  std::vector<panel> panels;       // axes are shared
  std::vector<std::string> notes;  // HTML: lines below the figure
  double height_inches = 6.4;      // of a panel with its title; its width is 1.3 times as much
  int dpi = 300;                   // of PNG
  bool legend = true;              // false: a legend only explains hollow points
};

/// Each writes the file anew, through a temporary file beside it. Throws std::runtime_error with
/// the file, the reason and, if the library is missing, the name of the library and the remedy.
void write_png(const figure& what, const std::string& file);
/// Texts stay texts, so they can be searched and edited, and the file is the same on each machine.
void write_svg(const figure& what, const std::string& file);
/// One page for a browser that needs no other file. `title`: of the page.
void write_html(const std::vector<figure>& what, const std::string& title, const std::string& file);

}  // namespace figures
