#include "confidence/dependence.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace inferbench::confidence {
namespace {

constexpr std::size_t lags = 64;
constexpr std::size_t blocks = 512;

struct initial_sum {
  double time = 1;
  bool ended = true;  // a pair that is not positive was found
};

/// The sum 1 + 2 (rho_1 + rho_2 + ...) up to the first pair that is not positive, over at most
/// `most` lags. `covariance(lag)` is called with ascending lags from 0 on.
template <typename source>
initial_sum sum_up(std::size_t most, source&& covariance) {
  const double variance = covariance(0);
  if (!(variance > 0)) return {};
  double sum = -1;
  double even = 1;
  for (std::size_t lag = 1; lag <= most; lag += 2) {
    const double pair = even + covariance(lag) / variance;
    if (!(pair > 0)) return {sum, true};
    sum += 2 * pair;
    if (lag + 1 > most) break;
    even = covariance(lag + 1) / variance;
  }
  return {sum, false};
}

double covariance_of(std::span<const double> centred, std::size_t lag) {
  const std::size_t pairs = centred.size() - lag;
  return std::inner_product(centred.begin(), centred.begin() + static_cast<std::ptrdiff_t>(pairs),
                            centred.begin() + static_cast<std::ptrdiff_t>(lag), 0.0);
}

double squares_of(std::span<const double> centred) { return covariance_of(centred, 0); }

double limited(double time, std::size_t count) {
  return std::clamp(time, 1.0, std::max(1.0, static_cast<double>(count)));
}

/// The correlation time of a series of `count` values with the sum of squares `squares` from the
/// sums of blocks of `size` neighbours. Both are centred at the mean of all values.
double time_of_blocks(std::span<const double> sums, double squares, std::size_t size,
                      std::size_t count) {
  const auto covariance = [&](std::size_t lag) { return covariance_of(sums, lag); };
  const double between = sum_up(sums.size() / 2, covariance).time;
  const auto k = static_cast<double>(sums.size());
  const double one = squares / static_cast<double>(count) * static_cast<double>(size);
  return limited(one > 0 ? squares_of(sums) / k / one * between : 1.0, count);
}

/// The size of the blocks of a long series.
std::size_t block_size(std::size_t count) {
  return std::max(lags, (count + blocks * lags - 1) / (blocks * lags) * lags);
}

/// Whether a series has enough values for blocks. A shorter series uses all its lags.
bool is_long(std::size_t count) { return count >= 16 * lags; }

}  // namespace

double correlation_time(std::span<const double> values) {
  const std::size_t n = values.size();
  if (n < 2) return 1;
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(n);
  std::vector<double> centred(values.begin(), values.end());
  for (double& value : centred)
    value -= mean;
  const auto covariance = [&](std::size_t lag) { return covariance_of(centred, lag); };
  const std::size_t most = is_long(n) ? lags : n / 2;
  const initial_sum found = sum_up(most, covariance);
  if (found.ended || !is_long(n)) return limited(found.time, n);
  const std::size_t size = block_size(n);
  std::vector<double> sums;
  for (std::size_t first = 0; first + size <= n; first += size) {
    const auto from = centred.begin() + static_cast<std::ptrdiff_t>(first);
    sums.push_back(std::accumulate(from, from + static_cast<std::ptrdiff_t>(size), 0.0));
  }
  return time_of_blocks(sums, squares_of(centred), size, n);
}

std::size_t over_series::together(std::size_t lag) const noexcept {
  const std::size_t whole = lag / word_bits;
  const std::size_t rest = lag % word_bits;
  std::size_t out = 0;
  for (std::size_t i = 0; i + whole < words_.size(); ++i) {
    if (words_[i] == 0) continue;
    std::uint64_t later = words_[i + whole] >> rest;
    if (rest != 0 && i + whole + 1 < words_.size())
      later |= words_[i + whole + 1] << (word_bits - rest);
    out += static_cast<std::size_t>(std::popcount(words_[i] & later));
  }
  return out;
}

double over_series::correlation_time() const {
  if (over_ == 0 || over_ == count_) return 1;
  const auto n = static_cast<double>(count_);
  const auto all = static_cast<double>(over_);
  const double mean = all / n;
  // The sums over the first and the last `lag` values, which grow with the lag.
  std::size_t before = 0;
  double head = 0;
  double tail = 0;
  const auto covariance = [&](std::size_t lag) {
    for (; before < lag; ++before) {
      head += at(before) ? 1 : 0;
      tail += at(count_ - 1 - before) ? 1 : 0;
    }
    const auto pairs = static_cast<double>(count_ - lag);
    return static_cast<double>(together(lag)) - mean * (all - tail) - mean * (all - head) +
           mean * mean * pairs;
  };
  const std::size_t most = is_long(count_) ? lags : count_ / 2;
  const initial_sum found = sum_up(most, covariance);
  if (found.ended || !is_long(count_)) return limited(found.time, count_);
  const std::size_t size = block_size(count_);
  std::vector<double> sums;
  for (std::size_t first = 0; first + size <= count_; first += size) {
    std::size_t over = 0;
    for (std::size_t word = first / word_bits; word < (first + size) / word_bits; ++word)
      over += static_cast<std::size_t>(std::popcount(words_[word]));
    sums.push_back(static_cast<double>(over) - mean * static_cast<double>(size));
  }
  return time_of_blocks(sums, all * (1 - mean), size, count_);
}

}  // namespace inferbench::confidence
