// Reads the metrics pages of servers during the traffic (--observe). Each page has its own thread,
// so that a server that does not answer delays no other page, and no worker waits for any of them.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/clock.hpp"
#include "observe/source_series.hpp"
#include "records/observation.hpp"
#include "transport/fetch.hpp"

namespace inferbench::observe {

/// The time of the first reading after `now`: start + n * interval. Readings that are overdue are
/// left out.
[[nodiscard]] std::uint64_t next_reading(std::uint64_t start_ns, std::uint64_t interval_ns,
                                         std::uint64_t now_ns) noexcept;

/// The time for which a thread may wait at `now_ns` for `due_ns`, which is later: at most an hour,
/// after which it looks again.
[[nodiscard]] std::chrono::nanoseconds wait_before(std::uint64_t due_ns,
                                                   std::uint64_t now_ns) noexcept;

/// One page: what was fetched becomes an observation. One thread at a time; no I/O.
class observed_page {
 public:
  observed_page(std::uint32_t number, std::string url, std::uint64_t interval_ns,
                std::vector<std::string> patterns);

  /// URL and interval, before the first reading.
  [[nodiscard]] records::observation opening() const;
  /// The answer to a request that was sent at `sent_ns` and completed at `done_ns`. The page counts
  /// as read in the middle between them. An answer with another status than 200, and an answer
  /// that is no page of metrics, is a failed reading.
  [[nodiscard]] records::observation read(const transport::fetch_result& answer,
                                          std::uint64_t sent_ns, std::uint64_t done_ns);
  /// All definitions once more, after the last reading.
  [[nodiscard]] records::observation closing() const;

 private:
  std::uint32_t number_;
  std::string url_;
  std::uint64_t interval_ns_;
  source_series series_;
};

/// Owned by the main thread. Everything that the constructor takes by reference must outlive the
/// object.
class scraper {
 public:
  /// The largest page in bytes. A larger page is a failed reading.
  static constexpr std::size_t most_page_bytes = std::size_t{16} << 20U;

  /// A page to be read. `fetch` sends one request and waits for the answer, at most `timeout_ns`;
  /// it ends early if `stop` returns true. It is called on the page's thread and must not throw.
  struct page {
    std::string url;  // for outputs
    std::function<transport::fetch_result(std::uint64_t timeout_ns, std::function<bool()> stop)>
        fetch;
  };

  scraper(const base::clock& clock, std::vector<page> pages, std::uint64_t interval_ns,
          const std::vector<std::string>& patterns);
  scraper(const scraper&) = delete;
  scraper& operator=(const scraper&) = delete;
  /// Gives up the requests in flight, and joins the threads.
  ~scraper();

  /// Reads each page at `start_ns` for the first time, and then once in each interval. Throws
  /// base::error if no thread can be started.
  void start(std::uint64_t start_ns);
  /// [any thread] Reads each page once more, as soon as the request in flight has its answer.
  void finish() noexcept;
  /// [any thread] Gives up the requests in flight; they are no readings.
  void cancel() noexcept;
  /// Whether every thread has ended.
  [[nodiscard]] bool over() const noexcept { return running_.load() == 0; }
  /// Joins the threads. Call this once, after finish() or cancel().
  void join();

  /// [any thread] The observations since the last call, in the order in which they were made.
  [[nodiscard]] std::vector<records::observation> take();

 private:
  struct watched {
    observed_page about;
    page source;
    std::thread thread;
  };

  void watch(watched& of, std::uint64_t start_ns);
  void read(watched& of);
  bool wait_until(std::uint64_t due_ns);
  void add(records::observation what);

  const base::clock& clock_;
  std::uint64_t interval_ns_;
  std::uint64_t timeout_ns_;
  std::vector<std::unique_ptr<watched>> pages_;
  std::atomic<std::size_t> running_ = 0;
  std::atomic<bool> cancelled_ = false;
  std::mutex mutex_;
  std::condition_variable changed_;
  // The members below are protected by mutex_.
  bool finish_ = false;
  std::vector<records::observation> made_;
};

}  // namespace inferbench::observe
