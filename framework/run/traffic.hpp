// The client threads of a run: N workers over one source, stopped together. Owned by
// main, which starts them and waits.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "base/clock.hpp"
#include "client/backend.hpp"
#include "client/source.hpp"
#include "client/worker.hpp"

namespace inferbench::run {

struct traffic_counts {
  std::uint64_t started = 0;
  std::uint64_t finished = 0;
  std::uint64_t failed = 0;
};

class traffic {
 public:
  /// Called on worker `index`'s thread for each record, and once at its end.
  using record_sink = std::function<void(std::size_t index, client::record&&)>;
  using end_sink = std::function<void(std::size_t index)>;

  /// `workers` threads at most; each gets its share of `max_concurrency`, so there are
  /// never more than that. References must outlive this.
  traffic(const base::clock& clock, const client::backend& shared, client::source& jobs,
          std::size_t workers, std::optional<std::int64_t> max_concurrency);
  traffic(const traffic&) = delete;
  traffic& operator=(const traffic&) = delete;
  /// Stops and joins.
  ~traffic();

  [[nodiscard]] std::size_t workers() const noexcept { return shares_.size(); }

  /// Throws base::error when the system grants no threads or descriptors; on_end was
  /// then called for every worker, and none is running.
  void start(const record_sink& on_record, const end_sink& on_end);
  /// Sends nothing more, cancels what is in flight. Any thread.
  void stop() noexcept;
  /// All workers have returned.
  [[nodiscard]] bool over() const noexcept { return running_.load() == 0; }
  void join();

  [[nodiscard]] traffic_counts counts() const noexcept;
  /// Summed over the workers; after join().
  [[nodiscard]] transport::connection_counters connections() const noexcept;

 private:
  void launch(const record_sink& on_record, const end_sink& on_end);

  const base::clock& clock_;
  const client::backend& shared_;
  client::source& jobs_;
  std::vector<std::size_t> shares_;  // permits of each worker
  std::vector<std::unique_ptr<client::worker>> workers_;
  std::vector<std::thread> threads_;
  std::atomic<std::size_t> running_ = 0;
};

/// Permits of each of `workers` threads; empty shares are left out.
[[nodiscard]] std::vector<std::size_t> shares(std::size_t workers,
                                              std::optional<std::int64_t> max_concurrency);

/// Lets this process open as many descriptors as it may.
void raise_descriptor_limit() noexcept;

}  // namespace inferbench::run
