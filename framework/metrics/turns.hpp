// The figures of conversations by turn: a later turn has a longer prompt, and the server may have
// most of it in its cache. The values are kept in histograms, so that memory does not grow with the
// run. Percentiles are at most bounded_series::error() off.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "client/record.hpp"
#include "metrics/request_times.hpp"
#include "metrics/series.hpp"

namespace ifb {
class json_writer;
}

namespace inferbench::metrics {

class turn_figures {
 public:
  /// The number of turns with separate figures. Later turns are added to the last of these.
  static constexpr std::size_t most = 32;

  /// Adds a resolved record of a sent request that has a session. `times` are the times of this
  /// request.
  void add(const client::record& record, const request_times& times);
  void merge(const turn_figures& other);

  [[nodiscard]] bool empty() const noexcept { return turns_.empty(); }

  /// Writes a list with an object for each turn: its number from 1, the numbers of successful and
  /// failed requests, and the mean tokens, TTFT, TPOT and E2EL of the successful requests.
  void write(ifb::json_writer& out) const;

 private:
  struct turn {
    std::uint64_t ok = 0, failed = 0;
    std::uint64_t input = 0, output = 0;        // tokens
    std::uint64_t cached = 0, said_cached = 0;  // cached tokens, and the number of answers that
                                                // reported them
    bounded_series ttft, tpot, e2el;
  };
  std::vector<turn> turns_;
};

}  // namespace inferbench::metrics
