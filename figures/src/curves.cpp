#include "curves.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "labels.hpp"

namespace figures {
namespace {

constexpr double band_opacity = 0.2;
constexpr double bar_half = 3;  // of the ends of an error bar

double marker_size(std::size_t points) { return points > 3000 ? 2.5 : points > 300 ? 4 : 6.5; }

/// The points in the order of x, without their texts. NaN has no place in the order.
std::vector<point> ordered(const curve& what) {
  std::vector<point> out;
  out.reserve(what.points.size());
  for (const point& p : what.points)
    if (!std::isnan(p.x)) {
      out.push_back({.x = p.x, .y = p.y, .low = p.low, .high = p.high, .label = {}, .detail = {}});
      out.back().weak = p.weak;
    }
  std::ranges::stable_sort(out, [](const point& a, const point& b) { return a.x < b.x; });
  return out;
}

/// Whether the lower end of the band lies below all values of the scale.
bool falls_below(const panel_axes& axes, const point& p) {
  return std::isfinite(p.low) && p.low < p.y && !has_place(axes.y_scale, p.low);
}

bool is_banded(const panel_axes& axes, const point& p) {
  return axes.shows(p) && p.low != p.high && has_place(axes.y_scale, p.high) &&
         (has_place(axes.y_scale, p.low) || falls_below(axes, p));
}

/// The height of the lower end of a band.
double lower_end(const panel_axes& axes, const point& p) {
  return falls_below(axes, p) ? axes.inside.bottom() : axes.y(p.low);
}

/// Calls `each` for each longest row of points that are shown.
template <typename function>
void for_rows(const std::vector<point>& points, const panel_axes& axes, function each) {
  std::vector<point> row;
  for (const point& p : points) {
    if (axes.shows(p)) {
      row.push_back(p);
    } else if (!row.empty()) {
      each(row);
      row.clear();
    }
  }
  if (!row.empty()) each(row);
}

void draw_error_bars(const std::vector<point>& points, const panel_axes& axes, const look& how,
                     scene& to) {
  polylines bars{{}, how.colour, 1, {}};
  for (const point& p : points) {
    if (!is_banded(axes, p)) continue;
    const double x = axes.x(p.x), low = lower_end(axes, p), high = axes.y(p.high);
    bars.lines.push_back({{x, low}, {x, high}});
    bars.lines.push_back({{x - bar_half, low}, {x + bar_half, low}});
    bars.lines.push_back({{x - bar_half, high}, {x + bar_half, high}});
  }
  if (!bars.lines.empty()) to.shapes.emplace_back(std::move(bars));
}

void draw_band(const std::vector<point>& row, const panel_axes& axes, const look& how, scene& to) {
  const auto banded = [&](const point& p) { return is_banded(axes, p); };
  if (std::ranges::none_of(row, banded)) return;
  if (row.size() == 1) return draw_error_bars(row, axes, how, to);
  polygon band{{}, how.colour};
  band.colour.opacity *= band_opacity;
  for (const point& p : row)
    band.corners.push_back({axes.x(p.x), axes.y(banded(p) ? p.high : p.y)});
  for (auto p = row.rbegin(); p != row.rend(); ++p)
    band.corners.push_back({axes.x(p->x), banded(*p) ? lower_end(axes, *p) : axes.y(p->y)});
  to.shapes.emplace_back(std::move(band));
}

void draw_line(const std::vector<point>& points, const panel_axes& axes, const look& how,
               scene& to) {
  polylines out{{}, how.colour, how.width, how.dashes};
  for_rows(points, axes, [&](const std::vector<point>& row) {
    draw_band(row, axes, how, to);
    if (row.size() < 2) return;
    std::vector<place> line;
    line.reserve(row.size());
    for (const point& p : row)
      line.push_back(axes.at(p));
    out.lines.push_back(std::move(line));
  });
  if (!out.lines.empty()) to.shapes.emplace_back(std::move(out));
}

void draw_markers(const std::vector<point>& points, const panel_axes& axes, const look& how,
                  scene& to) {
  for (const bool hollow : {false, true}) {
    markers out{{}, how.shape, marker_size(points.size()), how.colour, hollow};
    for (const point& p : points)
      if (p.weak == hollow && axes.shows(p)) out.at.push_back(axes.at(p));
    if (!out.at.empty()) to.shapes.emplace_back(std::move(out));
  }
}

void add_obstacles(const std::vector<point>& points, const panel_axes& axes, bool line,
                   label_places& to) {
  for_rows(points, axes, [&](const std::vector<point>& row) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      to.add_marker(axes.at(row[i]), marker_size(points.size()));
      if (line && i > 0) to.add_line(axes.at(row[i - 1]), axes.at(row[i]));
    }
  });
}

}  // namespace

std::size_t draw_curves(const panel& what, const panel_axes& axes, bool only_colours, scene& to) {
  label_places labels(axes.inside);
  for (const curve& c : what.curves) {
    const look how = look_of(c, only_colours);
    const std::vector<point> points = ordered(c);
    if (c.line)
      draw_line(points, axes, how, to);
    else
      draw_error_bars(points, axes, how, to);
    draw_markers(points, axes, how, to);
    add_obstacles(points, axes, c.line, labels);
    for (const point& p : c.points)
      if (!p.label.empty() && axes.shows(p))
        labels.add_label(axes.at(p), marker_size(points.size()), p.label);
  }
  return labels.draw(to);
}

}  // namespace figures
