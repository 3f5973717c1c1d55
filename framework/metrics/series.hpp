// The values of one figure: all values, or their histogram. All classes have the same member
// functions, so that one template fills any of them and no event costs a virtual call. Values are
// added as stamps in ns, and statistics are in ms.
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

/// Keeps every value, with 8 bytes for each.
class exact_series {
 public:
  void add(const latency& value) { values_.push_back(value.value_ms()); }
  void reserve(std::size_t count) { values_.reserve(count); }

  [[nodiscard]] statistics describe(std::span<const double> percentiles) {
    return metrics::describe(values_, percentiles);
  }
  /// Frees the values. No other call may follow.
  void release() { std::vector<double>().swap(values_); }

 private:
  std::vector<double> values_;
};

/// The gaps of a tape. The gaps are not copied: this class uses a few hundred kilobytes, and
/// another half a megabyte for each percentile while describe() runs.
class exact_gaps {
 public:
  /// The caller passes the gaps of `from` to add(). `from` must outlive this object.
  explicit exact_gaps(const tape& from) : from_(&from) {}
  exact_gaps() = default;

  void add(std::uint64_t gap) {
    counts_.add(gap);
    sum_.add(ms(0, gap));
  }

  /// Same result as metrics::describe() for the values in ms, in the order of the tape.
  [[nodiscard]] statistics describe(std::span<const double> percentiles) const;
  void release() const noexcept {}
  /// The histogram of the gaps, in ns.
  [[nodiscard]] const base::histogram* counts() const noexcept { return &counts_; }

 private:
  const tape* from_ = nullptr;
  base::histogram counts_;
  exact_sum sum_;
};

/// A histogram, with constant memory. Count, mean, minimum and maximum are exact; percentiles are
/// at most error() off. Negative times count as 0; only a damaged record has them.
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

  [[nodiscard]] statistics describe(std::span<const double> percentiles) const;
  /// Does nothing, because accumulator::finish() may be called again.
  void release() const noexcept {}
  [[nodiscard]] const base::histogram* counts() const noexcept { return &whole_; }

  [[nodiscard]] std::size_t bytes() const noexcept { return whole_.bytes() + parts_.bytes(); }
  /// The relative error of a value. Quotients below half a nanosecond may be off by more.
  [[nodiscard]] static constexpr double error() noexcept { return 0.001; }

 private:
  void add_part(std::uint64_t ns, std::uint64_t parts);

  // Only one of the two histograms is in use: `parts_` for quotients, `whole_` for other times.
  // Quotients have fractions of a nanosecond. They are stored in units of 1/1024 ns, so that
  // error() holds for all quotients above half a nanosecond.
  base::histogram whole_;
  base::histogram parts_;
};

/// The series classes of an exact collection.
struct exact_figures {
  using values = exact_series;
  using gaps = exact_gaps;
};
struct bounded_figures {
  using values = bounded_series;
  using gaps = bounded_series;
};

}  // namespace inferbench::metrics
