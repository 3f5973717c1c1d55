#include "base/histogram.hpp"

#include <cmath>

namespace inferbench::base {

void histogram::grow(std::size_t last) { counts_.resize(last + 1); }

double histogram::mean() const noexcept {
  return empty() ? 0 : static_cast<double>(static_cast<long double>(sum_) / count_);
}

double histogram::deviation() const noexcept {
  if (empty()) return 0;
  const long double mean = static_cast<long double>(sum_) / count_;
  const long double variance = static_cast<long double>(squares_) / count_ - mean * mean;
  return variance > 0 ? static_cast<double>(std::sqrt(variance)) : 0;
}

histogram::bucket histogram::holding(std::uint64_t rank) const noexcept {
  std::uint64_t before = 0;
  std::size_t i = 0;
  while (i + 1 < counts_.size() && rank - before >= counts_[i])
    before += counts_[i++];
  const std::size_t shift = i < exact ? 0 : i / per_octave - 1;
  return {(std::uint64_t{i} - shift * per_octave) << shift, std::uint64_t{1} << shift,
          counts_.empty() ? 0 : counts_[i], before};
}

double histogram::at_rank(std::uint64_t rank) const noexcept {
  if (rank == 0) return static_cast<double>(minimum());
  if (rank + 1 >= count_) return static_cast<double>(maximum_);
  const bucket with = holding(rank);
  const double middle = static_cast<double>(with.first) + static_cast<double>(with.size - 1) / 2;
  return std::clamp(middle, static_cast<double>(minimum_), static_cast<double>(maximum_));
}

double histogram::percentile(double p) const {
  if (empty()) return 0;
  const double place = static_cast<double>(count_ - 1) * std::clamp(p, 0.0, 100.0) / 100;
  const auto rank = static_cast<std::uint64_t>(place);
  const double low = at_rank(rank);
  const double part = place - static_cast<double>(rank);
  return part == 0 ? low : low + part * (at_rank(rank + 1) - low);
}

}  // namespace inferbench::base
