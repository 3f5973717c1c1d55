#include "painter.hpp"

#include <numbers>
#include <string>
#include <vector>

namespace figures {
namespace {

void use_family(cairo_t* to, const std::string& family) {
  cairo_select_font_face(to, family.c_str(), CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL);
}

double advance_of(cairo_t* to, const std::vector<font_list::piece>& pieces) {
  double out = 0;
  for (const font_list::piece& each : pieces) {
    use_family(to, each.family);
    cairo_text_extents_t extents{};
    cairo_text_extents(to, each.text.c_str(), &extents);
    out += extents.x_advance;
  }
  return out;
}

}  // namespace

void painter::use(ink colour) {
  cairo_set_source_rgba(to_, colour.red / 255.0, colour.green / 255.0, colour.blue / 255.0,
                        colour.opacity);
}

void painter::trace(const std::vector<place>& places) {
  cairo_new_sub_path(to_);
  for (const place& at : places)
    cairo_line_to(to_, at.x, at.y);
}

void painter::operator()(const polylines& what) {
  use(what.colour);
  cairo_set_line_width(to_, what.width);
  cairo_set_line_join(to_, CAIRO_LINE_JOIN_ROUND);
  cairo_set_dash(to_, what.dashes.data(), static_cast<int>(what.dashes.size()), 0);
  for (const std::vector<place>& line : what.lines)
    trace(line);
  cairo_stroke(to_);
  cairo_set_dash(to_, nullptr, 0, 0);
}

void painter::operator()(const polygon& what) {
  use(what.colour);
  trace(what.corners);
  cairo_close_path(to_);
  cairo_fill(to_);
}

void painter::operator()(const markers& what) {
  for (const place& at : what.at) {
    const std::vector<place> corners = corners_of(what.shape, at, what.size);
    if (corners.empty()) {
      cairo_new_sub_path(to_);
      cairo_arc(to_, at.x, at.y, what.size / 2, 0, 2 * std::numbers::pi);
    } else {
      trace(corners);
    }
    cairo_close_path(to_);
  }
  if (!what.hollow) {
    use(what.colour);
    return cairo_fill(to_);
  }
  use(paper);
  cairo_fill_preserve(to_);
  use(what.colour);
  cairo_set_line_width(to_, 1.5);
  cairo_stroke(to_);
}

void painter::operator()(const writing& what) {
  const std::vector<font_list::piece> pieces = fonts_.pieces_of(what.text);
  cairo_save(to_);
  cairo_translate(to_, what.at.x, what.at.y);
  if (what.upwards) cairo_rotate(to_, -std::numbers::pi / 2);
  cairo_set_font_size(to_, what.size);
  const double share = what.side == anchor::left ? 0 : what.side == anchor::middle ? 0.5 : 1;
  cairo_move_to(to_, share == 0 ? 0 : -share * advance_of(to_, pieces), 0);
  const auto write = [&](auto each_piece) {
    for (const font_list::piece& each : pieces) {
      use_family(to_, each.family);
      each_piece(to_, each.text.c_str());
    }
  };
  if (what.halo) {
    double x = 0, y = 0;
    cairo_get_current_point(to_, &x, &y);
    write(cairo_text_path);
    use(paper);
    cairo_set_line_width(to_, 2.5);
    cairo_set_line_join(to_, CAIRO_LINE_JOIN_ROUND);
    cairo_stroke(to_);
    cairo_move_to(to_, x, y);
  }
  use(what.colour);
  write(cairo_show_text);
  cairo_restore(to_);
}

void painter::operator()(const clip_begin& what) {
  cairo_save(to_);
  cairo_rectangle(to_, what.inside.left, what.inside.top, what.inside.width, what.inside.height);
  cairo_clip(to_);
}

void painter::operator()(const clip_end& /*what*/) { cairo_restore(to_); }

}  // namespace figures
