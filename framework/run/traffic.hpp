// The client threads of a run: N workers that share one source and start and stop together. The
// main thread owns them: it starts the threads, lets them send when all are ready, and waits for
// their end.
//
// Descriptors. The limit of open files applies to each descriptor table, and a thread may have a
// table of its own (base/limits.hpp). With a table for each worker, N workers can have N times as
// many connections. A worker unshares its table before it opens connections, and closes them before
// its thread ends. The main thread creates the worker's event loop before that. So the main
// thread's table and the worker's copy contain the descriptors of the event loop under the same
// numbers. Other threads wake the event loop through their own table, and the main thread destroys
// it.
//
// All other descriptors that were open when a table was copied stay open in the copy until its
// worker ends. Most of them do no harm: ready check and warm-up have closed their connections
// before the copy, and journal and results are opened after the copy. A descriptor that is open
// during the whole run would outlive the workers even without the copy. The exceptions are
// descriptors of the feeding thread, which prefetches samples: a file, or a connection to
// /tokenize. The server sees the end of such a connection only when the worker ends.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <sys/types.h>

#include "base/clock.hpp"
#include "client/backend.hpp"
#include "client/source.hpp"
#include "client/worker.hpp"

namespace inferbench::run {

struct traffic_settings {
  std::size_t workers = 1;                        // the largest number of threads
  std::optional<std::int64_t> max_concurrency{};  // the limit of requests in flight, divided among
                                                  // the workers
  std::size_t connections_ahead = 0;              // sum over all workers
  std::size_t requests_ahead = 0;  // sum over all workers; worker_settings::ahead is the minimum
  /// Memory of these requests, bytes, in sum over all workers (worker_settings).
  std::size_t bytes_ahead = std::size_t{64} << 20U;
  std::size_t first_bytes_ahead = 0;
  bool own_tables = false;  // true: each worker gets its own descriptor table; an engine's
                            // workers never do
  base::stamping stamping = base::stamping::client;
  std::function<void(const std::string& line)> warn{};  // called on any worker's thread
};

struct traffic_counts {
  std::uint64_t started = 0;
  std::uint64_t finished = 0;
  std::uint64_t failed = 0;
};

class traffic {
 public:
  /// Both are called on the thread of worker `index`: record_sink for each record, end_sink once at
  /// the end.
  using record_sink = std::function<void(std::size_t index, client::record&&)>;
  using end_sink = std::function<void(std::size_t index)>;

  /// Everything that is passed by reference must outlive this object.
  traffic(const base::clock& clock, const client::backend& shared, client::source& jobs,
          const traffic_settings& settings);
  traffic(const traffic&) = delete;
  traffic& operator=(const traffic&) = delete;
  /// Calls stop() and join().
  ~traffic();

  [[nodiscard]] std::size_t workers() const noexcept { return shares_.size(); }

  /// Starts the threads, which open connections before the traffic and wait for begin(). Throws
  /// base::error if the system refuses threads or descriptors. In that case no worker is running,
  /// and on_end has been called for every worker.
  void start(const record_sink& on_record, const end_sink& on_end);
  /// True if all workers have tried to open their connections, successfully or not.
  [[nodiscard]] bool ready() const noexcept { return opened_.load() == shares_.size(); }
  /// Lets the workers send requests.
  void begin();
  /// The kernel's thread ids. Valid when ready() is true.
  [[nodiscard]] std::vector<pid_t> threads() const { return ids_; }
  /// Stops sending requests and cancels the requests in flight. Any thread.
  void stop();
  /// True if all workers have ended.
  [[nodiscard]] bool over() const noexcept { return running_.load() == 0; }
  void join();

  [[nodiscard]] traffic_counts counts() const noexcept;
  /// The health of each worker. Valid after join().
  [[nodiscard]] std::vector<client::worker_health> health() const;

 private:
  void launch(const record_sink& on_record, const end_sink& on_end);
  void work(std::size_t index, const end_sink& on_end);
  void take_table();

  const base::clock& clock_;
  const client::backend& shared_;
  client::source& jobs_;
  traffic_settings settings_;
  std::vector<std::size_t> shares_;  // permits of each worker
  std::vector<std::unique_ptr<client::worker>> workers_;
  std::vector<std::thread> threads_;
  std::vector<pid_t> ids_;
  std::atomic<std::size_t> opened_ = 0;
  std::atomic<std::size_t> running_ = 0;
  std::mutex gate_mutex_;
  std::condition_variable gate_;
  bool begun_ = false;
  std::size_t asked_for_tables_ = 0;  // number of workers that tried to unshare their table
};

/// The default limit of requests in flight for an engine that blocks, where each request needs a
/// thread.
inline constexpr std::size_t most_blocking = 1024;

/// The limit of requests in flight; nullopt: there is no limit.
[[nodiscard]] std::optional<std::int64_t> permits(const client::backend& shared,
                                                  const traffic_settings& settings);

/// Divides `max_concurrency` among `workers` threads. Returns the permits of each thread; shares of
/// 0 are left out.
[[nodiscard]] std::vector<std::size_t> shares(std::size_t workers,
                                              std::optional<std::int64_t> max_concurrency);

/// The values that determine the number of connections.
struct expected_load {
  std::optional<std::uint64_t> asked{};  // the value of --connections-ahead
  std::uint64_t planned = 0;             // number of requests
  std::optional<std::int64_t> max_concurrency{};
  double request_rate = 0;      // requests per second; infinity: all are due at the start; 0:
                                // self-timed
  std::size_t descriptors = 0;  // limit of open files in one table
  std::size_t workers = 1;
  std::size_t servers = 1;
};

/// True if each worker needs its own descriptor table: there are several workers, and one table may
/// be too small.
[[nodiscard]] bool need_own_tables(const expected_load& of) noexcept;

/// The number of connections to open before the traffic: --connections-ahead, if given. Otherwise
/// the number of requests that may be in flight at once. With a finite rate, the number is limited
/// to the requests that are due in the first 0.2 s; the workers open further connections during the
/// run.
[[nodiscard]] std::size_t connections_ahead(const expected_load& of) noexcept;

/// A warning with a remedy if the run certainly needs more connections than the tables have room
/// for; otherwise empty.
[[nodiscard]] std::string too_many_connections(const expected_load& of);

}  // namespace inferbench::run
