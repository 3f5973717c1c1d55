// The ticks of the axes.
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "axis.hpp"

namespace figures {
namespace {

constexpr double tolerance = 1e-9;
// Ticks of an axis cannot be more than its pixels; this also ends loops over strange values.
constexpr int most_ticks = 200;

/// The least of 1, 2, 5, 10, ... times a power of ten that is not below `least`.
double round_step(double least) {
  const double power = std::pow(10, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= least * (1 - tolerance)) return factor * power;
  return 10 * power;
}

std::vector<tick> linear_ticks(span_of_values shown, double most) {
  std::vector<tick> out;
  const double step = round_step((shown.high - shown.low) / std::max(1.0, most));
  const double slack = step * tolerance;
  const double first = std::ceil((shown.low - slack) / step);
  for (int i = 0; i < most_ticks; ++i) {
    const double value = (first + i) * step;
    if (value > shown.high + slack) break;
    out.push_back({value, number_text(value)});
  }
  return out;
}

bool is_inside(double value, span_of_values shown) {
  return value >= shown.low * (1 - tolerance) && value <= shown.high * (1 + tolerance);
}

/// factor * 10^power, as if the number had been written in decimal.
double decimal(double factor, int power) {
  return power < 0 ? factor / std::pow(10, -power) : factor * std::pow(10, power);
}

constexpr std::array<double, 1> powers{1};
constexpr std::array<double, 8> between_powers{2, 3, 4, 5, 6, 7, 8, 9};
constexpr std::array<double, 10> finest{1, 1.5, 2, 3, 4, 5, 6, 7, 8, 9};
constexpr std::array<double, 4> fine{1, 2, 3, 5};
constexpr std::array<double, 3> coarse{1, 2, 5};
constexpr std::array<double, 2> coarsest{1, 3};

/// Multiples of each `each`th power of ten.
std::vector<tick> decade_ticks(span_of_values shown, std::span<const double> factors, int each) {
  std::vector<tick> out;
  const int from = static_cast<int>(std::floor(std::log10(shown.low)));
  const int to = static_cast<int>(std::ceil(std::log10(shown.high)));
  // Multiples of `each`, so that the ticks do not depend on the lower end.
  const int begin = from - ((from % each) + each) % each;
  for (int power = begin; power <= to; power += each)
    for (const double factor : factors) {
      const double value = decimal(factor, power);
      if (is_inside(value, shown)) out.push_back({value, number_text(value)});
    }
  return out;
}

/// Small ticks without a text, for an axis whose texts are powers of ten.
void add_small_ticks(std::vector<tick>& to, span_of_values shown) {
  for (const tick& between : decade_ticks(shown, between_powers, 1))
    to.push_back({between.value, {}});
}

std::vector<tick> log_ticks(span_of_values shown, double most) {
  const auto fits = [&](const std::vector<tick>& all) {
    return all.size() >= 2 && static_cast<double>(all.size()) <= std::max(2.0, most);
  };
  for (const std::span<const double> factors :
       {std::span<const double>(finest), std::span<const double>(fine),
        std::span<const double>(coarse), std::span<const double>(coarsest)})
    if (std::vector<tick> out = decade_ticks(shown, factors, 1); fits(out)) return out;
  for (int each = 1;; ++each) {
    std::vector<tick> out = decade_ticks(shown, powers, each);
    // Less than a decade without two round numbers is nearly linear.
    if (out.size() < 2) return linear_ticks(shown, most);
    if (!fits(out)) continue;
    if (each == 1) add_small_ticks(out, shown);
    return out;
  }
}

std::vector<tick> symlog_ticks(span_of_values shown, double most) {
  if (shown.low >= -2 && shown.high <= 2) return linear_ticks(shown, most);
  std::vector<tick> out;
  const double size = std::max(-shown.low, shown.high);
  const int last = static_cast<int>(std::floor(std::log10(size)));
  const int sides = shown.low < -1 && shown.high > 1 ? 2 : 1;
  const int each =
      std::max(1, static_cast<int>(std::ceil(sides * (last + 1) / std::max(1.0, most - 1))));
  for (int power = last - last % each; power >= 0; power -= each)
    out.push_back({-decimal(1, power), {}});
  out.push_back({0, {}});
  for (int power = 0; power <= last; power += each)
    out.push_back({decimal(1, power), {}});
  std::erase_if(out, [&](const tick& t) { return t.value < shown.low || t.value > shown.high; });
  if (out.size() < 3) return linear_ticks(shown, most);
  for (tick& t : out)
    t.text = number_text(t.value);
  return out;
}

/// Round numbers, with distances that grow like the scale.
std::vector<tick> sqrt_ticks(span_of_values shown, double most) {
  std::vector<tick> all = linear_ticks(shown, most * 2);
  std::vector<tick> out;
  const axis_map map(scale::sqrt, shown, 0, most);
  for (tick& t : all)
    if (out.empty() || map(t.value) - map(out.back().value) >= 1) out.push_back(std::move(t));
  return out;
}

}  // namespace

std::vector<tick> ticks_of(scale on, span_of_values shown, double most) {
  switch (on) {
    case scale::log: return log_ticks(shown, most);
    case scale::symlog: return symlog_ticks(shown, most);
    case scale::sqrt: return sqrt_ticks(shown, most);
    case scale::linear: break;
  }
  return linear_ticks(shown, most);
}

}  // namespace figures
