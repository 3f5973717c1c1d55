// From records to figures. An exact one keeps the request_times of each request, about a hundred
// bytes, 4 for each gap between its stream events and 8 for each event that may be late; finish()
// takes some 80 more for each request while it works, and nothing for an event. A bounded one keeps
// histograms, about a megabyte, as much again for the bounds of the figures, and some 20 bytes for
// each second of the run, however many requests there are. Belongs to the collector's thread.
//
// Bounded figures differ from exact ones in this:
// - percentiles are at most 0.1 % off, and the bounds of percentiles are larger by 0.2 % of the
//   figure, so that they hold; counts, totals, goodput, means and their bounds, minima and maxima
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
#include "metrics/bounded_bounds.hpp"
#include "metrics/bounds.hpp"
#include "metrics/burst.hpp"
#include "metrics/collection.hpp"
#include "metrics/context.hpp"
#include "metrics/kept.hpp"
#include "metrics/ledger.hpp"
#include "metrics/outcome.hpp"
#include "metrics/report.hpp"
#include "metrics/resolve.hpp"
#include "metrics/turns.hpp"

namespace ifb {
class json_writer;
}

namespace inferbench::metrics {

class accumulator {
 public:
  /// Reads the members of `run` that are known beforehand: pooling, bounded, started_ns, goodput,
  /// planned, max_concurrency, and whether it is paced. `figures` must outlive this.
  explicit accumulator(const context& run, definitions figures = table());
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
  /// without its percentiles. Constant time.
  [[nodiscard]] report snapshot(double elapsed_s) const;

  /// Every figure that a run of this kind has. Lists are taken in the order of the
  /// schedule, whatever order the records came in. May be called again after more
  /// records.
  [[nodiscard]] report finish(const context& run);

  /// The most that the client itself can have changed the figures of finish(), which may be
  /// called later: of each summary that has values, in the order of the table.
  [[nodiscard]] std::vector<error_bound> bounds(const context& run) const;

  [[nodiscard]] const ledger& accounts() const noexcept { return ledger_; }
  /// The memory that it holds, without that of the accounts.
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  using order = std::vector<const request_times*>;

  [[nodiscard]] order in_schedule() const;
  [[nodiscard]] collection<exact_figures> collect(const order& rows) const;
  /// Writes the members `steady_state` and, if that is null, why.
  void write_steady_state(ifb::json_writer& out, const context& run) const;
  [[nodiscard]] std::string facts_json(const context& run, const std::optional<peak>& most) const;

  /// All figures and facts, from the collected values, which it releases.
  template <typename kind>
  [[nodiscard]] report describe(const context& run, const std::optional<peak>& most,
                                collection<kind>& all) const;

  definitions figures_;
  request_kind kind_;
  limits goodput_;
  ledger ledger_;
  totals totals_;
  turn_figures turns_;
  burst burst_;
  std::uint64_t ttft_sum_ns_ = 0;  // these two for snapshots
  std::uint64_t ttft_count_ = 0;

  struct histograms {
    histograms(definitions figures, std::uint64_t origin, const limits& goodput)
        : values(figures, origin, goodput), bounds(values) {}

    collection<bounded_figures> values;
    bounded_bounds bounds;
  };
  std::unique_ptr<histograms> bounded_;  // null: exact, with what follows
  kept_requests kept_;
  std::uint64_t first_start_ = UINT64_MAX;
};

}  // namespace inferbench::metrics
