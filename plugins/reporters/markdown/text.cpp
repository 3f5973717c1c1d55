#include "text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "reporters/common/clean_text.hpp"

namespace reporters {
namespace {

bool is_alphanumeric(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::string line_of(const std::vector<std::string>& cells, std::size_t columns) {
  std::string out = "|";
  for (std::size_t i = 0; i < columns; ++i)
    out.append(" ").append(i < cells.size() ? cells[i] : std::string{}).append(" |");
  return out + '\n';
}

}  // namespace

std::string markdown_text(std::string_view text, std::size_t limit) {
  constexpr std::string_view marks = "&<|`*[]~\\@#$!";
  const std::string line = clean_line(text, limit);
  std::string out;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    const bool inside = i > 0 && i + 1 < line.size() && is_alphanumeric(line[i - 1]) &&
                        is_alphanumeric(line[i + 1]);
    // GitHub makes links of "://" and "www." without any mark.
    const bool of_link = c == ':' && line.compare(i, 3, "://") == 0;
    const bool of_host = c == '.' && i >= 3 && line.compare(i - 3, 3, "www") == 0;
    const bool begins_block = i == 0 && (c == '>' || c == '-' || c == '+' || c == '=');
    // CommonMark, 2.5: character references are never marks.
    if (marks.find(c) != std::string_view::npos || (c == '_' && !inside) || of_link || of_host ||
        begins_block)
      out += "&#" + std::to_string(static_cast<int>(c)) + ";";
    else
      out += c;
  }
  return out;
}

std::string markdown_code(std::string_view text, std::size_t limit) {
  return "<code>" + markdown_text(text, limit) + "</code>";
}

std::string markdown_block(std::string_view text, std::string_view language) {
  const std::string clean = clean_text(text);
  std::size_t longest = 2;
  std::size_t now = 0;
  for (const char c : clean) {
    now = c == '`' ? now + 1 : 0;
    longest = std::max(longest, now);
  }
  const std::string fence(longest + 1, '`');
  std::string out = fence + std::string(language) + '\n' + clean;
  if (!clean.ends_with('\n')) out += '\n';
  return out + fence + '\n';
}

markdown_table::markdown_table(std::vector<std::string> head, std::size_t texts)
    : head_(std::move(head)), texts_(texts) {}

void markdown_table::add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

std::string markdown_table::text() const {
  std::string out = line_of(head_, head_.size());
  std::vector<std::string> marks;
  for (std::size_t i = 0; i < head_.size(); ++i)
    marks.emplace_back(i < texts_ ? "---" : "---:");
  out += line_of(marks, head_.size());
  for (const auto& row : rows_)
    out += line_of(row, head_.size());
  return out;
}

std::string readable_number(double value) {
  if (std::isnan(value)) return "-";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  const double size = std::abs(value);
  char text[64];
  const char* form = size != 0 && (size < 0.1 || size >= 1e15) ? "%.3g" : "%.2f";
  std::snprintf(text, sizeof text, form, value);
  return text;
}

std::string readable_count(double value) {
  std::string out;
  append_number(out, std::isfinite(value) ? std::round(value) : value);
  return out;
}

}  // namespace reporters
