// The bounds of bounded figures: beside the histogram of a figure one of its shortened values, and
// one of its lengthened values where they can be too short. Each is made when the first value comes
// that can be off: about a megabyte in all. Bounds of means are exact. Those of percentiles are
// differences of two percentiles, each at most bounded_series::error() off; twice that share is
// added, so that they are upper bounds all the same. A figure of which no value can be off has the
// bound 0. One thread at a time.
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

  /// The other members want the same figures, or others of the same rows.
  explicit bounded_bounds(const figures& of) : sets_(of.sets.size()) {}

  /// A request that `all` is about to be given.
  void add(const client::record& record, const request_times& times, const figures& all);
  /// `theirs` is what belongs to `other`; `ours` is about to take it in.
  void merge(const bounded_bounds& other, const figures& ours, const figures& theirs);

  /// As exact_bounds().
  [[nodiscard]] std::vector<error_bound> bounds(const context& run, definitions from,
                                                const figures& all) const;
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  /// Of one set of values.
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
