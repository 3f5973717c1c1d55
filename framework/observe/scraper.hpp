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

/// The time of the first reading after `now_ns`, start_ns + n * interval_ns for n = 0, 1, ...;
/// overdue readings are skipped. All times are monotonic nanoseconds; `interval_ns` is not 0.
[[nodiscard]] std::uint64_t next_reading(std::uint64_t start_ns, std::uint64_t interval_ns,
                                         std::uint64_t now_ns) noexcept;

/// The time for which a thread may wait at `now_ns` for `due_ns`, which must be later: at most an
/// hour. The thread then reads the clock and calls this function again.
[[nodiscard]] std::chrono::nanoseconds wait_before(std::uint64_t due_ns,
                                                   std::uint64_t now_ns) noexcept;

/// The series of one metrics page. Makes an observation of each answer that was fetched from the
/// page. One thread at a time; no I/O.
class observed_page {
 public:
  /// `number`: the index of the page, by which observations name it. `patterns`: see source_series.
  observed_page(std::uint32_t number, std::string url, std::uint64_t interval_ns,
                std::vector<std::string> patterns);

  /// The observation before the first reading: URL and interval.
  [[nodiscard]] records::observation opening() const;
  /// The observation of the answer to a request that was sent at `sent_ns` and completed at
  /// `done_ns`, in monotonic nanoseconds. Its time is the middle between the two. An answer with a
  /// status other than 200, or without metrics, gives an observation with an error.
  [[nodiscard]] records::observation read(const transport::fetch_result& answer,
                                          std::uint64_t sent_ns, std::uint64_t done_ns);
  /// The observation after the last reading: URL, interval and the definitions of all series.
  [[nodiscard]] records::observation closing() const;

 private:
  std::uint32_t number_;
  std::string url_;
  std::uint64_t interval_ns_;
  source_series series_;
};

/// Owned by the main thread, which calls all functions without a mark. `clock` must outlive the
/// object.
class scraper {
 public:
  /// The largest page in bytes, for the function `fetch` of a page: a larger page is an error.
  static constexpr std::size_t most_page_bytes = std::size_t{16} << 20U;

  /// A page to be read. `fetch` sends one request and waits for the answer, at most `timeout_ns`
  /// (the interval, but at least 1 s); it ends early if `stop` returns true. It is called on the
  /// page's thread and must not throw.
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
  /// base::error if a thread cannot be started; the threads started before go on until cancel().
  void start(std::uint64_t start_ns);
  /// [any thread] Tells each thread to read its page once more, after the request in flight, and to
  /// end. Does not wait for the threads.
  void finish() noexcept;
  /// [any thread] Tells each thread to give up its request in flight, without an observation, and
  /// to end. Does not wait for the threads.
  void cancel() noexcept;
  /// [any thread] Whether no thread runs: before start(), and after all threads have ended.
  [[nodiscard]] bool over() const noexcept { return running_.load() == 0; }
  /// Waits until all threads have ended. To be called after finish() or cancel().
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
