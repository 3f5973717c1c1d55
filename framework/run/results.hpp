// What becomes of the records of one run: each is completed, written to the journal, added to the
// figures and handed to the reporters; the end adds the facts, the summary and the report. A
// measured run feeds it from the workers (collector.hpp), `inferbench report` from a journal.
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

/// How a record is completed before anything else has it.
struct completion {
  metrics::token_counter counter{};  // may be empty: counts were settled before
  metrics::expectations expected{};
  observe::cached_answers* caches = nullptr;  // may be null
};

/// One thread at a time. References and `reporters` outlive it.
class results {
 public:
  /// Tells every reporter what run it is about. Throws base::error when a reporter refuses.
  results(const records::run_information& about, metrics::context context,
          std::vector<report::target> reporters, completion how, base::log& log);

  /// Every record goes to that journal from now on. Throws base::error.
  void keep_journal(const std::filesystem::path& path, const records::run_information& about,
                    const base::clock& clock);
  /// nullptr: none is kept.
  [[nodiscard]] const records::journal* journal() const noexcept { return journal_.get(); }

  /// Once there is no traffic that could be delayed: records wait for a slow reporter, which is
  /// not dropped any more.
  void wait_for_reporters() noexcept { reporters_.wait_when_full(true); }
  /// Until each reporter has had the records so far, or that long.
  void wait_idle(std::chrono::milliseconds at_most) { reporters_.wait_idle(at_most); }

  /// One batch of records, in the order in which they were finished.
  void take(std::vector<client::record> batch);
  /// Gives live figures to the reporters once a second, and what is buffered to the disk. To be
  /// called several times a second while there is traffic.
  void tick(std::uint64_t now_ns);

  /// When the last request ended; 0 when none did.
  [[nodiscard]] std::uint64_t last_end_ns() const noexcept { return last_end_ns_; }
  [[nodiscard]] const metrics::accumulator& figures() const noexcept { return figures_; }
  /// Facts and figures that no record holds are added here until end().
  [[nodiscard]] metrics::context& context() noexcept { return context_; }
  [[nodiscard]] const metrics::context& context() const noexcept { return context_; }

  struct ended {
    metrics::report figures;
    bool reporters_failed = false;
  };
  /// Last, once: the journal's end, which gets the facts of context(), then the summary for every
  /// reporter. The context has its duration by then.
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
