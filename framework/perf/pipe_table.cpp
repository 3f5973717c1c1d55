#include "perf/pipe_table.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "base/text.hpp"
#include "pytext/python_number.hpp"
#include "pytext/python_text.hpp"

namespace inferbench::perf {

namespace {

using options::node;

// `tabulate` adds this to the width of a title.
constexpr std::size_t title_margin = 2;

/// The types of a column from the least to the most general.
enum class cell_type : std::uint8_t { nothing, boolean, whole, real, text };

/// Whether a text is a number for `tabulate`: of the texts for infinite numbers only these three.
bool is_number_text(std::string_view text) {
  const auto value = pytext::python_float(text);
  if (!value) return false;
  return std::isfinite(*value) || base::equal_no_case(text, "inf") ||
         base::equal_no_case(text, "-inf") || base::equal_no_case(text, "nan");
}

cell_type type_of_text(std::string_view text) {
  if (text == "True" || text == "False") return cell_type::boolean;
  if (pytext::python_int(text)) return cell_type::whole;
  return is_number_text(text) ? cell_type::real : cell_type::text;
}

cell_type type_of(const node& cell) {
  switch (cell.type) {
    case node::kind::null: return cell_type::nothing;
    case node::kind::boolean: return cell_type::boolean;
    case node::kind::integer:
    case node::kind::big: return cell_type::whole;
    case node::kind::real: return cell_type::real;
    case node::kind::text: return type_of_text(cell.text);
    case node::kind::list:
    case node::kind::table: break;
  }
  return cell_type::text;
}

double real_of(const node& cell) {
  switch (cell.type) {
    case node::kind::integer: return static_cast<double>(cell.integer);
    case node::kind::real: return cell.real;
    case node::kind::boolean: return cell.boolean ? 1 : 0;
    default: return pytext::python_float(cell.text).value_or(0);
  }
}

std::string cell_text(const node& cell, cell_type in_column) {
  if (cell.is(node::kind::null)) return {};
  if (in_column == cell_type::real) return fmt::format("{:.6g}", real_of(cell));
  std::string out = pytext::python_text(cell);
  std::ranges::replace(out, '\n', ' ');
  return std::string(base::trim(out));
}

/// The number of characters behind the decimal point, or behind the exponent's letter if there is
/// no point.
std::optional<std::size_t> behind_point(const std::string& text) {
  if (type_of_text(text) != cell_type::real) return std::nullopt;
  auto at = text.rfind('.');
  if (at == std::string::npos) at = text.find_last_of("eE");
  return at == std::string::npos ? std::nullopt : std::optional(text.size() - at - 1);
}

/// The number of characters.
std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string padded(const std::string& text, std::size_t width, bool right) {
  const std::string blanks(width - std::min(width, width_of(text)), ' ');
  return right ? blanks + text : text + blanks;
}

/// Lets the decimal points of a column stand below each other, for texts that are padded to the
/// left afterwards.
void align_points(std::vector<std::string>& texts) {
  std::optional<std::size_t> most;
  for (const std::string& each : texts)
    if (const auto behind = behind_point(each); behind && (!most || *behind > *most)) most = behind;
  if (!most) return;
  for (std::string& each : texts) {
    const auto behind = behind_point(each);
    // A number without a point ends where the others have their point.
    each.append(behind ? *most - *behind : *most + 1, ' ');
  }
}

struct printed_column {
  std::vector<std::string> texts;  // the title first
  std::size_t width = 0;
  bool right = false;
};

printed_column printed(const result_column& column) {
  cell_type type = cell_type::nothing;
  for (const node& cell : column.cells)
    type = std::max(type, type_of(cell));
  std::vector<std::string> texts;
  for (const node& cell : column.cells)
    texts.push_back(cell_text(cell, type));
  printed_column out;
  out.right = type == cell_type::whole || type == cell_type::real;
  if (out.right) align_points(texts);
  out.width = width_of(column.title) + title_margin;
  for (const std::string& each : texts)
    out.width = std::max(out.width, width_of(each));
  out.texts.push_back(padded(column.title, out.width, out.right));
  for (const std::string& each : texts)
    out.texts.push_back(padded(each, out.width, out.right));
  return out;
}

}  // namespace

std::string pipe_table(const std::vector<result_column>& columns) {
  if (columns.empty()) return {};
  std::vector<printed_column> all;
  for (const result_column& each : columns)
    all.push_back(printed(each));
  std::string out;
  for (std::size_t row = 0; row < all.front().texts.size(); ++row) {
    if (row > 0) out += "\n";
    for (const printed_column& each : all)
      out += "| " + each.texts[row] + " ";
    out += "|";
    if (row > 0) continue;
    out += "\n";
    for (const printed_column& each : all) {
      const std::string dashes(each.width + 1, '-');
      out += each.right ? "|" + dashes + ":" : "|:" + dashes;
    }
    out += "|";
  }
  return out;
}

}  // namespace inferbench::perf
