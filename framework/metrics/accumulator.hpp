// From records to figures. Exact: it keeps of each request what the figures need, 88
// bytes and 4 for each gap between its stream events; finish() takes some 80 more for
// each request while it works, and nothing for an event. Bounded: it keeps histograms, about a
// megabyte, and some 20 bytes for each second of the run, however many requests there are. Belongs
// to the collector's thread.
//
// Bounded figures differ from exact ones in this:
// - percentiles are at most 0.1 % off; counts, totals, goodput, means, minima and maxima
//   are exact;
// - upstream's two peaks count their seconds from context::started_ns, since the first
//   start is not known until all requests have ended;
// - peak_concurrency and the steady state are left out: they need every start and end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/record.hpp"
#include "metrics/chunks.hpp"
#include "metrics/collection.hpp"
#include "metrics/context.hpp"
#include "metrics/facts.hpp"
#include "metrics/figures.hpp"
#include "metrics/report.hpp"
#include "metrics/resolve.hpp"
#include "metrics/tape.hpp"
#include "metrics/turns.hpp"

namespace ifb {
class json_writer;
}

namespace inferbench::metrics {

class accumulator {
 public:
  /// Of `run` it reads what is known beforehand: pooling, bounded, started_ns, goodput.
  explicit accumulator(const context& run);
  accumulator(const accumulator&) = delete;
  accumulator& operator=(const accumulator&) = delete;
  ~accumulator();

  /// A resolved record, in any order; `source` is what resolve() answered.
  void add(const client::record& record, token_source source = token_source::server);

  /// Adds what `other` holds, as if its records had been added here. Both are bounded
  /// and made with the same context.
  void merge(const accumulator& other);

  /// A few running figures for live views, for a run that began `elapsed_s` ago:
  /// duration, completed, failed, request and output throughput, and the mean of ttft
  /// without the rest. Takes no time worth mentioning.
  [[nodiscard]] report snapshot(double elapsed_s) const;

  /// Every figure that a run of this kind has. Lists are taken in the order of the
  /// schedule, whatever order the records came in. May be called again after more
  /// records.
  [[nodiscard]] report finish(const context& run);

  /// What it keeps, apart from the accounts.
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  using order = std::vector<const request_times*>;

  [[nodiscard]] order in_schedule() const;
  [[nodiscard]] collection<exact_figures> collect(const order& rows) const;
  /// Writes the members `steady_state` and, where that is null, why.
  void write_steady_state(ifb::json_writer& out, const context& run) const;
  [[nodiscard]] std::string facts_json(const context& run, const std::optional<peak>& most) const;

  bool pooling_;
  limits goodput_;
  ledger ledger_;
  totals totals_;
  turn_figures turns_;
  std::uint64_t ttft_sum_ns_ = 0;  // these two for snapshots
  std::uint64_t ttft_count_ = 0;

  std::unique_ptr<collection<bounded_figures>> bounded_;  // null: exact, with what follows
  chunks<request_times, 128> rows_;  // as they came, like the gaps of their events
  tape tape_;
  std::uint64_t first_start_ = UINT64_MAX;
};

}  // namespace inferbench::metrics
