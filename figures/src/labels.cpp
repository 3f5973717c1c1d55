#include "labels.hpp"

#include <algorithm>
#include <utility>

#include "text.hpp"

namespace figures {
namespace {

constexpr double label_font = 8;
constexpr double label_line = 9.5;
constexpr double widest_label_line = 160 / label_font;
constexpr std::size_t most_label_lines = 6;
// Finding room takes time in proportion to the square of the number.
constexpr std::size_t most_labels = 400;
constexpr std::size_t most_obstacles = 4000;

bool overlap(const box& a, const box& b) noexcept {
  return a.left < b.right() && b.left < a.right() && a.top < b.bottom() && b.top < a.bottom();
}

box around(place at, double size) noexcept {
  return {at.x - size / 2, at.y - size / 2, size, size};
}

/// Whether a part of the line lies in the box: the line is cut at the four sides (Liang and Barsky,
/// "A new concept and method for line clipping", 1984).
bool crosses(place from, place to, const box& in) noexcept {
  double begin = 0, end = 1;
  const auto cut = [&](double along, double room) {
    if (along == 0) return room >= 0;
    const double at = room / along;
    if (along < 0)
      begin = std::max(begin, at);
    else
      end = std::min(end, at);
    return begin <= end;
  };
  const double dx = to.x - from.x, dy = to.y - from.y;
  return cut(-dx, from.x - in.left) && cut(dx, in.right() - from.x) && cut(-dy, from.y - in.top) &&
         cut(dy, in.bottom() - from.y);
}

/// The places of a label: the direction from the point to the nearest corner or side.
constexpr place directions[] = {{1, -1}, {-1, -1}, {1, 1},  {-1, 1},
                                {1, 0},  {-1, 0},  {0, -1}, {0, 1}};
constexpr double distances[] = {5, 14, 26, 40, 60, 90};

double beside(double at, double direction, double distance, double length) {
  return direction > 0 ? at + distance : direction < 0 ? at - distance - length : at - length / 2;
}

}  // namespace

void label_places::add_marker(place at, double size) {
  if (markers_.size() < most_obstacles) markers_.push_back(around(at, size));
}

void label_places::add_line(place from, place to) {
  if (lines_.size() < most_obstacles) lines_.push_back({from, to});
}

void label_places::add_label(place at, double size, const std::string& text) {
  if (taken_.size() < most_obstacles) taken_.push_back(around(at, size));
  label out{.at = at, .lines = lines_of(text)};
  if (out.lines.size() > most_label_lines) out.lines.resize(most_label_lines);
  for (std::string& line : out.lines) {
    line = shortened(line, widest_label_line);
    out.width = std::max(out.width, width_of(line) * label_font);
  }
  out.height = label_line * static_cast<double>(out.lines.size());
  labels_.push_back(std::move(out));
}

bool label_places::is_free(const box& wanted, bool of_lines) const noexcept {
  if (wanted.left < inside_.left || wanted.right() > inside_.right() || wanted.top < inside_.top ||
      wanted.bottom() > inside_.bottom())
    return false;
  const auto covers = [&](const box& each) { return overlap(each, wanted); };
  if (std::ranges::any_of(taken_, covers)) return false;
  if (!of_lines) return true;
  return std::ranges::none_of(markers_, covers) &&
         std::ranges::none_of(
             lines_, [&](const segment& each) { return crosses(each.from, each.to, wanted); });
}

bool label_places::put(const label& what, bool free_of_lines, scene& to) {
  for (const double distance : distances)
    for (const place& direction : directions) {
      box wanted{beside(what.at.x, direction.x, distance, what.width),
                 beside(what.at.y, direction.y, distance, what.height), what.width, what.height};
      // Above and below the point a label may be moved aside to stay in the panel.
      if (direction.x == 0)
        wanted.left = std::max(inside_.left, std::min(wanted.left, inside_.right() - what.width));
      if (!is_free(wanted, free_of_lines)) continue;
      taken_.push_back(wanted);
      if (distance > distances[0])
        to.shapes.emplace_back(polylines{{{what.at,
                                           {std::clamp(what.at.x, wanted.left, wanted.right()),
                                            std::clamp(what.at.y, wanted.top, wanted.bottom())}}},
                                         muted_ink,
                                         0.5,
                                         {}});
      for (std::size_t i = 0; i < what.lines.size(); ++i)
        if (!what.lines[i].empty())
          to.shapes.emplace_back(
              writing{.at = {wanted.left, wanted.top + label_line * (static_cast<double>(i) + 0.8)},
                      .text = what.lines[i],
                      .size = label_font,
                      .halo = true});
      return true;
    }
  return false;
}

std::size_t label_places::draw(scene& to) {
  std::size_t left_out = 0;
  for (std::size_t i = 0; i < labels_.size(); ++i)
    if (i >= most_labels || (!put(labels_[i], true, to) && !put(labels_[i], false, to))) ++left_out;
  return left_out;
}

}  // namespace figures
