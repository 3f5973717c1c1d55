#include "layout.hpp"

#include <algorithm>
#include <cstdio>

#include <inferbench/json_writer.hpp>
#include <inferbench/text.hpp>

namespace reporters {
namespace {

constexpr std::size_t error_width = 1000;

}  // namespace

std::string padded(std::string_view text, std::size_t to) {
  std::string out(text);
  if (out.size() < to) out.append(to - out.size(), ' ');
  return out;
}

std::string centered(std::string_view text, char fill, std::size_t width) {
  const std::size_t space = width - std::min(text.size(), width);
  std::string out(space / 2, fill);
  out += text;
  out.append(space - space / 2, fill);
  return out + '\n';
}

std::string our_line(std::string_view label, std::string_view text) {
  return padded(label, label_width) + ' ' + std::string(text) + '\n';
}

std::string shown(const json_value* of) {
  if (of != nullptr && of->IsUint64()) return std::to_string(of->GetUint64());
  return std::string(text_of(of));
}

std::string decimals(double value, int digits) {
  char text[400];  // the largest double has 309 digits before the point
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string one_line(std::string_view text) {
  std::string out;
  const std::string_view shown = ifb::cut_utf8(text, error_width);
  for (std::size_t i = 0; i < shown.size();) {
    const auto [length, good] = ifb::utf8_sequence(shown.substr(i));
    const std::string_view one = shown.substr(i, length);
    const auto last = static_cast<unsigned char>(one.back());
    const bool control =
        length == 1 ? last < 0x20 || last == 0x7F : length == 2 && one[0] == '\xC2' && last < 0xA0;
    out += !good ? "\xEF\xBF\xBD" : control ? " " : one;
    i += length;
  }
  if (shown.size() < text.size()) out += "...";
  return out;
}

}  // namespace reporters
