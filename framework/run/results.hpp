// Processes the records of one run: completes each record, writes it to the journal, adds it to the
// figures and hands it to the reporters. The end adds the facts and the summary, and makes the
// report. The records come from the workers (collector.hpp) or, for `inferbench report`, from a
// journal.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <vector>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "metrics/accumulator.hpp"
#include "metrics/resolve.hpp"
#include "observe/prefix_cache.hpp"
#include "records/journal.hpp"
#include "report/fanout.hpp"

namespace inferbench::run {

/// How a record is completed before it is written and handed on.
struct completion {
  metrics::token_counter counter{};  // empty: no tokenizer, or the records have their counts
  metrics::expectations expected{};
  observe::cached_answers* caches = nullptr;  // may be null
};

/// Not thread-safe: one thread at a time. References and `reporters` must outlive the object.
class results {
 public:
  /// Announces the run to every reporter. Throws base::error if a reporter refuses the run.
  results(const records::run_information& about, metrics::context context,
          std::vector<report::target> reporters, completion how, base::log& log);

  /// Writes every record from now on to a journal at `path`. Throws base::error.
  void keep_journal(const std::filesystem::path& path, const records::run_information& about,
                    const base::clock& clock);
  /// nullptr: there is no journal.
  [[nodiscard]] const records::journal* journal() const noexcept { return journal_.get(); }

  /// From now on take() waits for a slow reporter instead of dropping the reporter. Call it when
  /// there is no traffic that could be delayed.
  void wait_for_reporters() noexcept { reporters_.wait_when_full(true); }
  /// Waits until each reporter has processed the records so far, but not longer than `at_most`.
  void wait_idle(std::chrono::milliseconds at_most) { reporters_.wait_idle(at_most); }

  /// Processes one batch of records, in the order in which they were finished.
  void take(std::vector<client::record> batch);
  /// Once a second gives live figures to the reporters; also writes buffered records of the
  /// journal to the disk. Call it several times a second during the traffic.
  void tick(std::uint64_t now_ns);

  /// When the last request ended; 0 if no request has ended.
  [[nodiscard]] std::uint64_t last_end_ns() const noexcept { return last_end_ns_; }
  [[nodiscard]] const metrics::accumulator& figures() const noexcept { return figures_; }
  /// Facts and figures that do not come from records are added here before end().
  [[nodiscard]] metrics::context& context() noexcept { return context_; }
  [[nodiscard]] const metrics::context& context() const noexcept { return context_; }

  struct ended {
    metrics::report figures;
    bool reporters_failed = false;
  };
  /// Writes the end of the journal with the facts of context(), then gives the summary to every
  /// reporter. Call it once, last; context() must have its duration.
  [[nodiscard]] ended end(records::run_end how);

 private:
  base::log& log_;
  metrics::context context_;
  completion how_;
  report::fanout reporters_;
  std::unique_ptr<records::journal> journal_;
  metrics::accumulator figures_;
  std::uint64_t last_end_ns_ = 0;
  std::uint64_t snapshot_ns_;  // when live figures are due
};

}  // namespace inferbench::run
