// The one thread behind the workers: settles what a record leaves open, writes it to
// the journal, adds it to the figures, hands it to the reporters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>

#include "base/clock.hpp"
#include "metrics/accumulator.hpp"
#include "observe/prefix_cache.hpp"
#include "records/channel.hpp"
#include "records/journal.hpp"
#include "report/fanout.hpp"

namespace inferbench::run {

class collector {
 public:
  struct outputs {
    records::journal* journal = nullptr;  // may be null
    metrics::accumulator& figures;
    report::fanout& reporters;
    metrics::token_counter counter;  // may be empty
    bool pooling = false;
    observe::cached_answers* caches = nullptr;  // may be null
    metrics::expectations expected = {};
  };

  /// Starts the thread, which ends when every producer of `from` has closed. All
  /// references must outlive it. `started_ns`: when traffic began, for live figures.
  collector(records::channel& from, outputs to, const base::clock& clock, std::uint64_t started_ns);
  collector(const collector&) = delete;
  collector& operator=(const collector&) = delete;
  ~collector() { join(); }

  /// After it, the outputs belong to the caller again.
  void join();

  /// When the last request ended; 0 when none did. After join().
  [[nodiscard]] std::uint64_t last_end_ns() const noexcept { return last_end_ns_; }

 private:
  void run();

  records::channel& from_;
  outputs to_;
  const base::clock& clock_;
  std::uint64_t started_ns_;
  std::uint64_t last_end_ns_ = 0;
  std::thread thread_;
};

/// Tells every reporter what run it is about. Throws as fanout::begin.
void begin_reporters(report::fanout& reporters, const records::run_information& run);

/// One batch of records through all outputs; answers the latest end. What `inferbench
/// report` does with a journal, too.
std::uint64_t collect(std::vector<client::record> batch, const collector::outputs& to);

}  // namespace inferbench::run
