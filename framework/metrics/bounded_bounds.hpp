// The bounds of bounded figures. Beside the histogram of a figure's values stand one of the
// shortened values and, where values can be too short, one of the lengthened values. Each is made
// when the first value comes that can be off: about a megabyte in all. The bound of a mean is
// exact. The bound of a percentile is the difference of two percentiles, each at most
// bounded_series::error() off; twice that share is added, so that it stays an upper bound. The
// bound is 0 if no value can be off. One thread at a time.
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

  /// All calls take the same figures, or other figures of the same rows.
  explicit bounded_bounds(const figures& of) : sets_(of.sets.size()) {}

  /// Adds a request. Call this before the request is added to `all`.
  void add(const client::record& record, const request_times& times, const figures& all);
  /// `theirs` belong to `other`, and are merged into `ours` after this call.
  void merge(const bounded_bounds& other, const figures& ours, const figures& theirs);

  /// The same bounds as exact_bounds() (bounds.hpp), from histograms.
  [[nodiscard]] std::vector<error_bound> bounds(const context& run, definitions from,
                                                const figures& all) const;
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  /// The values of one set, moved by their bounds.
  struct shadow {
    std::unique_ptr<bounded_series> shorter, longer;  // null: the same as the values
    std::uint64_t unknown = 0;                        // answers

    void add(const latency& value, const bounded_series& values);
    void merge(const shadow& other, const bounded_series& ours, const bounded_series& theirs);
    [[nodiscard]] std::size_t bytes() const noexcept;
  };
  void add_gaps(const client::record& record, const request_times& times, const figures& all);

  std::vector<shadow> sets_;  // beside those of `figures`
  shadow gaps_;
};

}  // namespace inferbench::metrics
