// Processes the records of one run: completes each record, writes it to the journal, adds it to the
// figures and passes it to the reporters. end() adds the facts and the summary, and makes the
// report. The records come from the workers (collector.hpp) or, for `inferbench report`, from a
// journal.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <vector>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "metrics/accumulator.hpp"
#include "metrics/resolve.hpp"
#include "metrics/scores.hpp"
#include "metrics/workload_classes.hpp"
#include "observe/prefix_cache.hpp"
#include "observe/scraper.hpp"
#include "observe/series_log.hpp"
#include "records/journal.hpp"
#include "report/fanout.hpp"
#include "run/live_board.hpp"
#include "run/traffic_judge.hpp"

namespace inferbench::run {

/// The settings for completing a record, which is done before it is written or reported.
struct completion {
  metrics::token_counter counter{};  // empty: there is no tokenizer, or the records already have
                                     // their counts
  metrics::expectations expected{};
  observe::cached_answers* caches = nullptr;  // counts cached tokens; may be null
  observe::scraper* pages = nullptr;          // its observations are taken; may be null
  const live_board* progress = nullptr;       // for live figures; may be null
  traffic_judge* judge = nullptr;             // gets every record; may be null
  std::function<void()> live_ended{};         // called when reporters with IFB_REPORTER_LIVE have
                                              // ended; may be empty
};

/// Not thread-safe: one thread at a time. Everything that is passed by reference, and the instances
/// of `reporters`, must outlive the object.
class results {
 public:
  /// Announces the run to every reporter. `flags`: ifb_run_flag. With IFB_RUN_REPLAYED no traffic
  /// can be delayed, so take() waits for a slow reporter; otherwise it drops the reporter. Throws
  /// base::error if a reporter refuses the run.
  results(const records::run_information& about, metrics::context context,
          std::vector<report::target> reporters, completion how, base::log& log,
          std::uint32_t flags = 0);

  /// Creates a journal at `path` and writes every later record to it. Throws base::error if the
  /// journal cannot be created.
  void keep_journal(const std::filesystem::path& path, const records::run_information& about,
                    const base::clock& clock);
  /// nullptr if there is no journal.
  [[nodiscard]] const records::journal* journal() const noexcept { return journal_.get(); }

  /// Waits until each reporter has processed the records so far, but not longer than `at_most`.
  void wait_idle(std::chrono::milliseconds at_most) { reporters_.wait_idle(at_most); }

  /// Processes one batch of records, in the order in which they were finished.
  void take(std::vector<client::record> batch);
  /// Processes one observation of a server. Call this only for observations of a journal; those of
  /// completion::pages are taken by tick() and end().
  void take(const records::observation& what);
  /// Passes live figures to the reporters that want them, and writes buffered records of the
  /// journal to the file. Call this several times a second during the traffic, and never for
  /// records of a journal. `now_ns` is the time for which the figures hold.
  void tick(std::uint64_t now_ns);

  /// When the last request ended; 0 if no request has ended.
  [[nodiscard]] std::uint64_t last_end_ns() const noexcept { return last_end_ns_; }
  /// The output tokens of the successful requests so far.
  [[nodiscard]] std::int64_t output_tokens() const noexcept { return output_tokens_; }
  [[nodiscard]] const metrics::accumulator& figures() const noexcept { return figures_; }
  /// The caller adds facts and figures that do not come from records to this object, before end().
  [[nodiscard]] metrics::context& context() noexcept { return context_; }
  [[nodiscard]] const metrics::context& context() const noexcept { return context_; }
  /// The series of the servers so far. Any thread may call the functions of this object.
  [[nodiscard]] const observe::series_log& series() const noexcept { return series_; }

  struct final_result {
    metrics::report figures;
    bool reporters_failed = false;
    bool thresholds_failed = false;  // a goal of the user is not met
  };
  /// Writes the end of the journal with the facts of context(), and passes the summary to every
  /// reporter. Call this once, as the last call. The duration in context() must be set.
  [[nodiscard]] final_result end(records::run_end how);

 private:
  void take_observations();
  void add_scores();
  [[nodiscard]] metrics::report live_figures(std::uint64_t now_ns) const;

  base::log& log_;
  metrics::context context_;
  completion how_;
  report::fanout reporters_;
  std::unique_ptr<records::journal> journal_;
  metrics::accumulator figures_;
  metrics::scores scores_;
  metrics::workload_classes classes_;
  observe::series_log series_;
  std::uint64_t last_end_ns_ = 0;
  std::int64_t output_tokens_ = 0;
};

}  // namespace inferbench::run
