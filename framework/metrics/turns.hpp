// The figures of conversations by turn: a later turn has a longer prompt, and the server may have
// most of it in its cache. Latencies have the definitions of the run's own figures (table.cpp).
// Figures of a bounded summary come from histograms, so that memory does not grow with the run, and
// their percentiles are at most bounded_series::error() off. All other figures are exact and come
// from the requests that the accumulator keeps. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "client/record.hpp"
#include "metrics/kept.hpp"
#include "metrics/request_times.hpp"
#include "metrics/series.hpp"

namespace ifb {
class json_writer;
}

namespace inferbench::metrics {

/// The latencies of one turn.
template <typename kind>
struct turn_latencies {
  kind::values ttft, tpot, e2el;
  kind::gaps itl;
};

class turn_figures {
 public:
  /// The number of turns with separate figures. Later turns are added to the last of these.
  static constexpr std::size_t most = 32;

  /// `bounded`: add() keeps histograms of the latencies.
  explicit turn_figures(bool bounded) noexcept : bounded_(bounded) {}

  /// Adds a resolved record of a sent request that has a session. `times` are the times of this
  /// request, with its turn.
  void add(const client::record& record, const request_times& times);

  [[nodiscard]] bool empty() const noexcept { return turns_.empty(); }
  /// The memory that the histograms use, in bytes.
  [[nodiscard]] std::size_t bytes() const noexcept;

  /// Writes a list with an object for each turn: its number from 1, the numbers of successful and
  /// failed requests, and the tokens, TTFT, TPOT, ITL and E2EL of the successful requests.
  /// `percentiles` (0 to 100) are those that the run wants; 90 and 99 are always written, too.
  /// `kept` are all requests of the run, null if the figures are bounded. For exact figures, this
  /// function reads the requests and the gaps once for each turn, and uses 24 bytes for each
  /// request and 4 bytes for each gap of one turn at a time.
  void write(ifb::json_writer& out, std::span<const double> percentiles,
             const kept_requests* kept) const;

 private:
  struct turn {
    std::uint64_t ok = 0, failed = 0;
    std::uint64_t input = 0, output = 0;        // tokens
    std::uint64_t cached = 0, said_cached = 0;  // cached tokens, and the number of answers that
                                                // reported them
  };
  std::vector<turn> turns_;
  std::vector<turn_latencies<bounded_figures>> latencies_;  // as turns_; empty if figures are exact
  bool bounded_;
};

}  // namespace inferbench::metrics
