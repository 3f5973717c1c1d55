#include "schedule/pattern.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include <boost/math/tools/roots.hpp>
#include <fmt/format.h>

#include "base/text.hpp"
#include "schedule/pattern_text.hpp"

namespace inferbench::schedule {

namespace {

constexpr double ns_per_s = 1e9;
constexpr double turn = 2 * std::numbers::pi;

double seconds(std::int64_t ns) { return static_cast<double>(ns) / ns_per_s; }

/// In upstream the rates of a ramp are whole numbers, so whole rates are printed without a decimal
/// point.
std::string ramp_rate(double rate) {
  constexpr double exact = 1e15;
  if (rate == std::floor(rate) && rate < exact) return fmt::format("{:.0f}", rate);
  return base::shortest(rate);
}

std::string rate_line(double rate) {
  return "Traffic request rate: " + base::shortest(rate) + "\n";
}

// Each visitor below has a member for each pattern, so the compiler reports a forgotten pattern.
struct begins_with {
  double operator()(const at_once&) const { return INFINITY; }
  double operator()(const constant& of) const { return of.rate; }
  double operator()(const ramp& of) const { return of.start; }
  double operator()(const sine& of) const { return of.mean; }
  double operator()(const steps& of) const {
    return std::ranges::find_if(of.list, [](const step& each) { return each.rate > 0; })->rate;
  }
};

struct requests_in {
  double at;

  double operator()(const at_once&) const { return INFINITY; }
  double operator()(const constant& of) const { return of.rate * at; }
  double operator()(const ramp&) const { return INFINITY; }
  double operator()(const sine& of) const {
    const double period = seconds(of.period_ns);
    return of.mean * at + of.amplitude * period / turn * (1 - std::cos(turn * at / period));
  }
  double operator()(const steps& of) const {
    double sum = 0;
    for (std::size_t i = 0; i < of.list.size(); ++i) {
      const double from = seconds(of.list[i].from_ns);
      const double to = i + 1 < of.list.size() ? seconds(of.list[i + 1].from_ns) : at;
      sum += of.list[i].rate * std::max(std::min(to, at) - from, 0.0);
    }
    return sum;
  }
};

struct own_text_of {
  std::string operator()(const at_once&) const { return {}; }
  std::string operator()(const constant&) const { return {}; }
  std::string operator()(const ramp&) const { return {}; }
  std::string operator()(const auto& of) const { return text_of(of); }
};

struct lines_of {
  std::string operator()(const at_once&) const { return rate_line(INFINITY); }
  std::string operator()(const constant& of) const { return rate_line(of.rate); }
  std::string operator()(const ramp& of) const {
    return fmt::format(
        "Traffic ramp-up strategy: {}.\n"
        "Will increase RPS from {} to {} RPS over the duration of the benchmark.\n",
        of.exponential ? "exponential" : "linear", ramp_rate(of.start), ramp_rate(of.end));
  }
  std::string operator()(const auto& of) const { return "Traffic pattern: " + text_of(of) + "\n"; }
};

}  // namespace

pattern of_rate(double rate) noexcept {
  if (std::isinf(rate)) return at_once{};
  return constant{rate};
}

bool paced(const pattern& traffic) noexcept { return !std::holds_alternative<at_once>(traffic); }

bool varies(const pattern& traffic) noexcept {
  return paced(traffic) && std::isinf(whole_rate(traffic));
}

double whole_rate(const pattern& traffic) noexcept {
  const auto* even = std::get_if<constant>(&traffic);
  return even == nullptr ? INFINITY : even->rate;
}

double first_rate(const pattern& traffic) noexcept { return std::visit(begins_with{}, traffic); }

double requests_until(const pattern& traffic, double seconds) noexcept {
  return std::visit(requests_in{seconds}, traffic);
}

std::string own_text(const pattern& traffic) { return std::visit(own_text_of{}, traffic); }

std::string start_lines(const pattern& traffic) { return std::visit(lines_of{}, traffic); }

double rate_at(const ramp& of, std::uint64_t i, std::uint64_t count) noexcept {
  const double p = static_cast<double>(i) / static_cast<double>(count > 1 ? count - 1 : 1);
  if (of.exponential) return of.start * std::pow(of.end / of.start, p);
  return of.start + (of.end - of.start) * p;
}

double rate_at(const sine& of, double at) noexcept {
  return of.mean + of.amplitude * std::sin(turn * at / seconds(of.period_ns));
}

double rate_at(const steps& of, double at) noexcept {
  double rate = of.list.front().rate;
  for (const step& each : of.list)
    if (seconds(each.from_ns) <= at) rate = each.rate;
  return rate;
}

// Each whole period has mean * period requests. For the rest, let a = amplitude / mean, and let s
// be the share of a period's requests. The phase x within the period at which this share is due
// solves x + a (1 - cos x) = 2 pi s. This is Kepler's equation, shifted by a quarter turn.
double time_of(const sine& of, double requests) {
  const double period = seconds(of.period_ns);
  const double per_period = of.mean * period;
  const double whole = std::floor(requests / per_period);
  const double share = std::clamp(requests / per_period - whole, 0.0, 1.0);
  const double a = of.amplitude / of.mean;
  const auto equation = [&](double x) {
    return std::pair(x + a * (1 - std::cos(x)) - turn * share, 1 + a * std::sin(x));
  };
  constexpr int bits = 50;
  const double phase =
      boost::math::tools::newton_raphson_iterate(equation, turn * share, 0.0, turn, bits);
  return (whole + phase / turn) * period;
}

double time_of(const steps& of, double requests) noexcept {
  for (std::size_t i = 0; i + 1 < of.list.size(); ++i) {
    const double in_step = of.list[i].rate * seconds(of.list[i + 1].from_ns - of.list[i].from_ns);
    if (requests <= in_step && of.list[i].rate > 0)
      return seconds(of.list[i].from_ns) + requests / of.list[i].rate;
    requests -= in_step;
  }
  return seconds(of.list.back().from_ns) + std::max(requests, 0.0) / of.list.back().rate;
}

}  // namespace inferbench::schedule
