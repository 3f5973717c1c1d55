// From records to figures, exact: it keeps of each request what the figures need (some
// 150 bytes and 4 for each stream event; finish() takes 8 more for each event while it
// works). Belongs to the collector's thread.
#pragma once

#include <cstdint>
#include <vector>

#include "client/record.hpp"
#include "metrics/context.hpp"
#include "metrics/facts.hpp"
#include "metrics/report.hpp"
#include "metrics/resolve.hpp"

namespace inferbench::metrics {

class accumulator {
 public:
  /// `pooling` as in the context that finish() will be given.
  explicit accumulator(bool pooling) : pooling_(pooling) {}

  /// A resolved record, in any order; `source` is what resolve() answered.
  void add(const client::record& record, token_source source = token_source::server);

  /// A few running figures for live views, for a run that began `elapsed_s` ago:
  /// duration, completed, failed, request and output throughput, and the mean of ttft
  /// without the rest. Takes no time worth mentioning.
  [[nodiscard]] report snapshot(double elapsed_s) const;

  /// Every figure that a run of this kind has. Lists are taken in the order of the
  /// schedule, whatever order the records came in. May be called again after more
  /// records.
  [[nodiscard]] report finish(const context& run);

  [[nodiscard]] const ledger& accounts() const noexcept { return ledger_; }

 private:
  /// One request that was sent.
  struct row {
    std::uint64_t sequence = 0;
    std::uint64_t due = 0, start = 0, sent = 0, end = 0;
    // The rest belongs to successes.
    std::uint64_t first_token = 0, last_token = 0, first_text = 0;
    std::uint64_t input = 0, output = 0, inputs = 0;
    double audio_s = 0;
    bool ok = false;
    client::stamps tokens = client::stamps(0);
  };
  struct sets;

  [[nodiscard]] sets collect(const context& run) const;
  void add_scalars(report& out, const context& run, const sets& all) const;
  void add_summaries(report& out, const context& run, sets& all) const;
  void add_ours(report& out, const context& run, sets& all) const;

  bool pooling_;
  ledger ledger_;
  std::vector<row> rows_;
  // For snapshots.
  std::uint64_t output_ = 0;
  std::uint64_t ttft_sum_ns_ = 0;
  std::uint64_t ttft_count_ = 0;
};

}  // namespace inferbench::metrics
