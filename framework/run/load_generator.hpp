// Sends the requests of one run: the workers, the source of their jobs, and the channel of their
// finished records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "base/log.hpp"
#include "records/channel.hpp"
#include "run/prepared.hpp"
#include "run/sources.hpp"
#include "run/traffic.hpp"

namespace inferbench::run {

/// The settings of the workers for `load`. `requests_ahead`: the number of requests that are
/// serialised before they are due, in sum over all workers; the share of each worker is at least
/// the default of client::worker_settings::ahead. `with` must outlive the traffic.
[[nodiscard]] traffic_settings settings_of(const prepared& with, const expected_load& load,
                                           std::size_t requests_ahead);

/// Logs a line if each worker gets a descriptor table of its own, because the connections may not
/// fit into one table, and a warning if they certainly do not fit into all tables together.
void tell_of_tables(const expected_load& load, base::log& log);

class load_generator {
 public:
  /// The feed of `with` must have been started; `with` must outlive this object. `descriptors`: the
  /// limit of open files that base::raise_descriptor_limit() returned. Calls tell_of_tables(),
  /// unless the backend is an engine, which needs no connections.
  load_generator(prepared& with, std::size_t descriptors);
  load_generator(const load_generator&) = delete;
  load_generator& operator=(const load_generator&) = delete;

  /// Starts the workers and waits until each worker has tried to open its connections. Does not
  /// send requests. Throws base::error if the user ends the set-up, or if the system refuses
  /// threads or descriptors.
  void make_ready(interrupt& signals);

  /// Starts to send the requests, for the time of the plan if it has one. `started_ns`: the start
  /// of the run on the host's clock.
  void begin(std::uint64_t started_ns);

  [[nodiscard]] traffic& requests() noexcept { return requests_; }
  [[nodiscard]] run_source& jobs() noexcept { return *jobs_; }
  [[nodiscard]] records::channel& finished() noexcept { return finished_; }

 private:
  const std::unique_ptr<run_source> jobs_;
  const std::uint64_t duration_ns_;
  const expected_load load_;
  records::channel finished_;
  traffic requests_;
};

}  // namespace inferbench::run
