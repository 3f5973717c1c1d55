#include "distribution.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>

#include "datasets/synthetic/bell.hpp"
#include "source.hpp"

namespace conversations {

namespace {

constexpr auto most = static_cast<double>(longest_text);
const std::string at_most = " and at most " + std::to_string(longest_text);

// Reads a number greater than `above` and at most `limit`.
double above(const field& from, double above, double limit = most) {
  const double out = from.number();
  if (!(out > above && out <= limit))
    from.refuse("must be above " + std::to_string(static_cast<int>(above)) + " and at most " +
                std::to_string(static_cast<std::int64_t>(limit)));
  return out;
}

// Devroye, Non-Uniform Random Variate Generation (1986), X.6.1. Computed with expm1 and log1p,
// which keep the precision if alpha is close to 1. Numbers above 2^53 are never drawn.
double zipf(ifb::numpy_pcg64& random, double alpha) {
  const double less = alpha - 1;
  if (less > 500)
    return 1;  // any other value has a probability below 1e-150, and 2^less would soon overflow
  const double b = std::expm1(less * std::numbers::ln2);
  const double smallest = std::pow(0x1p53, -less);
  for (;;) {
    const double share = random.real();
    const double u = share * smallest + (1 - share);
    const double v = random.real();
    const double x = std::floor(std::pow(u, -1 / less));
    const double t = std::expm1(less * std::log1p(1 / x));
    if (v * x * t / b <= (t + 1) / (b + 1)) return x;
  }
}

// For a mean below 10, multiplies uniform numbers (Knuth). Otherwise Hörmann's transformed
// rejection with squeeze, PTRS (1993).
double poisson(ifb::numpy_pcg64& random, double mean) {
  if (mean < 10) {
    const double limit = std::exp(-mean);
    double product = random.real();
    double out = 0;
    for (; product > limit; ++out)
      product *= random.real();
    return out;
  }
  const double b = 0.931 + 2.53 * std::sqrt(mean);
  const double a = -0.059 + 0.02483 * b;
  const double inverse = 1.1239 + 1.1328 / (b - 3.4);
  const double squeeze = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const double u = random.real() - 0.5;
    const double v = random.real();
    const double side = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / side + b) * u + mean + 0.43);
    if (side >= 0.07 && v <= squeeze) return k;
    if (k < 0 || (side < 0.013 && v > side)) continue;
    if (std::log(v) + std::log(inverse) - std::log(a / (side * side) + b) <=
        k * std::log(mean) - mean - std::lgamma(k + 1))
      return k;
  }
}

}  // namespace

distribution distribution::constant(double value) {
  distribution out;
  out.first_ = value;
  out.most_ = most;
  return out;
}

distribution distribution::parse(ifb::host host, const field& from) {
  distribution out;
  out.most_ = most;
  const field named = from.get("distribution");
  const std::string_view name = named.text();
  if (name == "constant") {
    from.warn_of_others(host, {"distribution", "value"});
    const field value = from.get("value");
    out.first_ = value.number();
    if (!(out.first_ >= 0 && out.first_ <= most)) value.refuse("must be at least 0" + at_most);
    return out;
  }
  if (name == "uniform") {
    from.warn_of_others(host, {"distribution", "min", "max"});
    const field low = from.get("min");
    const field high = from.get("max");
    out.first_ = above(low, 0);
    out.second_ = above(high, 0);
    if (out.second_ < out.first_) high.refuse("must not be below \"min\"");
    out.kind_ = low.is_whole() && high.is_whole() ? kind::uniform : kind::uniform_real;
    return out;
  }
  if (const auto limit = from.find("max")) out.most_ = above(*limit, 0);
  if (name == "lognormal") {
    from.warn_of_others(host, {"distribution", "average", "median_ratio", "mean", "sigma", "max"});
    out.read_lognormal(from);
  } else if (name == "zipf" || name == "poisson") {
    from.warn_of_others(host, {"distribution", "alpha", "max"});
    out.kind_ = name == "zipf" ? kind::zipf : kind::poisson;
    out.first_ = above(from.get("alpha"), name == "zipf" ? 1 : 0);
  } else {
    named.refuse("\"" + std::string(name.substr(0, 80)) +
                 "\" is none of constant, uniform, lognormal, zipf and poisson");
  }
  return out;
}

void distribution::read_lognormal(const field& from) {
  kind_ = kind::lognormal;
  const auto average = from.find("average");
  const auto ratio = from.find("median_ratio");
  const auto mean = from.find("mean");
  const auto sigma = from.find("sigma");
  if (average.has_value() == (mean || sigma))
    from.refuse(
        "give either \"average\", with or without \"median_ratio\", or \"mean\" and "
        "\"sigma\"");
  if (average) {
    average_ = average->number();
    if (!(average_ >= 1 && average_ <= most)) average->refuse("must be at least 1" + at_most);
    const double share = ratio ? ratio->number() : 0.85;
    if (!(share > 0 && share < 1)) ratio->refuse("must be above 0 and below 1");
    first_ = std::log(average_ * share);
    second_ = std::sqrt(-2 * std::log(share));
    return;
  }
  if (ratio) ratio->refuse("belongs to \"average\"");
  // The largest allowed mean of the logarithm: e^20 is far above the maximum length of a text.
  constexpr double limit = 20;
  first_ = above(from.get("mean"), 0, limit);
  const field spread = from.get("sigma");
  second_ = spread.number();
  if (!(second_ >= 0 && second_ <= limit)) spread.refuse("must be at least 0 and at most 20");
}

double distribution::one(ifb::numpy_pcg64& random) const {
  switch (kind_) {
    case kind::constant: break;
    case kind::uniform:
      return static_cast<double>(random.integer(static_cast<std::int64_t>(first_),
                                                static_cast<std::int64_t>(second_) + 1));
    case kind::uniform_real: return first_ + (second_ - first_) * random.real();
    case kind::lognormal: return std::exp(first_ + second_ * synthetic::bell(random));
    case kind::zipf: return zipf(random, first_);
    case kind::poisson: return poisson(random, first_);
  }
  return first_;
}

std::vector<std::uint32_t> distribution::draw(ifb::numpy_pcg64& random, std::size_t count) const {
  std::vector<double> drawn(count);
  for (double& each : drawn)
    each = one(random);
  double scale = 1;
  const double sum = std::accumulate(drawn.begin(), drawn.end(), 0.0);
  if (average_ > 0 && sum > 0) scale = average_ * static_cast<double>(count) / sum;
  std::vector<std::uint32_t> out(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double capped = std::min(drawn[i] * scale, most_);
    out[i] = static_cast<std::uint32_t>(kind_ == kind::lognormal ? std::nearbyint(capped) : capped);
  }
  return out;
}

}  // namespace conversations
