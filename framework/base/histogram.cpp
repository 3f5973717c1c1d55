#include "base/histogram.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace inferbench::base {

namespace {

constexpr unsigned exact_bits = 10;  // values below 2^10 have a bucket each
constexpr std::size_t exact = std::size_t{1} << exact_bits;
constexpr std::size_t per_octave = exact / 2;

}  // namespace

std::size_t histogram::bucket_of(std::uint64_t value) noexcept {
  if (value < exact) return static_cast<std::size_t>(value);
  const unsigned shift = static_cast<unsigned>(std::bit_width(value)) - exact_bits;
  return shift * per_octave + static_cast<std::size_t>(value >> shift);
}

double histogram::middle_of(std::size_t bucket) noexcept {
  if (bucket < exact) return static_cast<double>(bucket);
  const std::size_t shift = bucket / per_octave - 1;
  const double first =
      std::ldexp(static_cast<double>(bucket - shift * per_octave), static_cast<int>(shift));
  return first + (std::ldexp(1.0, static_cast<int>(shift)) - 1) / 2;
}

void histogram::add(std::uint64_t value, std::uint64_t times) {
  if (times == 0) return;
  const std::size_t bucket = bucket_of(value);
  if (bucket >= counts_.size()) counts_.resize(bucket + 1);
  counts_[bucket] += times;
  count_ += times;
  minimum_ = std::min(minimum_, value);
  maximum_ = std::max(maximum_, value);
  const wide all = wide{value} * times;
  sum_ += all;
  squares_ += all * value;
}

void histogram::merge(const histogram& other) {
  if (counts_.size() < other.counts_.size()) counts_.resize(other.counts_.size());
  for (std::size_t i = 0; i < other.counts_.size(); ++i)
    counts_[i] += other.counts_[i];
  count_ += other.count_;
  minimum_ = std::min(minimum_, other.minimum_);
  maximum_ = std::max(maximum_, other.maximum_);
  sum_ += other.sum_;
  squares_ += other.squares_;
}

double histogram::sum() const noexcept { return static_cast<double>(sum_); }

double histogram::mean() const noexcept {
  return empty() ? 0 : static_cast<double>(static_cast<long double>(sum_) / count_);
}

double histogram::deviation() const noexcept {
  if (empty()) return 0;
  const long double mean = static_cast<long double>(sum_) / count_;
  const long double variance = static_cast<long double>(squares_) / count_ - mean * mean;
  return variance > 0 ? static_cast<double>(std::sqrt(variance)) : 0;
}

double histogram::at_rank(std::uint64_t rank) const noexcept {
  if (rank == 0) return static_cast<double>(minimum());
  if (rank + 1 >= count_) return static_cast<double>(maximum_);
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    before += counts_[i];
    if (rank < before)
      return std::clamp(middle_of(i), static_cast<double>(minimum_), static_cast<double>(maximum_));
  }
  return static_cast<double>(maximum_);
}

double histogram::percentile(double p) const {
  if (empty()) return 0;
  const double place = static_cast<double>(count_ - 1) * std::clamp(p, 0.0, 100.0) / 100;
  const auto rank = static_cast<std::uint64_t>(place);
  const double low = at_rank(rank);
  const double part = place - static_cast<double>(rank);
  return part == 0 ? low : low + part * (at_rank(rank + 1) - low);
}

std::uint64_t histogram::above(std::uint64_t limit) const noexcept {
  std::uint64_t out = 0;
  for (std::size_t i = bucket_of(limit) + 1; i < counts_.size(); ++i)
    out += counts_[i];
  return out;
}

}  // namespace inferbench::base
