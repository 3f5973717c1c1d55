#include "draws.hpp"

#include <algorithm>
#include <cmath>

#include <inferbench/guard.hpp>

namespace synthetic {

namespace {

void refuse_ratio(const length& wanted, double ratio) {
  if (ratio == 0) return;
  throw ifb::failure(IFB_E_CONFIG,
                     "a range ratio spreads a plain length, and " + wanted.text() +
                         " says itself how it is spread; leave one of them out",
                     "range-ratio");
}

}  // namespace

length_range length_range::of_inputs(const length& wanted, std::int64_t special, double ratio) {
  length_range out = of(wanted);
  if (out.distribution_) {
    refuse_ratio(wanted, ratio);
    out.less_ = special;
    return out;
  }
  const auto real = static_cast<double>(std::max<std::int64_t>(0, out.low_ - special));
  out.low_ = static_cast<std::int64_t>(std::floor(real * (1 - ratio)));
  out.high_ = static_cast<std::int64_t>(std::ceil(real * (1 + ratio)));
  return out;
}

length_range length_range::of_outputs(const length& wanted, double ratio) {
  length_range out = of(wanted);
  if (out.distribution_) {
    refuse_ratio(wanted, ratio);
    return out;
  }
  const auto real = static_cast<double>(out.low_);
  const auto at_least_one = [](double x) {
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(x));
  };
  out.low_ = at_least_one(std::floor(real * (1 - ratio)));
  out.high_ = at_least_one(std::ceil(real * (1 + ratio)));
  return out;
}

length_range length_range::of(const length& wanted) {
  length_range out;
  if (const auto plain = wanted.plain())
    out.low_ = out.high_ = *plain;
  else
    out.distribution_ = wanted;
  return out;
}

std::uint32_t length_range::draw(ifb::numpy_pcg64& random) const {
  if (!distribution_) return static_cast<std::uint32_t>(random.integer(low_, high_ + 1));
  const std::int64_t drawn = distribution_->draw(random);
  return static_cast<std::uint32_t>(std::max<std::int64_t>(1, drawn - less_));
}

std::int64_t length_range::least() const noexcept {
  if (!distribution_) return low_;
  return std::max<std::int64_t>(1, std::int64_t{distribution_->least()} - less_);
}

std::string length_range::text() const {
  if (distribution_) return distribution_->text();
  return low_ == high_ ? std::to_string(low_)
                       : std::to_string(low_) + " to " + std::to_string(high_);
}

std::string length_range::key() const {
  if (distribution_) return distribution_->key() + "-" + std::to_string(less_);
  return text();
}

std::vector<draw> draw_all(ifb::numpy_pcg64& random, std::size_t count, const length_range& inputs,
                           const length_range& outputs, std::int64_t vocabulary) {
  std::vector<draw> out(count);
  for (draw& each : out)
    each.input = inputs.draw(random);
  for (draw& each : out)
    each.output = outputs.draw(random);
  for (draw& each : out)
    each.offset = static_cast<std::uint32_t>(random.integer(0, vocabulary));
  return out;
}

}  // namespace synthetic
