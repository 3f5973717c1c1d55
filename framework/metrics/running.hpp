// Summaries of the requests so far, for views of a run that is in progress: the mean and three
// percentiles of each figure that --percentile-metrics could select and that has one value for each
// request, and of the client's own delays. A histogram for each figure, of at most 300 kB; a token
// costs nothing. Percentiles are at most bounded_series::error() off.
#pragma once

#include <cstddef>
#include <vector>

#include "metrics/report.hpp"
#include "metrics/series.hpp"
#include "metrics/table.hpp"

namespace inferbench::metrics {

/// Only the collector's thread uses this class.
class running {
 public:
  /// Reads the members of `run` that are known before the run. `figures` must outlive this object.
  running(const context& run, definitions figures);

  void add(const request_times& one);
  /// Adds the summaries that have values to `out`, in the order of the table.
  void add_to(report& out) const;

  /// The memory that this object uses, in bytes.
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  struct figure {
    const definition* row;
    of_request of;
    bounded_series values;
  };
  std::vector<figure> figures_;
};

}  // namespace inferbench::metrics
