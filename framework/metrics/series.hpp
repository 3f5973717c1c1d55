// The values of one figure: all of them, or their histogram. All classes have the same members, so
// that the code which fills them is written once and no event costs a virtual call. Values go in as
// stamps in ns and come out in ms.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/histogram.hpp"
#include "metrics/latency.hpp"
#include "metrics/statistics.hpp"
#include "metrics/tape.hpp"

namespace inferbench::metrics {

/// Every value, 8 bytes each.
class exact_series {
 public:
  void add(const latency& value) { values_.push_back(value.value_ms()); }
  void reserve(std::size_t count) { values_.reserve(count); }

  [[nodiscard]] statistics describe(std::span<const double> percentiles) {
    return metrics::describe(values_, percentiles);
  }
  /// Frees the values: no call follows.
  void release() { std::vector<double>().swap(values_); }

 private:
  std::vector<double> values_;
};

/// The gaps of a tape, which stays where it is: some hundred kilobytes, and half a
/// megabyte for each percentile while they are looked for.
class exact_gaps {
 public:
  /// add() is given the gaps of `from`, which must outlive this.
  explicit exact_gaps(const tape& from) : from_(&from) {}
  exact_gaps() = default;

  void add(std::uint64_t gap) {
    counts_.add(gap);
    sum_.add(ms(0, gap));
  }

  /// As metrics::describe() of the values in ms, in the order of the tape.
  [[nodiscard]] statistics describe(std::span<const double> percentiles) const;
  void release() const noexcept {}

 private:
  const tape* from_ = nullptr;
  base::histogram counts_;
  exact_sum sum_;
};

/// A histogram: constant memory. Count, mean and extremes are exact, percentiles at
/// most error() off. Negative times, which only a damaged record has, count as 0.
class bounded_series {
 public:
  void add(const latency& value) {
    const std::uint64_t ns = value.to > value.from ? value.to - value.from : 0;
    if (value.parts == 0)
      add(ns);
    else
      add_part(ns, value.parts);
  }
  void add(std::uint64_t ns) { whole_.add(ns); }
  void merge(const bounded_series& other);

  [[nodiscard]] statistics describe(std::span<const double> percentiles) const;
  /// Does nothing: finish() may be called again.
  void release() const noexcept {}

  [[nodiscard]] std::size_t bytes() const noexcept { return whole_.bytes() + parts_.bytes(); }
  /// The relative error of a value. Quotients below half a nanosecond may be off by more.
  [[nodiscard]] static constexpr double error() noexcept { return 0.001; }

 private:
  void add_part(std::uint64_t ns, std::uint64_t parts);

  // One of the two is in use. Quotients are fractions of a nanosecond: rounded to
  // 1/1024 ns they keep the error of the buckets down to half a nanosecond.
  base::histogram whole_;
  base::histogram parts_;
};

/// The classes of a collection.
struct exact_figures {
  using values = exact_series;
  using gaps = exact_gaps;
};
struct bounded_figures {
  using values = bounded_series;
  using gaps = bounded_series;
};

}  // namespace inferbench::metrics
