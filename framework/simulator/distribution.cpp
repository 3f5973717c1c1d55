#include "simulator/distribution.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"

namespace inferbench::simulator {

distribution distribution::constant(double value) { return {shape::constant, value, 0}; }

distribution distribution::uniform(double low, double high) { return {shape::uniform, low, high}; }

distribution distribution::lognormal(double mean, double sigma) {
  // The mean of exp(N(mu, sigma^2)) is exp(mu + sigma^2 / 2).
  return {shape::lognormal, std::log(mean) - sigma * sigma / 2, sigma};
}

double distribution::sample(random_stream& draws) const noexcept {
  switch (shape_) {
    case shape::constant: return a_;
    case shape::uniform: return a_ + (b_ - a_) * draws.uniform();
    case shape::lognormal: return std::exp(a_ + b_ * draws.normal());
  }
  return a_;
}

double distribution::mean() const noexcept {
  switch (shape_) {
    case shape::constant: return a_;
    case shape::uniform: return (a_ + b_) / 2;
    case shape::lognormal: return std::exp(a_ + b_ * b_ / 2);
  }
  return a_;
}

namespace {

using unit_list = std::span<const std::pair<std::string_view, double>>;

constexpr std::array<std::pair<std::string_view, double>, 5> time_units{
    {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"", 1e9}}};
constexpr std::array<std::pair<std::string_view, double>, 1> count_units{{{"", 1}}};

struct rules {
  unit_list units;
  double minimum;
  double maximum;
};

constexpr double a_day = 86400e9;
constexpr rules delays{time_units, 0, a_day};
constexpr rules counts{count_units, 1, 1e9};

std::optional<double> scaled(std::string_view text, const rules& rule) {
  text = base::trim(text);
  const auto digits = std::min(text.find_first_not_of("0123456789.+-eE"), text.size());
  const std::string_view unit = text.substr(digits);
  const auto factor = std::ranges::find(rule.units, unit, &unit_list::element_type::first);
  const auto number = base::parse_float(text.substr(0, digits));
  if (factor == rule.units.end() || !number) return std::nullopt;
  const double value = *number * factor->second;
  if (!(value >= rule.minimum && value <= rule.maximum)) return std::nullopt;
  return value;
}

std::optional<distribution> parse(std::string_view text, const rules& rule) {
  text = base::trim(text);
  const auto open = text.find('(');
  if (open == std::string_view::npos) {
    const auto value = scaled(text, rule);
    return value ? std::optional(distribution::constant(*value)) : std::nullopt;
  }
  if (text.back() != ')') return std::nullopt;
  const auto name = base::trim(text.substr(0, open));
  const auto parts = base::split(text.substr(open + 1, text.size() - open - 2), ',');
  if (parts.size() != 2) return std::nullopt;
  const auto first = scaled(parts[0], rule);
  if (!first) return std::nullopt;
  if (name == "uniform") {
    const auto second = scaled(parts[1], rule);
    if (!second || *second < *first) return std::nullopt;
    return distribution::uniform(*first, *second);
  }
  if (name == "lognormal") {
    const auto sigma = base::parse_float(base::trim(parts[1]));
    if (!sigma || !(*sigma >= 0 && *sigma <= 5) || *first <= 0) return std::nullopt;
    return distribution::lognormal(*first, *sigma);
  }
  return std::nullopt;
}

}  // namespace

std::optional<distribution> distributed_delay(std::string_view text) { return parse(text, delays); }

std::optional<double> constant_delay(std::string_view text) { return scaled(text, delays); }

distribution parse_counts(std::string_view text, const std::string& flag) {
  if (const auto parsed = parse(text, counts)) return *parsed;
  throw base::error("\"" + std::string(text) + "\" is not a number of tokens",
                    "write 200, uniform(1,256) or lognormal(200,0.5)", {flag});
}

}  // namespace inferbench::simulator
