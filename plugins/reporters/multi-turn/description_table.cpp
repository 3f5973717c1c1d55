#include "description_table.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

#include "reporters/common/description.hpp"

namespace multi_turn {

namespace {

struct percentile {
  const char* name;
  double share;
  std::size_t least;  // number of requests
};
constexpr std::array<percentile, 7> percentiles{{{"25%", 0.25, 0},
                                                 {"50%", 0.5, 0},
                                                 {"75%", 0.75, 0},
                                                 {"90%", 0.9, 0},
                                                 {"99%", 0.99, 100},
                                                 {"99.9%", 0.999, 1000},
                                                 {"99.99%", 0.9999, 10000}}};

std::vector<double> statistics_of(const std::vector<double>& values, std::size_t samples) {
  std::vector<double> shares;
  for (const percentile& each : percentiles)
    if (samples >= each.least) shares.push_back(each.share);
  const reporters::description found = reporters::describe(values, shares);
  std::vector<double> out{found.count, found.mean, found.deviation, found.minimum};
  out.insert(out.end(), found.percentiles.begin(), found.percentiles.end());
  out.push_back(found.maximum);
  return out;
}

std::string number_text(double value, bool scientific) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  std::array<char, 400> text{};  // a double has at most 309 digits before the point
  const int size = std::snprintf(text.data(), text.size(), scientific ? "%.2e" : "%.2f", value);
  return {text.data(), static_cast<std::size_t>(size)};
}

/// Removes the zeros that all numbers end with, as pandas does.
void trim_zeros(std::vector<std::string>& texts) {
  const auto number = [](const std::string& text) { return text.find('.') != std::string::npos; };
  const auto ends_in_zero = [&](const std::string& text) {
    return !number(text) || text.ends_with('0');
  };
  while (std::ranges::any_of(texts, number) && std::ranges::all_of(texts, ends_in_zero))
    for (std::string& text : texts)
      if (number(text)) text.pop_back();
  for (std::string& text : texts)
    if (text.ends_with('.')) text += '0';
}

/// The cells of a column. The rules for the scientific form are those of pandas with
/// display.precision 2.
std::vector<std::string> cells_of(const std::vector<double>& values) {
  std::vector<std::string> out;
  std::size_t longest = 0;
  bool small = false;
  bool large = false;
  for (const double value : values) {
    out.push_back(number_text(value, false));
    longest = std::max(longest, out.back().size());
    small |= value != 0 && std::abs(value) < 0.01;
    large |= std::abs(value) > 1e6;
  }
  if (!small && !(longest + 1 > 8 && large)) {
    trim_zeros(out);
    return out;
  }
  for (std::size_t i = 0; i < values.size(); ++i)
    out[i] = number_text(values[i], true);
  return out;
}

std::size_t widest(const std::vector<std::string>& texts) {
  std::size_t out = 0;
  for (const std::string& text : texts)
    out = std::max(out, text.size());
  return out;
}

}  // namespace

description_table describe(const std::vector<quantity>& of, std::size_t samples) {
  description_table out;
  out.columns = {"count", "mean", "std", "min"};
  for (const percentile& each : percentiles)
    if (samples >= each.least) out.columns.emplace_back(each.name);
  out.columns.emplace_back("max");
  for (const quantity& each : of) {
    out.names.push_back(each.name);
    out.rows.push_back(statistics_of(each.values, samples));
  }
  return out;
}

std::string table_text(const description_table& of) {
  std::vector<std::string> lines;
  const std::size_t indent = widest(of.names);
  lines.emplace_back(indent, ' ');
  for (const std::string& name : of.names)
    lines.push_back(name + std::string(indent - name.size(), ' '));
  for (std::size_t column = 0; column < of.columns.size(); ++column) {
    std::vector<double> values;
    for (const auto& row : of.rows)
      values.push_back(row[column]);
    std::vector<std::string> cells = cells_of(values);
    cells.insert(cells.begin(), of.columns[column]);
    const std::size_t width = widest(cells);
    for (std::size_t i = 0; i < lines.size(); ++i)
      lines[i] += std::string(2 + width - cells[i].size(), ' ') + cells[i];
  }
  std::string out;
  for (const std::string& line : lines)
    out += line + "\n";
  return out;
}

}  // namespace multi_turn
