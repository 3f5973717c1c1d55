// The client threads of a run: N workers over one source, begun and stopped together.
// Owned by main, which starts them, lets them go when all are ready, and waits.
//
// Descriptors. The limit of open files counts for each table of descriptors, and a thread
// may have a table of its own (base/limits.hpp): N workers then hold N times as many
// connections. A worker takes its table before it opens any and closes them before its
// thread ends. Its event loop is older than the table, so that both tables have it under
// the same numbers: others wake it through theirs, and main, which made it, destroys it.
//
// What else was open when a table was copied stays open in the copy until its worker ends.
// Ready check and warm-up have closed their connections before, journal and results are
// opened later, and the end of a run comes after its workers. That leaves what the feeding
// thread reads a sample ahead with: a file, or a connection to /tokenize, that the other
// side sees closed later than it was.
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
  std::size_t workers = 1;                        // threads at most
  std::optional<std::int64_t> max_concurrency{};  // each worker gets its share
  std::size_t connections_ahead = 0;              // of all workers together
  std::size_t requests_ahead = 0;                 // likewise; few are serialised ahead anyway
  bool own_tables = false;                        // of descriptors, for each worker
  base::stamping stamping = base::stamping::client;
  std::function<void(const std::string& line)> warn{};  // any worker's thread
};

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

  /// References must outlive this.
  traffic(const base::clock& clock, const client::backend& shared, client::source& jobs,
          const traffic_settings& settings);
  traffic(const traffic&) = delete;
  traffic& operator=(const traffic&) = delete;
  /// Stops and joins.
  ~traffic();

  [[nodiscard]] std::size_t workers() const noexcept { return shares_.size(); }

  /// Starts the threads, which open connections ahead and then wait for begin(). Throws
  /// base::error when the system grants no threads or descriptors; on_end was then called
  /// for every worker, and none is running.
  void start(const record_sink& on_record, const end_sink& on_end);
  /// All have opened what they could.
  [[nodiscard]] bool ready() const noexcept { return opened_.load() == shares_.size(); }
  /// Lets the requests go.
  void begin();
  /// The kernel's numbers of the threads; after ready().
  [[nodiscard]] std::vector<pid_t> threads() const { return ids_; }
  /// Sends nothing more, cancels what is in flight. Any thread.
  void stop();
  /// All workers have returned.
  [[nodiscard]] bool over() const noexcept { return running_.load() == 0; }
  void join();

  [[nodiscard]] traffic_counts counts() const noexcept;
  /// Of each worker; after join().
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
  std::size_t asked_for_tables_ = 0;  // workers
};

/// Requests in flight where nobody says how many there may be and each needs a thread: those of
/// an engine that blocks.
inline constexpr std::size_t most_blocking = 1024;

/// Requests that may be in flight; none: any number.
[[nodiscard]] std::optional<std::int64_t> permits(const client::backend& shared,
                                                  const traffic_settings& settings);

/// Permits of each of `workers` threads; empty shares are left out.
[[nodiscard]] std::vector<std::size_t> shares(std::size_t workers,
                                              std::optional<std::int64_t> max_concurrency);

/// What decides how many connections there will be.
struct expected_load {
  std::optional<std::uint64_t> asked{};  // --connections-ahead
  std::uint64_t planned = 0;             // requests
  std::optional<std::int64_t> max_concurrency{};
  double request_rate = 0;      // per second, infinity: all at once; 0: a trace has its own
  std::size_t descriptors = 0;  // a table of them may hold
  std::size_t workers = 1;
  std::size_t servers = 1;
};

/// One table of descriptors may not do, and there are several workers to have one each.
[[nodiscard]] bool need_own_tables(const expected_load& of) noexcept;

/// As many as requests will be in flight at once, where the plan says; where it does not,
/// as many as are due in the first moments: the others get theirs as they come near.
[[nodiscard]] std::size_t connections_ahead(const expected_load& of) noexcept;

/// What to tell the user when more connections are certain than the tables hold, and what
/// to do about it; else empty.
[[nodiscard]] std::string too_many_connections(const expected_load& of);

}  // namespace inferbench::run
