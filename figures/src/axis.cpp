#include "axis.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

namespace figures {
namespace {

constexpr double largest = 1e300;
constexpr double least_logarithm = 1e-300;
constexpr double linear_up_to = 2;                // of symlog
constexpr double linear_stretch = 1 / (1 - 0.1);  // linscale / (1 - 1 / base)
constexpr double margin = 0.05;
constexpr double farthest = 1e305;  // of the ends of an axis

// Below this share of the larger end, the ends of an axis are too near for round numbers.
constexpr double least_extent = 1e-9;

}  // namespace

bool has_place(scale on, double value) noexcept {
  if (!(std::abs(value) <= largest)) return false;
  if (on == scale::log) return value >= least_logarithm;
  return on != scale::sqrt || value >= 0;
}

double warped(scale on, double value) noexcept {
  switch (on) {
    case scale::log: return std::log10(value);
    case scale::sqrt: return std::sqrt(value);
    case scale::symlog: {
      const double size = std::abs(value);
      if (size <= linear_up_to) return value * linear_stretch;
      return std::copysign(linear_up_to * (linear_stretch + std::log10(size / linear_up_to)),
                           value);
    }
    case scale::linear: break;
  }
  return value;
}

double unwarped(scale on, double value) noexcept {
  switch (on) {
    case scale::log: return std::pow(10, value);
    case scale::sqrt: return value <= 0 ? 0 : value * value;
    case scale::symlog: {
      const double size = std::abs(value);
      if (size <= linear_up_to * linear_stretch) return value / linear_stretch;
      return std::copysign(linear_up_to * std::pow(10, size / linear_up_to - linear_stretch),
                           value);
    }
    case scale::linear: break;
  }
  return value;
}

void value_range::add(double value) noexcept {
  if (!has_place(on_, value)) return;
  low_ = any_ ? std::min(low_, value) : value;
  high_ = any_ ? std::max(high_, value) : value;
  any_ = true;
}

span_of_values value_range::with_margin(bool from_zero) const noexcept {
  const bool log = on_ == scale::log;
  if (!any_) return log ? span_of_values{1, 10} : span_of_values{0, 1};
  double low = low_, high = high_;
  if (from_zero && !log) {
    low = std::min(low, 0.0);
    high = std::max(high, 0.0);
  }
  const double size = std::max(std::abs(low), std::abs(high));
  if (high - low <= size * least_extent) {
    if (log) return {low / 2, high * 2};
    const double half = size > 0 ? size / 2 : 0.5;
    return {on_ == scale::sqrt ? std::max(0.0, low - half) : low - half, high + half};
  }
  const double a = warped(on_, low), b = warped(on_, high);
  const double more = (b - a) * margin;
  // An axis that begins at 0 has no margin there.
  const bool keeps_low = from_zero && low == 0, keeps_high = from_zero && high == 0;
  const double least = log ? 1 / farthest : -farthest;
  return {keeps_low ? low : std::max(least, unwarped(on_, a - more)),
          keeps_high ? high : std::min(farthest, unwarped(on_, b + more))};
}

axis_map::axis_map(scale on, span_of_values shown, double from, double to) noexcept
    : on_(on), low_(warped(on, shown.low)), high_(warped(on, shown.high)), from_(from), to_(to) {}

double axis_map::operator()(double value) const noexcept {
  return from_ + (warped(on_, value) - low_) / (high_ - low_) * (to_ - from_);
}

std::string number_text(double value) {
  if (value == 0) return "0";
  char digits[64];
  const double size = std::abs(value);
  const bool scientific = size >= 1e7 || size < 1e-4;
  // Ten digits hide that 3 * 0.1 is not 0.3.
  const auto written = std::to_chars(
      digits, digits + sizeof digits, value,
      scientific ? std::chars_format::scientific : std::chars_format::fixed, scientific ? 9 : 10);
  std::string out(digits, written.ptr);
  std::string exponent;
  if (const std::size_t e = out.find('e'); e != std::string::npos) {
    const int power = std::stoi(out.substr(e + 1));
    exponent = "e" + std::to_string(power);
    out.resize(e);
  }
  if (out.find('.') != std::string::npos) {
    while (out.back() == '0')
      out.pop_back();
    if (out.back() == '.') out.pop_back();
  }
  const std::size_t first = out.front() == '-' ? 1 : 0;
  for (std::size_t at = std::min(out.find('.'), out.size()); at > first + 3;) {
    at -= 3;
    out.insert(at, 1, ',');
  }
  return out + exponent;
}

}  // namespace figures
