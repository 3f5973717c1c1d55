// How much values that follow one another depend on one another. A server's requests share queues
// and batches, so neighbours are slow together, and n requests say less than n independent ones.
// Pure functions and values; one thread at a time.
//
// The integrated autocorrelation time is tau = 1 + 2 (rho_1 + rho_2 + ...); n values say as much as
// n / tau independent ones. For a first-order series this is n (1 - rho) / (1 + rho). The sum ends
// at the first pair of neighbouring lags whose sum is not positive (Geyer's initial positive
// sequence, "Practical Markov Chain Monte Carlo", 1992). Up to 64 lags are computed from the values
// themselves. A correlation that is longer is computed from at most 512 sums of neighbours, so that
// the cost does not grow with the length of the correlation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace inferbench::confidence {

/// The correlation time of values in the order of time, at least 1 and at most their number. 1 if
/// all values are equal.
[[nodiscard]] double correlation_time(std::span<const double> values);

/// The series of a limit: for each value, in the order of time, whether it is over the limit. Takes
/// one bit for each value, and a lag costs a few microseconds for 100,000 values.
class over_series {
 public:
  void reserve(std::size_t count) { words_.reserve(count / word_bits + 1); }
  void add(bool over) {
    const std::size_t bit = count_++ % word_bits;
    if (bit == 0) words_.push_back(0);
    words_.back() |= std::uint64_t{over} << bit;
    over_ += over ? 1U : 0U;
  }

  [[nodiscard]] std::size_t count() const noexcept { return count_; }
  [[nodiscard]] std::size_t over() const noexcept { return over_; }
  /// 1 if all values are on the same side of the limit: such a series says nothing about its
  /// dependence.
  [[nodiscard]] double correlation_time() const;

 private:
  static constexpr std::size_t word_bits = 64;

  [[nodiscard]] bool at(std::size_t i) const noexcept {
    return (words_[i / word_bits] >> (i % word_bits) & 1U) != 0;
  }
  /// The number of pairs i, i + lag of which both are over the limit.
  [[nodiscard]] std::size_t together(std::size_t lag) const noexcept;

  std::vector<std::uint64_t> words_;  // the unused bits of the last word are 0
  std::size_t count_ = 0;
  std::size_t over_ = 0;
};

}  // namespace inferbench::confidence
