// The figures of conversations by turn: a later turn has a longer prompt, and the server may have
// most of it in its cache. Histograms, so that memory does not grow with the run; percentiles are
// at most bounded_series::error() off.
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
  /// Turns with figures of their own; the later ones share those of the last.
  static constexpr std::size_t most = 32;

  /// A resolved record that was sent and has a session, and its times.
  void add(const client::record& record, const request_times& times);
  void merge(const turn_figures& other);

  [[nodiscard]] bool empty() const noexcept { return turns_.empty(); }

  /// A list: of each turn its number from 1, how many requests succeeded and failed, the mean
  /// tokens of the successes, and their TTFT, TPOT and E2EL.
  void write(ifb::json_writer& out) const;

 private:
  struct turn {
    std::uint64_t ok = 0, failed = 0;
    std::uint64_t input = 0, output = 0;        // tokens
    std::uint64_t cached = 0, said_cached = 0;  // and the answers that reported them
    bounded_series ttft, tpot, e2el;
  };
  std::vector<turn> turns_;
};

}  // namespace inferbench::metrics
