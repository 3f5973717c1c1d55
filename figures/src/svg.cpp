#include "svg.hpp"

#include <charconv>
#include <cmath>
#include <string_view>

namespace figures {
namespace {

/// A length with two decimals, without trailing zeros.
std::string length(double value) {
  char digits[400];
  const auto end =
      std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed, 2);
  std::string out(digits, end.ptr);
  while (out.back() == '0')
    out.pop_back();
  if (out.back() == '.') out.pop_back();
  return out == "-0" ? "0" : out;
}

std::string pair_of(place at) { return length(at.x) + " " + length(at.y); }

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text)
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += c;
    }
  return out;
}

std::string hex(ink colour) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out = "#";
  for (const unsigned part : {colour.red, colour.green, colour.blue}) {
    out += digits[part >> 4U];
    out += digits[part & 15U];
  }
  return out;
}

/// An attribute with a colour, and its opacity if there is one.
std::string paint(std::string_view name, ink colour) {
  std::string out = " " + std::string(name) + "=\"" + hex(colour) + "\"";
  if (colour.opacity < 1)
    out += " " + std::string(name) + "-opacity=\"" + length(colour.opacity) + "\"";
  return out;
}

std::string path_of(const std::vector<place>& places, bool closed) {
  std::string out;
  for (std::size_t i = 0; i < places.size(); ++i)
    out += (i == 0 ? "M" : "L") + pair_of(places[i]);
  return closed && !out.empty() ? out + "Z" : out;
}

std::string circle_of(place at, double size) {
  const std::string r = length(size / 2), d = length(size);
  return "M" + pair_of({at.x - size / 2, at.y}) + "a" + r + " " + r + " 0 1 0 " + d + " 0a" + r +
         " " + r + " 0 1 0 -" + d + " 0";
}

class svg_text {
 public:
  void operator()(const polylines& what) {
    out += "<path d=\"";
    for (const std::vector<place>& line : what.lines)
      out += path_of(line, false);
    out += "\" fill=\"none\"" + paint("stroke", what.colour) + " stroke-width=\"" +
           length(what.width) + "\" stroke-linejoin=\"round\"";
    if (!what.dashes.empty()) {
      out += " stroke-dasharray=\"";
      for (std::size_t i = 0; i < what.dashes.size(); ++i)
        out += (i == 0 ? "" : " ") + length(what.dashes[i]);
      out += "\"";
    }
    out += "/>\n";
  }

  void operator()(const polygon& what) {
    out += "<path d=\"" + path_of(what.corners, true) + "\"" + paint("fill", what.colour) + "/>\n";
  }

  void operator()(const markers& what) {
    out += "<path d=\"";
    for (const place& at : what.at) {
      const std::vector<place> corners = corners_of(what.shape, at, what.size);
      out += corners.empty() ? circle_of(at, what.size) : path_of(corners, true);
    }
    out += "\"";
    if (what.hollow)
      out += paint("fill", paper) + paint("stroke", what.colour) + " stroke-width=\"1.5\"";
    else
      out += paint("fill", what.colour);
    out += "/>\n";
  }

  void operator()(const writing& what) {
    out += "<text x=\"" + length(what.at.x) + "\" y=\"" + length(what.at.y) + "\"";
    if (what.upwards) out += " transform=\"rotate(-90 " + pair_of(what.at) + ")\"";
    out += " font-size=\"" + length(what.size) + "\"";
    if (what.side != anchor::left)
      out +=
          std::string(" text-anchor=\"") + (what.side == anchor::middle ? "middle" : "end") + "\"";
    out += paint("fill", what.colour);
    if (what.halo)
      out += " paint-order=\"stroke\"" + paint("stroke", paper) +
             " stroke-width=\"2.5\" stroke-linejoin=\"round\"";
    out += ">" + escaped(what.text) + "</text>\n";
  }

  void operator()(const clip_begin& what) {
    const std::string id = "clip" + std::to_string(++clips_);
    const box& in = what.inside;
    out += "<clipPath id=\"" + id + "\"><rect x=\"" + length(in.left) + "\" y=\"" + length(in.top) +
           "\" width=\"" + length(in.width) + "\" height=\"" + length(in.height) +
           "\"/></clipPath>\n<g clip-path=\"url(#" + id + ")\">\n";
  }
  void operator()(const clip_end& /*what*/) { out += "</g>\n"; }

  std::string out;

 private:
  int clips_ = 0;
};

}  // namespace

std::string svg_of(const scene& what) {
  const std::string width = length(what.width), height = length(what.height);
  svg_text text;
  text.out =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\""
      " width=\"" +
      width + "pt\" height=\"" + height + "pt\" viewBox=\"0 0 " + width + " " + height +
      "\" font-family=\"'DejaVu Sans', Verdana, system-ui, sans-serif\"";
  if (!what.title.empty()) text.out += " role=\"img\"";
  text.out += ">\n";
  if (!what.title.empty()) text.out += "<title>" + escaped(what.title) + "</title>\n";
  text.out +=
      "<rect width=\"" + width + "\" height=\"" + height + "\"" + paint("fill", paper) + "/>\n";
  for (const shape& each : what.shapes)
    std::visit(text, each);
  return text.out + "</svg>\n";
}

}  // namespace figures
