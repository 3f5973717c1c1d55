#include "page.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <stdexcept>

#include "text.hpp"

namespace figures {
namespace {

constexpr std::string_view title_mark = "{{title}}";
constexpr std::string_view data_mark = "{{data}}";

/// Writes JSON in ASCII that can stand in a script element.
class json_text {
 public:
  std::string out;

  void key(std::string_view name) {
    comma();
    quote(name);
    out += ':';
    first_ = true;
  }
  void begin(char bracket) {
    comma();
    out += bracket;
    first_ = true;
  }
  void end(char bracket) {
    out += bracket;
    first_ = false;
  }
  void text(std::string_view value) {
    comma();
    quote(value);
  }
  void number(double value) {
    if (std::isnan(value)) return word("null");
    if (std::isinf(value)) return text(value > 0 ? "inf" : "-inf");
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, value);
    word(std::string_view(digits, end.ptr));
  }
  void truth(bool value) { word(value ? "true" : "false"); }

  void member(std::string_view name, std::string_view value) {
    key(name);
    text(value);
  }
  void member(std::string_view name, const char* value) { member(name, std::string_view(value)); }
  void member(std::string_view name, double value) {
    key(name);
    number(value);
  }
  void member(std::string_view name, bool value) {
    key(name);
    truth(value);
  }

 private:
  void comma() {
    if (!first_) out += ',';
    first_ = false;
  }
  void word(std::string_view value) {
    comma();
    out += value;
  }
  void unit(std::uint32_t code) {
    constexpr std::string_view hex = "0123456789abcdef";
    out += "\\u";
    for (unsigned shift = 16; shift > 0;) {
      shift -= 4;
      out += hex[(code >> shift) & 15U];
    }
  }
  void quote(std::string_view value) {
    out += '"';
    while (!value.empty()) {
      const character c = first_character(value);
      value.remove_prefix(c.length);
      const auto code = static_cast<std::uint32_t>(c.code);
      if (code == '"' || code == '\\') {
        out += '\\';
        out += static_cast<char>(code);
      } else if (code >= 0x20 && code < 0x7F && code != '<') {
        out += static_cast<char>(code);
      } else if (code < 0x10000) {
        unit(code);
      } else {  // two halves of a surrogate pair
        unit(0xD800 + ((code - 0x10000) >> 10U));
        unit(0xDC00 + ((code - 0x10000) & 0x3FFU));
      }
    }
    out += '"';
  }

  bool first_ = true;
};

const char* name_of(scale on) {
  switch (on) {
    case scale::log: return "log";
    case scale::symlog: return "symlog";
    case scale::sqrt: return "sqrt";
    case scale::linear: break;
  }
  return "linear";
}

template <typename member_type>
void write_numbers(json_text& to, std::string_view name, const std::vector<point>& points,
                   member_type point::* member) {
  to.key(name);
  to.begin('[');
  for (const point& p : points)
    to.number(p.*member);
  to.end(']');
}

void write_texts(json_text& to, std::string_view name, const std::vector<point>& points,
                 std::string point::* member) {
  if (std::ranges::all_of(points, [&](const point& p) { return (p.*member).empty(); })) return;
  to.key(name);
  to.begin('[');
  for (const point& p : points)
    to.text(p.*member);
  to.end(']');
}

void write_curve(json_text& to, const curve& what) {
  to.begin('{');
  to.member("label", what.label);
  to.member("colour", static_cast<double>(std::max(0, what.colour)));
  to.member("dash", static_cast<double>(std::max(0, what.dash)));
  to.member("width", static_cast<double>(std::max(0, what.width)));
  to.member("line", what.line);
  to.member("grey", what.grey);
  write_numbers(to, "x", what.points, &point::x);
  write_numbers(to, "y", what.points, &point::y);
  if (std::ranges::any_of(what.points, [](const point& p) { return p.low != p.high; })) {
    write_numbers(to, "low", what.points, &point::low);
    write_numbers(to, "high", what.points, &point::high);
  }
  write_texts(to, "labels", what.points, &point::label);
  write_texts(to, "details", what.points, &point::detail);
  to.key("weak");
  to.begin('[');
  for (std::size_t i = 0; i < what.points.size(); ++i)
    if (what.points[i].weak) to.number(static_cast<double>(i));
  to.end(']');
  to.end('}');
}

void write_axis(json_text& to, std::string_view name, const std::string& label, scale on) {
  to.key(name);
  to.begin('{');
  to.member("label", label);
  to.member("scale", name_of(on));
  to.end('}');
}

void write_panel(json_text& to, const panel& what) {
  to.begin('{');
  to.member("title", what.title);
  to.member("row", static_cast<double>(what.row));
  to.member("column", static_cast<double>(what.column));
  to.key("curves");
  to.begin('[');
  for (const curve& c : what.curves)
    write_curve(to, c);
  to.end(']');
  to.end('}');
}

void write_figure(json_text& to, const figure& what) {
  to.begin('{');
  to.member("title", what.title);
  write_axis(to, "x", what.x_label, what.x_scale);
  write_axis(to, "y", what.y_label, what.y_scale);
  to.member("rows", static_cast<double>(what.rows));
  to.member("columns", static_cast<double>(what.columns));
  to.member("legend", what.legend);
  to.key("notes");
  to.begin('[');
  for (const std::string& note : what.notes)
    to.text(note);
  to.end(']');
  to.key("panels");
  to.begin('[');
  for (const panel& p : what.panels)
    write_panel(to, p);
  to.end(']');
  to.end('}');
}

std::string in_html(std::string_view text) {
  std::string out;
  for (const char c : clean(text))
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else
      out += c;
  return out;
}

}  // namespace

std::string page_data(const std::vector<figure>& what, const std::string& title) {
  json_text to;
  to.begin('{');
  to.member("format", 1.0);
  to.member("generator", "inferbench " INFERBENCH_VERSION);
  to.member("title", title);
  to.key("figures");
  to.begin('[');
  for (const figure& f : what)
    write_figure(to, f);
  to.end(']');
  to.end('}');
  return to.out;
}

std::string filled_page(std::string_view pattern, const std::string& title, std::string_view data) {
  const std::size_t title_at = pattern.find(title_mark);
  const std::size_t data_at = pattern.find(data_mark, title_at);
  if (title_at == std::string_view::npos || data_at == std::string_view::npos)
    throw std::runtime_error("the page of this program has no place for the data");
  const std::size_t after_title = title_at + title_mark.size();
  std::string out(pattern.substr(0, title_at));
  out += in_html(title);
  out += pattern.substr(after_title, data_at - after_title);
  out += "<script type=\"application/json\" id=\"plots\">";
  out += data;
  out += "</script>";
  out += pattern.substr(data_at + data_mark.size());
  return out;
}

}  // namespace figures
