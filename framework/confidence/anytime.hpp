// Evidence about a share of all values that may be looked at after every value: an e-process of the
// counts. Pure functions and values; one thread at a time.
//
// n independent values, of which t are over a limit, are evidence that less than q0 of all values
// are over. With a uniform prior on (0, q0) for the share,
//
//   E_n = (1 / q0) integral over (0, q0) of  x^t (1-x)^(n-t) dx  /  (q0^t (1-q0)^(n-t))
//
// is a supermartingale for every share of q0 and more. So the chance that E_n reaches 1/alpha at
// any n at all is at most alpha (Ville's inequality), and the test may stop at the first n with E_n
// >= 1/alpha (mixture method: Robbins, "Statistical methods related to the law of the iterated
// logarithm", 1970; Howard et al., "Time-uniform, nonparametric, nonasymptotic confidence
// sequences", 2021). The evidence that more than q0 are over has the prior on (q0, 1).
//
// All results are natural logarithms, because E_n leaves the range of a double. They are exact to
// about nine digits for n up to 1e7. n and t are real numbers, because a dependent sample counts as
// fewer values (dependence.hpp).
#pragma once

#include <cstdint>

namespace inferbench::confidence {

/// ln of the integral over (0, x) of y^(a-1) (1-y)^(b-1) dy, for a and b above 0 and x in 0..1.
[[nodiscard]] double ln_lower_beta(double a, double b, double x) noexcept;

/// ln E_n that less than `share` of all values are over. `share` is between 0 and 1 and not 0 or 1,
/// `over` is 0 to `n`. Grows with each value that is not over, by at most -ln(1 - share), and falls
/// with each value that is over.
[[nodiscard]] double ln_evidence_less(double n, double over, double share) noexcept;

/// ln E_n that more than `share` of all values are over. Grows with each value that is over, by at
/// most -ln(share), and falls with each other value.
[[nodiscard]] double ln_evidence_more(double n, double over, double share) noexcept;

/// Looks at the evidence after every value and finds the first value at which a bound is reached. A
/// value costs a few nanoseconds: the steps of both logarithms are bounded (see above), so the
/// class knows how many values are needed at least, and computes E_n again only after this many.
/// The first crossing is exact all the same.
class share_watch {
 public:
  enum class finding { open, less, more };

  /// `share` is between 0 and 1 and not 0 or 1. `ln_less` and `ln_more`, above 0, are the
  /// bounds of ln_evidence_less() and ln_evidence_more().
  share_watch(double share, double ln_less, double ln_more) noexcept;

  /// Returns `less` if the value is not over and ln_evidence_less() is at its bound or above,
  /// `more` if the value is over and ln_evidence_more() is, else `open`. A call after `less` or
  /// `more` may return `open` again: the caller decides whether it stops.
  finding add(bool over) noexcept {
    ++count_;
    if (over) {
      ++over_;
      return over_ < next_over_ ? finding::open : look_for_more();
    }
    return count_ - over_ < next_under_ ? finding::open : look_for_less();
  }

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  [[nodiscard]] std::uint64_t over() const noexcept { return over_; }
  [[nodiscard]] double share() const noexcept { return share_; }
  /// The evidence of all values so far.
  [[nodiscard]] double ln_less() const noexcept;
  [[nodiscard]] double ln_more() const noexcept;

 private:
  finding look_for_less() noexcept;
  finding look_for_more() noexcept;

  double share_;
  double bound_less_;
  double bound_more_;
  std::uint64_t count_ = 0;
  std::uint64_t over_ = 0;
  std::uint64_t next_under_ = 0;  // values that are not over, before which E_n is below its bound
  std::uint64_t next_over_ = 0;   // the same for values that are over
};

}  // namespace inferbench::confidence
