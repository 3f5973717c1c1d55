// The observers of a run: everything that measures beside its requests. They are the metrics pages
// (--observe), the server's counters before and after the traffic, the probes, the energy of the
// GPUs, and the system's view of the client.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include <sys/types.h>

#include "metrics/context.hpp"
#include "observe/gpu_energy.hpp"
#include "observe/probes.hpp"
#include "observe/scraper.hpp"
#include "observe/server_counters.hpp"
#include "observe/vitals.hpp"
#include "run/interrupt.hpp"
#include "run/prepared.hpp"

namespace inferbench::run {

/// Owned by main, which calls the functions once, in the order of their declarations. An observer
/// that the user did not ask for does nothing.
class observers {
 public:
  /// Finds the metrics pages. `with` must outlive this object. Throws base::error for a page that
  /// cannot be read.
  explicit observers(const prepared& with);
  observers(const observers&) = delete;
  observers& operator=(const observers&) = delete;

  /// Queries the server's counters before the traffic. Throws base::error if the user ends the
  /// set-up.
  void count_before(interrupt& signals);
  /// Makes the probes. Call this when the workers are ready: descriptors that are opened earlier
  /// stay open in the copies of the workers (traffic.hpp).
  void make_probes();
  /// Begins to measure the energy of the GPUs. Without NVML there is a warning, and the run goes
  /// on.
  void begin_energy();
  /// Starts to watch `threads`, to send probes and to read pages, all at `started_ns`. Throws
  /// base::error if no thread can be started.
  void start(std::span<const pid_t> threads, std::uint64_t started_ns);

  /// The traffic is over: each page is read for the last time, which end_readings() waits for.
  /// `stopped`: the user stopped the run, so requests for pages in flight are given up.
  void finish_readings(bool stopped);
  /// Adds the fact "gpu_energy" if the energy is known.
  void end_energy(std::int64_t output_tokens, metrics::context& context);
  /// Waits for the last probe and adds the figures of the probes to `context`. `stopped`: the user
  /// stopped the run, so the probe in flight is cancelled. Returns false if the user stopped this.
  [[nodiscard]] bool end_probes(bool stopped, interrupt& signals, metrics::context& context);
  /// Waits for the last reading of each page. Returns false if the user stopped this.
  [[nodiscard]] bool end_readings(interrupt& signals);
  /// Adds the server's counts since count_before() and the hits of its prefix cache. The duration
  /// in `context` must be set. Returns false if the user stopped this.
  [[nodiscard]] bool compare_counters(interrupt& signals, metrics::context& context);

  /// The metrics pages; nullptr if there are none. Valid as long as this object.
  [[nodiscard]] observe::scraper* pages() noexcept { return pages_ ? &*pages_ : nullptr; }
  /// The system's view of the client, for samples during the traffic. Valid as long as this object.
  [[nodiscard]] observe::vitals& system() noexcept { return system_; }

 private:
  const prepared& with_;
  std::optional<observe::scraper> pages_;
  std::optional<observe::server_counters> counted_before_;
  std::optional<observe::probes> probes_;
  observe::vitals system_;
  std::optional<observe::gpu_energy> energy_;
};

}  // namespace inferbench::run
