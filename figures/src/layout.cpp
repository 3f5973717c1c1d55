// The places of panels, axes, titles and legend.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "curves.hpp"
#include "legend.hpp"
#include "scene.hpp"
#include "text.hpp"

namespace figures {
namespace {

constexpr double points_per_inch = 72;
constexpr double aspect = 1.3;  // width of a panel by its height
constexpr double outer_margin = 12;
constexpr double panel_gap = 16;
constexpr double tick_font = 9.5;
constexpr double label_size = 11;
constexpr double title_font = 11;
constexpr double title_line = 14;
constexpr std::size_t most_title_lines = 8;
constexpr double below_axis = 34;  // for texts of ticks and the name of the x axis
constexpr double tick_length = 3.5;
constexpr double least_inside = 30;  // of a panel without its title
constexpr ink grid_ink = frame_ink;

struct axes_of_figure {
  span_of_values x, y;
  std::vector<tick> x_ticks, y_ticks;
};

axes_of_figure shared_axes(const figure& what, double width, double height) {
  value_range x(what.x_scale), y(what.y_scale);
  for (const panel& p : what.panels)
    for (const curve& c : p.curves)
      for (const point& each : c.points) {
        if (!has_place(what.x_scale, each.x) || !has_place(what.y_scale, each.y)) continue;
        x.add(each.x);
        for (const double value : {each.y, each.low, each.high})
          // Without a band, low and high may have been left at 0.
          if (value == each.y || each.low != each.high) y.add(value);
      }
  axes_of_figure out{x.with_margin(false), y.with_margin(true), {}, {}};
  out.x_ticks = ticks_of(what.x_scale, out.x, width / 55);
  out.y_ticks = ticks_of(what.y_scale, out.y, height / 32);
  return out;
}

double widest_text(const std::vector<tick>& ticks) {
  double out = 0;
  for (const tick& t : ticks)
    out = std::max(out, width_of(t.text) * tick_font);
  return out;
}

/// Draws one figure.
class figure_layout {
 public:
  explicit figure_layout(const figure& what) : what_(what), panels_(what.panels) {
    // A figure without panels has empty axes.
    if (panels_.empty()) panels_.emplace_back();
    rows_ = std::max<std::size_t>(1, what.rows);
    columns_ = std::max<std::size_t>(1, what.columns);
    std::size_t title_lines = 0;
    for (const panel& p : panels_) {
      rows_ = std::max(rows_, p.row + 1);
      columns_ = std::max(columns_, p.column + 1);
      title_lines = std::max(title_lines, std::min(lines_of(p.title).size(), most_title_lines));
      lowest_[p.column] = std::max(lowest_[p.column], p.row);
      const auto first = leftmost_.try_emplace(p.row, p.column).first;
      first->second = std::min(first->second, p.column);
    }
    title_height_ = title_lines == 0 ? 0 : title_line * static_cast<double>(title_lines) + 4;
    const double inches = what.height_inches > 0 ? what.height_inches : 6.4;
    height_ = std::max(least_inside, inches * points_per_inch - title_height_);
    width_ = std::max(least_inside, inches * points_per_inch * aspect);
    axes_ = shared_axes(what, width_, height_);
    left_ = outer_margin + label_size + 8 + widest_text(axes_.y_ticks) + tick_length + 4;
  }

  [[nodiscard]] scene draw() {
    scene out;
    const double inner_width = static_cast<double>(columns_) * (width_ + panel_gap) - panel_gap;
    const double inner_height =
        static_cast<double>(rows_) * (height_ + title_height_ + panel_gap) - panel_gap;
    std::size_t left_out = 0;
    for (const panel& p : panels_)
      left_out += draw_panel(p, out);
    const legend_box legend(what_, inner_height, left_out);
    const double legend_left = left_ + inner_width + panel_gap;
    legend.draw({legend_left, outer_margin + title_height_}, out);
    out.width = std::ceil(legend_left + (legend.width() > 0 ? legend.width() + outer_margin : 0));
    out.height = std::ceil(outer_margin + inner_height + below_axis + outer_margin);
    const std::vector<std::string> title = lines_of(what_.title);
    for (const std::string& line : title)
      out.title += (out.title.empty() ? "" : " ") + line;
    return out;
  }

 private:
  std::size_t draw_panel(const panel& p, scene& to) {
    const box inside{left_ + static_cast<double>(p.column) * (width_ + panel_gap),
                     outer_margin + title_height_ +
                         static_cast<double>(p.row) * (height_ + title_height_ + panel_gap),
                     width_, height_};
    const panel_axes axes{what_.x_scale, what_.y_scale,
                          axis_map(what_.x_scale, axes_.x, inside.left, inside.right()),
                          axis_map(what_.y_scale, axes_.y, inside.bottom(), inside.top), inside};
    draw_grid(axes, to);
    to.shapes.emplace_back(clip_begin{{inside.left - 4, inside.top - 4, width_ + 8, height_ + 8}});
    const std::size_t left_out = draw_curves(p, axes, differs_in_colours_only(what_), to);
    to.shapes.emplace_back(clip_end{});
    if (!shows_anything(p)) draw_no_data(inside, to);
    draw_frame(axes, to);
    draw_title(p, inside, to);
    if (lowest_[p.column] == p.row) draw_x_axis(axes, to);
    if (leftmost_[p.row] == p.column) draw_y_axis(axes, to);
    return left_out;
  }

