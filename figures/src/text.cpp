#include "text.hpp"

#include <array>
#include <cstdint>

namespace figures {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";
constexpr std::string_view ellipsis = "\xE2\x80\xA6";
constexpr double ellipsis_width = 1;

// Advance widths of DejaVu Sans 2.37 from U+0020 to U+007E, in thousandths of the font size.
constexpr std::array<std::uint16_t, 95> widths{
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,  611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838};

struct code_range {
  char32_t first, last;
};
// Marks that are drawn on the character before them, and characters without a drawing.
constexpr code_range without_width[] = {{0x0300, 0x036F}, {0x200B, 0x200F}, {0x202A, 0x202E},
                                        {0x2060, 0x2064}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}};
// Characters that are as wide as high: East Asian Width W and F (Unicode, UAX 11), and emoji.
constexpr code_range square[] = {
    {0x1100, 0x115F}, {0x2E80, 0xA4CF}, {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},
    {0xFF01, 0xFF60}, {0xFFE0, 0xFFE6}, {0x1F300, 0x1FAFF}, {0x20000, 0x3FFFD}, {0xFFFC, 0xFFFD}};
constexpr double width_of_others = 0.7;

template <std::size_t count>
bool is_within(const code_range (&ranges)[count], char32_t code) noexcept {
  for (const code_range& each : ranges)
    if (code >= each.first && code <= each.last) return true;
  return false;
}

double width_of_code(char32_t code) noexcept {
  if (code >= 0x20 && code <= 0x7E) return widths[code - 0x20] / 1000.0;
  if (is_within(without_width, code)) return 0;
  return is_within(square, code) ? 1 : width_of_others;
}

bool is_drawable(char32_t code) noexcept {
  if (code < 0x20 || (code >= 0x7F && code < 0xA0)) return false;
  // Noncharacters: XML forbids some of them.
  return (code & 0xFFFEU) != 0xFFFE && !(code >= 0xFDD0 && code <= 0xFDEF);
}

}  // namespace

character first_character(std::string_view text) noexcept {
  const auto byte = [&](std::size_t at) -> std::uint32_t {
    return at < text.size() ? static_cast<unsigned char>(text[at]) : 0U;
  };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4) return {};
  std::uint32_t code = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return {};
    code = (code << 6U) | (byte(i) & 0x3FU);
  }
  // Longer than necessary, half of a surrogate pair, or beyond the last character.
  const bool longer = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  if (longer || (code >= 0xD800 && code <= 0xDFFF) || code > 0x10FFFF) return {};
  return {code, length, true};
}

std::string clean(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const character c = first_character(text);
    if (c.code == '\t')
      out += ' ';
    else if (!c.good || !is_drawable(c.code))
      out += replacement;
    else
      out += text.substr(0, c.length);
    text.remove_prefix(c.length);
  }
  return out;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    out.push_back(clean(text.substr(0, end)));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return out;
}

double width_of(std::string_view text) noexcept {
  double out = 0;
  while (!text.empty()) {
    const character c = first_character(text);
    out += width_of_code(c.code);
    text.remove_prefix(c.length);
  }
  return out;
}

std::string shortened(std::string_view text, double widest) {
  double width = 0;
  std::size_t fits = 0;  // bytes of the beginning that leaves room for the ellipsis
  for (std::size_t at = 0; at < text.size();) {
    const character c = first_character(text.substr(at));
    width += width_of_code(c.code);
    at += c.length;
    if (width + ellipsis_width <= widest) fits = at;
    if (width > widest) return std::string(text.substr(0, fits)) += ellipsis;
  }
  return std::string(text);
}

}  // namespace figures
