// The bounds of bounded figures. A figure has a histogram of its values and a second histogram of
// the shortened values. If values can be too short, it also has a third histogram of the lengthened
// values. The second and the third are made when the first value that can be off is added; together
// they take about a megabyte for all figures. The bound of a mean is exact. The bound of a
// percentile is the difference of two percentiles, and each is at most bounded_series::error() off.
// Twice this error is added, so that the bound stays an upper bound. The bound is 0 if no value can
// be off. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "client/record.hpp"
#include "metrics/bounds.hpp"
#include "metrics/collection.hpp"
#include "metrics/series.hpp"

namespace inferbench::metrics {

class bounded_bounds {
 public:
  using figures = collection<bounded_figures>;

  /// All later calls must pass the same figures.
  explicit bounded_bounds(const figures& of) : sets_(of.sets.size()) {}

  /// Adds a request. Call this before the request is added to `all`.
  void add(const client::record& record, const request_times& times, const figures& all);

  /// The same bounds as exact_bounds() (bounds.hpp), from histograms.
  [[nodiscard]] std::vector<error_bound> bounds(const context& run, definitions from,
                                                const figures& all) const;
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  /// The values of one set, each shortened or lengthened by its bound.
  struct shadow {
    std::unique_ptr<bounded_series> shorter, longer;  // null: equal to the values
    std::uint64_t unknown = 0;                        // number of answers of unknown lateness

    void add(const latency& value, const bounded_series& values);
    [[nodiscard]] std::size_t bytes() const noexcept;
  };
  void add_gaps(const client::record& record, const request_times& times, const figures& all);

  std::vector<shadow> sets_;  // one for each element of figures::sets
  shadow gaps_;
};

}  // namespace inferbench::metrics