  [[nodiscard]] bool shows_anything(const panel& p) const {
    return std::ranges::any_of(p.curves, [&](const curve& c) {
      return std::ranges::any_of(c.points, [&](const point& each) {
        return has_place(what_.x_scale, each.x) && has_place(what_.y_scale, each.y);
      });
    });
  }

  static void draw_no_data(const box& inside, scene& to) {
    to.shapes.emplace_back(
        writing{.at = {inside.left + inside.width / 2, inside.top + inside.height / 2},
                .text = "no data",
                .size = label_size,
                .side = anchor::middle,
                .colour = muted_ink});
  }

  void draw_grid(const panel_axes& axes, scene& to) const {
    polylines grid{{}, grid_ink, 0.7, {2.5, 2.5}};
    const box& in = axes.inside;
    for (const tick& t : axes_.x_ticks)
      if (!t.text.empty())
        grid.lines.push_back({{axes.x(t.value), in.top}, {axes.x(t.value), in.bottom()}});
    for (const tick& t : axes_.y_ticks)
      if (!t.text.empty())
        grid.lines.push_back({{in.left, axes.y(t.value)}, {in.right(), axes.y(t.value)}});
    if (!grid.lines.empty()) to.shapes.emplace_back(std::move(grid));
  }

  void draw_frame(const panel_axes& axes, scene& to) const {
    const box& in = axes.inside;
    polylines frame{{{{in.left, in.top},
                      {in.right(), in.top},
                      {in.right(), in.bottom()},
                      {in.left, in.bottom()},
                      {in.left, in.top}}},
                    muted_ink,
                    0.8,
                    {}};
    for (const tick& t : axes_.x_ticks) {
      const double x = axes.x(t.value), length = t.text.empty() ? tick_length / 2 : tick_length;
      frame.lines.push_back({{x, in.bottom()}, {x, in.bottom() + length}});
    }
    for (const tick& t : axes_.y_ticks) {
      const double y = axes.y(t.value), length = t.text.empty() ? tick_length / 2 : tick_length;
      frame.lines.push_back({{in.left, y}, {in.left - length, y}});
    }
    to.shapes.emplace_back(std::move(frame));
  }

  static void draw_title(const panel& p, const box& inside, scene& to) {
    std::vector<std::string> lines = lines_of(p.title);
    if (lines.size() > most_title_lines) lines.resize(most_title_lines);
    double base = inside.top - 6 - title_line * static_cast<double>(lines.size());
    for (const std::string& line : lines) {
      base += title_line;
      if (!line.empty())
        to.shapes.emplace_back(writing{.at = {inside.left + inside.width / 2, base},
                                       .text = shortened(line, inside.width / title_font),
                                       .size = title_font,
                                       .side = anchor::middle});
    }
  }

  void draw_x_axis(const panel_axes& axes, scene& to) const {
    const box& in = axes.inside;
    for (const tick& t : axes_.x_ticks)
      if (!t.text.empty())
        to.shapes.emplace_back(writing{.at = {axes.x(t.value), in.bottom() + 14},
                                       .text = t.text,
                                       .size = tick_font,
                                       .side = anchor::middle});
    if (const std::string name = shortened(clean(what_.x_label), in.width / label_size);
        !name.empty())
      to.shapes.emplace_back(writing{.at = {in.left + in.width / 2, in.bottom() + 30},
                                     .text = name,
                                     .size = label_size,
                                     .side = anchor::middle});
  }

  void draw_y_axis(const panel_axes& axes, scene& to) const {
    const box& in = axes.inside;
    for (const tick& t : axes_.y_ticks)
      if (!t.text.empty())
        to.shapes.emplace_back(
            writing{.at = {in.left - tick_length - 3, axes.y(t.value) + tick_font * 0.35},
                    .text = t.text,
                    .size = tick_font,
                    .side = anchor::right});
    if (const std::string name = shortened(clean(what_.y_label), in.height / label_size);
        !name.empty())
      to.shapes.emplace_back(writing{
          .at = {in.left - tick_length - widest_text(axes_.y_ticks) - 12, in.top + in.height / 2},
          .text = name,
          .size = label_size,
          .side = anchor::middle,
          .upwards = true});
  }

  const figure& what_;
  std::vector<panel> panels_;
  std::size_t rows_ = 1, columns_ = 1;
  std::map<std::size_t, std::size_t> lowest_;    // row of the lowest panel of a column
  std::map<std::size_t, std::size_t> leftmost_;  // column of the first panel of a row
  double title_height_ = 0, width_ = 0, height_ = 0, left_ = 0;
  axes_of_figure axes_;
};

}  // namespace

scene scene_of(const figure& what) { return figure_layout(what).draw(); }

}  // namespace figures
