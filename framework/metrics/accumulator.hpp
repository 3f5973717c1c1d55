// Computes the figures of a run from its records. An exact accumulator keeps the request_times of
// each request: about 100 bytes, 4 bytes for each gap between its stream events, and 8 bytes for
// each event that may be late. While finish() runs, it uses about 80 more bytes for each request,
// and none for an event, but in a run with conversations 4 bytes for each event of one turn. A
// bounded accumulator keeps histograms of about a megabyte, and another megabyte for the bounds of
// the figures. Each second of the run costs about 20 bytes; the number of requests does not matter.
// Only the collector's thread uses this class.
//
// Bounded figures differ from exact figures as follows:
// - percentiles are at most 0.1 % off, and the bounds of percentiles are enlarged by 0.2 % of the
//   figure, so that they stay upper bounds. Counts, totals, goodput, means and their bounds, minima
//   and maxima are exact;
// - upstream's two peaks count their seconds from context::started_ns, since the first
//   start is not known until all requests have ended;
// - peak_concurrency and the steady state are left out: they need the start and the end of every
//   request. The bounds of the fact `certainty` are null, and no goal is certain: they need the
//   order of the values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "client/record.hpp"
#include "metrics/bounded_bounds.hpp"
#include "metrics/bounds.hpp"
#include "metrics/burst.hpp"
#include "metrics/collection.hpp"
#include "metrics/context.hpp"
#include "metrics/evidence.hpp"
#include "metrics/kept.hpp"
#include "metrics/ledger.hpp"
#include "metrics/outcome.hpp"
#include "metrics/report.hpp"
#include "metrics/resolve.hpp"
#include "metrics/running.hpp"
#include "metrics/turns.hpp"

namespace ifb {
class json_writer;
}

namespace inferbench::metrics {

class accumulator {
 public:
  /// Reads the members of `run` that are known before the run: pooling, bounded, live, started_ns,
  /// goodput, planned, max_concurrency, and whether it is paced. `figures` must outlive this
  /// object.
  explicit accumulator(const context& run, definitions figures = table());
  accumulator(const accumulator&) = delete;
  accumulator& operator=(const accumulator&) = delete;
  ~accumulator();

  /// Adds a resolved record. Records may come in any order. `source` is the result of resolve().
  void add(const client::record& record, token_source source = token_source::server);

  /// A few current figures for live views, for a run that began `elapsed_s` seconds ago: duration,
  /// completed, failed, request and output throughput, and the mean of ttft without its
  /// percentiles; with context::live the summaries of running.hpp in place of this mean. Takes
  /// constant time.
  [[nodiscard]] report snapshot(double elapsed_s) const;

  /// Every figure that a run of this kind has. Lists are in the order of the schedule, even if the
  /// records came in another order. May be called again after more records.
  [[nodiscard]] report finish(const context& run);

  /// The largest amount by which the client itself can have changed the figures of finish().
  /// Contains an element for each summary that has values, in the order of the table. finish() may
  /// be called later.
  [[nodiscard]] std::vector<error_bound> bounds(const context& run) const;

  [[nodiscard]] const ledger& accounts() const noexcept { return ledger_; }
  /// The memory that this object uses, in bytes, without the memory of accounts().
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  using order = std::vector<const request_times*>;

  [[nodiscard]] order in_schedule() const;
  [[nodiscard]] collection<exact_figures> collect(const order& rows) const;
  /// Writes the member `steady_state` and, if it is null, a member with the reason.
  void write_steady_state(ifb::json_writer& out, const context& run) const;
  /// `rows`: the requests in the order of their starts; empty if figures are bounded.
  [[nodiscard]] std::string facts_json(const context& run, const std::optional<peak>& most,
                                       const order& rows, const evidence& proved,
                                       std::span<const goal_result> goals,
                                       const second_curves& curves) const;

  /// All figures and facts, from the collected values. Releases these values. `rows` as above.
  template <typename kind>
  [[nodiscard]] report describe(const context& run, const std::optional<peak>& most,
                                const order& rows, collection<kind>& all) const;

  definitions figures_;
  request_kind kind_;
  limits goodput_;
  ledger ledger_;
  totals totals_;
  turn_figures turns_;
  burst burst_;
  std::uint64_t ttft_sum_ns_ = 0;  // ttft_sum_ns_ and ttft_count_ are for snapshots
  std::uint64_t ttft_count_ = 0;

  struct histograms {
    histograms(definitions figures, std::uint64_t origin, const limits& goodput)
        : values(figures, origin, goodput), bounds(values) {}

    collection<bounded_figures> values;
    bounded_bounds bounds;
  };
  std::optional<running> running_;       // nullopt: no live view needs it
  std::unique_ptr<histograms> bounded_;  // null: figures are exact and come from the members below
  kept_requests kept_;
  std::uint64_t first_start_ = UINT64_MAX;
};

}  // namespace inferbench::metrics
