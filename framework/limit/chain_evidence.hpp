// Evidence about the share of requests over a limit if neighbours may depend on each other, valid
// without knowing how much: at most `assumed` is enough. Pure functions; values.
//
// The requests are a chain: a request is over with the chance a after a request that was not over,
// and with the chance b after one that was over. The share of all requests is then a / (1 - b + a),
// and the correlation of neighbours is b - a. With the counts of the four kinds of neighbours,
//
//   E = (mean of the likelihood over a prior on the alternative)
//       / (largest likelihood over all chains with the null share and a correlation of 0..assumed)
//
// has a mean of at most 1 under each chain of the null at any stopping time, since its denominator
// is at least the likelihood of the true chain (universal inference: Wasserman, Ramdas,
// Balakrishnan, 2020). So E >= 1/alpha happens with a chance of at most alpha at any number of
// requests.
//
// The prior has a weight of 0.8 on independent requests (a = b) and of 0.2 on a dependent chain,
// with Jeffreys' weight x^-1/2 (1-x)^-1/2 on each chance.
#pragma once

#include <cstdint>

namespace inferbench::limit {

/// The neighbours of a series of over and under; the first request counts as the neighbour of
/// `before`.
class chain_counts {
 public:
  explicit chain_counts(bool before = false) noexcept : before_(before) {}

  void add(bool over) noexcept {
    counts_.at[before_ ? 1U : 0U][over ? 1U : 0U] += 1;
    before_ = over;
  }

  [[nodiscard]] double under_under() const noexcept { return as_real(0, 0); }
  [[nodiscard]] double under_over() const noexcept { return as_real(0, 1); }
  [[nodiscard]] double over_under() const noexcept { return as_real(1, 0); }
  [[nodiscard]] double over_over() const noexcept { return as_real(1, 1); }
  /// The number of runs of requests over the limit that began in the series.
  [[nodiscard]] std::uint64_t runs() const noexcept { return counts_.at[0][1]; }

 private:
  struct table {
    std::uint64_t at[2][2] = {{0, 0}, {0, 0}};  // [over before][over]
  };
  [[nodiscard]] double as_real(unsigned before, unsigned now) const noexcept {
    return static_cast<double>(counts_.at[before][now]);
  }

  table counts_;
  bool before_;
};

/// ln E that less than `share` of all requests are over. `share` is between 0 and 1 and not 0 or 1;
/// `assumed` is 0 to below 1.
[[nodiscard]] double ln_chain_less(const chain_counts& counts, double share,
                                   double assumed) noexcept;

/// ln E that more than `share` of all requests are over.
[[nodiscard]] double ln_chain_more(const chain_counts& counts, double share,
                                   double assumed) noexcept;

}  // namespace inferbench::limit
