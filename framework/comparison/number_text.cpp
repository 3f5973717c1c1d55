#include "comparison/number_text.hpp"

#include <cmath>

#include <fmt/format.h>

namespace inferbench::comparison {

std::string change_text(double ratio) {
  const double percent = (ratio - 1) * 100;
  constexpr double large =
      1e6;  // per cent; the limits of an interval from two blocks can be infinite
  if (!(percent < large)) return fmt::format(">+{:.0f} %", large);
  const double size = std::abs(percent);
  return fmt::format("{:+.{}f} %", percent, size < 10 ? 2 : size < 100 ? 1 : 0);
}

std::string share_text(double share) {
  const double percent = share * 100;
  constexpr double large = 1000;
  if (!(percent < large)) return fmt::format(">{:.0f} %", large);
  return percent < 99.5 ? fmt::format("{:.2g} %", percent) : fmt::format("{:.0f} %", percent);
}

std::string value_text(double value) {
  if (value >= 1000 && value < 1e15) return fmt::format("{:.0f}", value);
  if (value < 1 || value >= 1e15) return fmt::format("{:.4g}", value);
  return fmt::format("{:.{}f}", value, value < 10 ? 3 : value < 100 ? 2 : 1);
}

std::string chance_text(double p) { return p < 0.0001 ? "<0.0001" : fmt::format("{:.4f}", p); }

std::string counted(std::size_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

}  // namespace inferbench::comparison
