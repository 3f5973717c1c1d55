// The bounds of bounded figures: beside the histogram of a figure one of its shortened values, and
// one of its lengthened values where they can be too short. Each is made when the first value comes
// that can be off: about a megabyte in all. Bounds of means are exact. Those of percentiles are
// differences of two percentiles, each at most bounded_series::error() off; twice that share is
// added, so that they are upper bounds all the same. A figure of which no value can be off has the
// bound 0. One thread at a time.
#pragma once

#include <array>
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

  explicit bounded_bounds(const context& run) : pooling_(run.pooling), paced_(run.paced()) {}

  /// A request that `all` is about to be given.
  void add(const client::record& record, const request_times& times, const figures& all);
  /// `theirs` is what belongs to `other`; `ours` is about to take it in.
  void merge(const bounded_bounds& other, const figures& ours, const figures& theirs);

  /// As exact_bounds().
  [[nodiscard]] std::vector<error_bound> bounds(const context& run, const figures& all) const;
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  /// Null: the same as the figure's own.
  struct shadows {
    std::unique_ptr<bounded_series> shorter, longer;
    std::uint64_t unknown = 0;  // answers
  };
  static constexpr auto first = static_cast<std::size_t>(metric::ttft);
  static constexpr auto last = static_cast<std::size_t>(metric::send_lag);

  shadows& of(metric id) { return all_[static_cast<std::size_t>(id) - first]; }
  [[nodiscard]] const shadows& of(metric id) const {
    return all_[static_cast<std::size_t>(id) - first];
  }
  void add_gaps(const client::record& record, const request_times& times, const figures& all);

  bool pooling_;
  bool paced_;
  std::array<shadows, last - first + 1> all_;  // by figure, from ttft on
};

}  // namespace inferbench::metrics
