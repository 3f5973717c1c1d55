#include "comparison/text_table.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace inferbench::comparison {
namespace {

/// The number of characters of valid UTF-8.
std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

std::vector<std::string> table_lines(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], characters(row[i]));
  }
  std::vector<std::string> out;
  for (const auto& row : rows) {
    std::string& line = out.emplace_back();
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) line += "  ";
      const std::string blanks(widths[i] - characters(row[i]), ' ');
      const bool last = i + 1 == row.size();
      if (i > 0 && !last) line += blanks;
      line += row[i];
      if (i == 0 && !last) line += blanks;
    }
  }
  return out;
}

}  // namespace inferbench::comparison
