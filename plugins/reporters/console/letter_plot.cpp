#include "letter_plot.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <utility>
#include <vector>

namespace reporters {
namespace {

constexpr std::size_t label_size = 8;
constexpr std::size_t plot_columns = 62;  // 72 without the label, a blank and the axis
constexpr std::size_t plot_rows = 11;

double drawable(double value) { return std::isfinite(value) && value > 0 ? value : 0; }

/// The heights of the bars.
std::vector<double> columns_of_plot(std::span<const double> values) {
  std::vector<double> out(plot_columns);
  for (std::size_t column = 0; column < plot_columns; ++column) {
    const std::size_t first = column * values.size() / plot_columns;
    const std::size_t end = std::max(first + 1, (column + 1) * values.size() / plot_columns);
    for (std::size_t i = first; i < end; ++i)
      out[column] = std::max(out[column], drawable(values[i]));
  }
  return out;
}

/// The smallest number with few digits that is not below `value`.
double top_of_axis(double value) {
  if (value <= 0) return 1;
  constexpr std::array steps{1.0, 1.2, 1.6, 2.0, 2.4, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0};
  const double unit = std::pow(10, std::floor(std::log10(value)));
  for (const double step : steps)
    // The power of ten may be rounded.
    if (value <= step * unit * (1 + 1e-12)) return step * unit;
  return value;
}

std::string short_text(double value) {
  std::array<char, 32> text{};
  // Seven digits leave room for a point.
  std::snprintf(text.data(), text.size(), value < 1e7 ? "%.7g" : "%.3g", value);
  return text.data();
}

std::string right_aligned(const std::string& text, std::size_t width) {
  return std::string(width - std::min(width, text.size()), ' ') + text;
}

std::string without_last_blanks(std::string line) {
  line.resize(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

/// The line below the horizontal axis: 0, the middle and the end of the time.
std::string time_labels(double end_s) {
  std::string out(label_size + 2 + plot_columns, ' ');
  const auto put = [&](std::size_t at, const std::string& text) {
    out.replace(at, text.size(), text);
  };
  put(label_size + 2, "0");
  const std::string middle = short_text(end_s / 2);
  put(label_size + 2 + (plot_columns - middle.size()) / 2, middle);
  const std::string end = short_text(end_s) + " s";
  put(out.size() - end.size(), end);
  return without_last_blanks(out);
}

}  // namespace

std::string letter_plot(std::string_view title, std::span<const double> values, double step_s) {
  if (values.empty()) return {};
  const std::vector<double> columns = columns_of_plot(values);
  const double most = std::ranges::max(columns);
  const double top = top_of_axis(most);

  std::string out(title);
  out += " (most: " + short_text(most) + ")\n";
  for (std::size_t row = plot_rows; row-- > 0;) {
    const bool labelled = row % (plot_rows / 2) == 0;
    const double level = top * static_cast<double>(row) / static_cast<double>(plot_rows - 1);
    std::string line = right_aligned(labelled ? short_text(level) : std::string(), label_size);
    line += labelled ? " +" : " |";
    // A mark begins half a row below its level, and the lowest row marks every value above 0.
    const double least =
        top * (static_cast<double>(row) - 0.5) / static_cast<double>(plot_rows - 1);
    for (const double height : columns)
      line += height > 0 && height >= least ? '#' : ' ';
    out += without_last_blanks(std::move(line));
  }
  out += std::string(label_size + 1, ' ') + '+' + std::string(plot_columns, '-') + '\n';
  return out + time_labels(static_cast<double>(values.size()) * step_s);
}

}  // namespace reporters
