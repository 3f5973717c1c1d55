#include "legend.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "text.hpp"

namespace figures {
namespace {

constexpr double legend_font = 10;
constexpr double legend_line = 13;
constexpr double entry_gap = 4;
constexpr double column_gap = 16;
constexpr double sample_width = 30;
constexpr double text_left = 38;
constexpr double widest_label = 260 / legend_font;  // in units of the font size
constexpr std::size_t most_lines = 8;               // of a label
constexpr std::size_t most_columns = 3;

bool has_band(const curve& what) {
  return std::ranges::any_of(what.points, [](const point& p) { return p.low != p.high; });
}

bool has_weak(const figure& what) {
  for (const panel& p : what.panels)
    for (const curve& c : p.curves)
      if (std::ranges::any_of(c.points, &point::weak)) return true;
  return false;
}

/// Appends the line to `to`; a line that is too wide is broken after a comma.
void add_broken(const std::string& line, std::vector<std::string>& to) {
  constexpr std::string_view comma = ", ";
  std::string open;
  for (std::size_t begin = 0; begin < line.size() && to.size() <= most_lines;) {
    const std::size_t end = std::min(line.find(comma, begin), line.size());
    const std::string piece = line.substr(begin, std::min(end + comma.size(), line.size()) - begin);
    if (!open.empty() && width_of(open + piece) > widest_label) {
      to.push_back(open.substr(0, open.find_last_not_of(' ') + 1));
      open.clear();
    }
    open += piece;
    begin = std::min(end + comma.size(), line.size());
  }
  if (!open.empty() || line.empty()) to.push_back(open);
}

std::vector<std::string> label_lines(const std::string& label) {
  std::vector<std::string> out;
  for (const std::string& line : lines_of(label))
    add_broken(line, out);
  if (out.size() > most_lines) {
    out.resize(most_lines);
    out.back() += "\xE2\x80\xA6";
  }
  for (std::string& line : out)
    line = shortened(line, widest_label);
  return out;
}

}  // namespace

double legend_box::entry::height() const noexcept {
  return legend_line * static_cast<double>(lines.size()) + entry_gap;
}

legend_box::legend_box(const figure& what, double height, std::size_t left_out) {
  if (what.legend) collect(what);
  if (has_weak(what)) {
    entry hollow;
    hollow.lines = {"unstable"};
    hollow.how.colour = muted_ink;
    hollow.line = false;
    hollow.hollow = true;
    entries_.push_back(std::move(hollow));
  }
  if (left_out > 0) {
    entry note;
    note.lines = {std::to_string(left_out) + (left_out == 1 ? " label has" : " labels have"),
                  "no room"};
    note.sample = false;
    entries_.push_back(std::move(note));
  }
  arrange(height);
}

void legend_box::collect(const figure& what) {
  std::set<std::tuple<std::string, int, int, int, bool, bool>> known;
  const bool only_colours = differs_in_colours_only(what);
  for (const panel& p : what.panels)
    for (const curve& c : p.curves) {
      if (c.label.empty()) continue;
      if (!known.emplace(c.label, c.colour, c.dash, c.width, c.line, c.grey).second) continue;
      entry each;
      each.lines = label_lines(c.label);
      each.how = look_of(c, only_colours);
      each.line = c.line;
      each.band = has_band(c);
      entries_.push_back(std::move(each));
    }
}

void legend_box::arrange(double height) {
  for (std::size_t at = 0; at < entries_.size(); ++at) {
    const double more = entries_[at].height();
    if (columns_.empty() ||
        (columns_.back().height + more > height && !columns_.back().entries.empty())) {
      if (columns_.size() == most_columns) {
        entry& last = columns_.back().entries.back();
        last = {};
        last.lines = {"\xE2\x80\xA6 and " + std::to_string(entries_.size() - at + 1) + " more"};
        last.sample = false;
        break;
      }
      columns_.emplace_back();
    }
    columns_.back().entries.push_back(entries_[at]);
    columns_.back().height += more;
  }
  for (column& c : columns_)
    for (const entry& e : c.entries)
      for (const std::string& line : e.lines)
        c.width = std::max(c.width, text_left + width_of(line) * legend_font);
}

double legend_box::width() const noexcept {
  double out = 0;
  for (const column& c : columns_)
    out += (out > 0 ? column_gap : 0) + c.width;
  return out;
}

void legend_box::draw_sample(const entry& what, place at, scene& to) {
  const double right = at.x + sample_width, middle = at.x + sample_width / 2;
  if (what.band) {
    ink faint = what.how.colour;
    faint.opacity *= 0.2;
    to.shapes.emplace_back(
        polygon{{{at.x, at.y - 5}, {right, at.y - 5}, {right, at.y + 5}, {at.x, at.y + 5}}, faint});
  }
  if (what.line)
    to.shapes.emplace_back(
        polylines{{{at, {right, at.y}}}, what.how.colour, what.how.width, what.how.dashes});
  to.shapes.emplace_back(
      markers{{{middle, at.y}}, what.how.shape, 6.5, what.how.colour, what.hollow});
}

void legend_box::draw(place corner, scene& to) const {
  for (const column& c : columns_) {
    double top = corner.y;
    for (const entry& e : c.entries) {
      if (e.sample) draw_sample(e, {corner.x, top + legend_line / 2}, to);
      for (std::size_t i = 0; i < e.lines.size(); ++i)
        if (!e.lines[i].empty())
          to.shapes.emplace_back(
              writing{.at = {corner.x + (e.sample ? text_left : 0),
                             top + legend_line * (static_cast<double>(i) + 0.77)},
                      .text = e.lines[i],
                      .size = legend_font});
      top += e.height();
    }
    corner.x += c.width + column_gap;
  }
}

}  // namespace figures
