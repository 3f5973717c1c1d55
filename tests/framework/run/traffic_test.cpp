#include "run/traffic.hpp"

#include <atomic>
#include <filesystem>
#include <iterator>
#include <limits>
#include <mutex>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/resource.h>

#include "base/error.hpp"
#include "framework/client/fake_codec.hpp"
#include "framework/transport/loopback.hpp"
#include "run/sources.hpp"
#include "support/sanitizer.hpp"

namespace inferbench::run {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(shares, are_unlimited_without_a_cap) {
  EXPECT_THAT(shares(2, std::nullopt), ElementsAre(SIZE_MAX, SIZE_MAX));
}

TEST(shares, add_up_to_the_cap) {
  EXPECT_THAT(shares(4, 10), ElementsAre(3, 3, 2, 2));
  EXPECT_THAT(shares(1, 64), ElementsAre(64));
}

TEST(shares, leave_out_workers_without_connections) {
  EXPECT_THAT(shares(8, 3), ElementsAre(1, 1, 1));
}

constexpr double at_once = std::numeric_limits<double>::infinity();

TEST(connections_ahead, are_as_many_as_may_be_in_flight) {
  EXPECT_EQ(
      connections_ahead(
          {.planned = 1000, .max_concurrency = 64, .request_rate = at_once, .descriptors = 20000}),
      64U);
  EXPECT_EQ(
      connections_ahead(
          {.planned = 10, .max_concurrency = 64, .request_rate = at_once, .descriptors = 20000}),
      10U);
  EXPECT_EQ(connections_ahead({.planned = 1000, .request_rate = at_once, .descriptors = 20000}),
            1000U);
}

TEST(connections_ahead, of_a_paced_run_are_as_many_as_requests_that_are_due_first) {
  EXPECT_EQ(connections_ahead(
                {.planned = 1000, .max_concurrency = 64, .request_rate = 10, .descriptors = 20000}),
            2U);
  EXPECT_EQ(connections_ahead({.planned = 1000, .request_rate = 0.1, .descriptors = 20000}), 1U);
  EXPECT_EQ(
      connections_ahead(
          {.planned = 1000, .max_concurrency = 64, .request_rate = 1e9, .descriptors = 20000}),
      64U);
  EXPECT_EQ(connections_ahead({.planned = 1000, .request_rate = 0, .descriptors = 20000}), 1U);
}

TEST(connections_ahead, never_need_more_descriptors_than_there_are) {
  EXPECT_EQ(connections_ahead({.planned = 1000000, .request_rate = at_once, .descriptors = 1128}),
            1000U);
  EXPECT_EQ(connections_ahead({.planned = 5, .request_rate = at_once, .descriptors = 20}), 0U);
}

TEST(connections_ahead, are_the_number_of_the_user_but_not_more_than_requests) {
  EXPECT_EQ(connections_ahead(
                {.asked = 0, .planned = 1000, .request_rate = at_once, .descriptors = 20000}),
            0U);
  EXPECT_EQ(connections_ahead({.asked = 7,
                               .planned = 1000,
                               .max_concurrency = 2,
                               .request_rate = 1,
                               .descriptors = 20000}),
            7U);
  EXPECT_EQ(connections_ahead({.asked = 7, .planned = 3, .request_rate = 1, .descriptors = 20000}),
            3U);
}

TEST(connections_ahead, of_several_workers_may_fill_a_table_for_each) {
  // In each table 128 descriptors are reserved for other uses, and three more for each further
  // worker.
  expected_load load{.planned = 1000000, .request_rate = at_once, .descriptors = 1128};
  load.workers = 3;
  EXPECT_EQ(connections_ahead(load), 3U * 994U);
  load.asked = 2000;
  EXPECT_EQ(connections_ahead(load), 2000U);
}

TEST(need_own_tables, where_one_may_be_too_small_and_there_are_several_workers) {
  expected_load load{.planned = 1000, .request_rate = at_once, .descriptors = 1128, .workers = 2};
  EXPECT_TRUE(need_own_tables(load));  // one table has room for 997 connections
  load.planned = 997;
  EXPECT_FALSE(need_own_tables(load));
  load.planned = 1000000;
  EXPECT_TRUE(need_own_tables(load));
  load.max_concurrency = 997;
  EXPECT_FALSE(need_own_tables(load));
  load.max_concurrency = 998;
  EXPECT_TRUE(need_own_tables(load));
  load.workers = 1;
  EXPECT_FALSE(need_own_tables(load));
}

TEST(need_own_tables, counts_idle_connections_to_other_servers) {
  expected_load load{.planned = 5000, .max_concurrency = 498, .descriptors = 1128, .workers = 2};
  EXPECT_FALSE(need_own_tables(load));
  load.servers = 2;
  EXPECT_FALSE(need_own_tables(load));
  load.max_concurrency = 499;
  EXPECT_TRUE(need_own_tables(load));
  load.planned = 997;  // no more connections than requests
  EXPECT_FALSE(need_own_tables(load));
}

TEST(need_own_tables, includes_the_connections_that_the_user_wants_opened_in_advance) {
  expected_load load{
      .asked = 998, .planned = 5000, .max_concurrency = 8, .descriptors = 1128, .workers = 2};
  EXPECT_TRUE(need_own_tables(load));
  load.asked = 997;
  EXPECT_FALSE(need_own_tables(load));
}

TEST(too_many_connections, are_reported_with_the_sufficient_number_of_workers) {
  expected_load load{
      .planned = 100000, .max_concurrency = 50000, .request_rate = at_once, .descriptors = 20000};
  EXPECT_EQ(too_many_connections(load),
            "50000 connections at once need more than the limit of 20000 open files: use --workers "
            "3, raise it (ulimit -n), or lower --max-concurrency");
  load.workers = 2;
  EXPECT_EQ(too_many_connections(load),
            "50000 connections at once need more than the limit of 20000 open files for each "
            "worker: use --workers 3, raise it (ulimit -n), or lower --max-concurrency");
  load.workers = 3;
  EXPECT_EQ(too_many_connections(load), "");
}

TEST(too_many_connections, are_reported_without_a_number_if_no_number_is_sufficient) {
  const expected_load load{.planned = 100000, .request_rate = at_once, .descriptors = 130};
  EXPECT_EQ(too_many_connections(load),
            "100000 connections at once need more than the limit of 130 open files: raise it "
            "(ulimit -n), or lower --max-concurrency");
}

TEST(too_many_connections, are_reported_only_if_they_are_certain) {
  // For a paced run the number of requests in flight is not known.
  expected_load load{.planned = 100000, .request_rate = 10, .descriptors = 20000};
  EXPECT_EQ(too_many_connections(load), "");
  load.asked = 30000;
  EXPECT_THAT(too_many_connections(load), HasSubstr("30000 connections at once"));
}

/// Counts the descriptors of this process, and limits their number during its lifetime.
class few_descriptors {
 public:
  explicit few_descriptors(rlim_t limit) {
    EXPECT_EQ(::getrlimit(RLIMIT_NOFILE, &before_), 0);
    const rlimit few{limit, before_.rlim_max};
    EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  }
  few_descriptors(const few_descriptors&) = delete;
  few_descriptors& operator=(const few_descriptors&) = delete;
  ~few_descriptors() { EXPECT_EQ(::setrlimit(RLIMIT_NOFILE, &before_), 0); }

  [[nodiscard]] static std::size_t in_use() {
    const std::filesystem::directory_iterator all("/proc/self/fd");
    return static_cast<std::size_t>(std::distance(begin(all), end(all)));
  }

 private:
  rlimit before_{};
};

/// Opens more connections than one table holds and fewer than two tables hold. The limit on
/// descriptors holds during its lifetime.
class crowd {
 public:
  explicit crowd(bool own_tables) {
    shared_.servers = {&server_};
    server_.addresses = {listener_.where()};
    traffic_settings settings{.workers = 2, .connections_ahead = count(), .own_tables = own_tables};
    settings.warn = [this](const std::string& line) {
      const std::lock_guard lock(mutex_);
      lines_.push_back(line);
    };
    requests_.emplace(clock_, shared_, jobs_, settings);
    requests_->start([](std::size_t, client::record&&) {}, [](std::size_t) {});
    while (!requests_->ready())
      std::this_thread::yield();
  }
  crowd(const crowd&) = delete;
  crowd& operator=(const crowd&) = delete;
  ~crowd() = default;

  void stop() {
    requests_->stop();
    requests_->join();
  }

  [[nodiscard]] std::size_t count() const { return limit_ + 10; }
  [[nodiscard]] const transport::test::loopback& listener() const { return listener_; }
  /// Warnings, after stop().
  [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }

 private:
  const base::monotonic_clock clock_;
  // A backlog that is longer than count(): nobody accepts.
  const transport::test::loopback listener_{true, 1024};
  transport::endpoint server_{transport::parse_url("http://127.0.0.1:1"), {}};
  client::backend shared_;
  const ifb_sample sample_{};
  repeated_sample jobs_{sample_, 0, 0};
  std::mutex mutex_;
  std::vector<std::string> lines_;
  const std::size_t limit_ = 2 * few_descriptors::in_use() + 60;
  const few_descriptors limited_{limit_};
  std::optional<traffic> requests_;
};

TEST(traffic, fails_to_open_more_connections_than_one_table_holds) {
#if INFERBENCH_ADDRESS_SANITIZER && !defined(__clang__)
  // UBSan's check of an object's type opens a pipe to find out whether the memory is readable.
  GTEST_SKIP() << "without a free descriptor the sanitizer reports every object as invalid";
#endif
  crowd all(false);
  all.stop();
  EXPECT_THAT(all.lines(), ::testing::Contains(HasSubstr("too many open files")));
}

TEST(traffic, workers_with_tables_of_their_own_hold_more_connections_than_one_holds) {
#if INFERBENCH_THREAD_SANITIZER
  // ThreadSanitizer assumes that all threads share one table of descriptors.
  GTEST_SKIP() << "tests/program/cli does this with the whole program";
#endif
  const std::size_t before = few_descriptors::in_use();
  std::vector<base::fd> ours;
  {
    crowd all(true);
    // These descriptors have the same numbers as connections in the workers' tables.
    while (ours.size() < 10)
      ours.emplace_back(::dup(all.listener().fd()));
    all.stop();
    ASSERT_THAT(all.lines(), IsEmpty());
    // Each connection was open until its worker closed it, on the worker's own thread.
    for (std::size_t i = 0; i < all.count(); ++i) {
      const base::fd peer = all.listener().accept();
      pollfd end{peer.get(), POLLIN, 0};
      ASSERT_EQ(::poll(&end, 1, 20'000), 1);
      ASSERT_EQ(transport::test::read_some(peer, 1), "");
    }
  }
  EXPECT_EQ(few_descriptors::in_use(), before + ours.size());
}

/// An endless supply of requests that are due in an hour.
class far_off final : public client::source {
 public:
  far_off(const ifb_sample& sample, std::uint64_t due_ns) : sample_(sample), due_ns_(due_ns) {}
  dataset::taken try_take(client::job& out) override {
    out = {nullptr, &sample_, taken++, due_ns_};
    return dataset::taken::sample;
  }

  std::atomic<std::uint64_t> taken = 0;

 private:
  const ifb_sample& sample_;
  const std::uint64_t due_ns_;
};

TEST(traffic, has_as_many_requests_ready_before_they_are_due_as_a_burst_needs) {
  const base::monotonic_clock clock;
  const transport::test::loopback server;
  const transport::endpoint where{transport::parse_url(server.url()), {server.where()}};
  client::testing::fake_codec codec;
  client::backend shared = codec.shared(where);
  const ifb_sample sample = client::testing::text_sample();
  far_off jobs(sample, clock.now() + 3600 * base::ns_per_s);
  traffic requests(clock, shared, jobs,
                   {.workers = 1, .max_concurrency = 1000, .requests_ahead = 301});
  requests.start([](std::size_t, client::record&&) {}, [](std::size_t) {});
  while (!requests.ready())
    std::this_thread::yield();
  requests.begin();
  const std::uint64_t give_up = clock.now() + 20 * base::ns_per_s;
  while (jobs.taken < 301 && clock.now() < give_up)
    std::this_thread::yield();
  requests.stop();
  requests.join();
  EXPECT_EQ(jobs.taken, 301U);
  EXPECT_EQ(requests.counts().started, 0U);
}

TEST(traffic, that_cannot_begin_reports_why_and_the_end_of_every_worker) {
  const base::monotonic_clock clock;
  const transport::endpoint nowhere{transport::parse_url("http://127.0.0.1:1"), {}};
  client::backend shared;
  shared.servers = {&nowhere};
  const ifb_sample sample{};
  repeated_sample jobs(sample, 1, 0);

  // UndefinedBehaviorSanitizer needs a descriptor when it checks a class for the first time.
  EXPECT_THROW(throw base::error("no matter what"), base::error);
  std::vector<std::size_t> ends;
  {
    const few_descriptors limited(16);
    traffic requests(clock, shared, jobs, {.workers = 10});
    EXPECT_THROW(requests.start([](std::size_t, client::record&&) {},
                                [&](std::size_t i) { ends.push_back(i); }),
                 base::error);
    EXPECT_TRUE(requests.over());
  }
  EXPECT_THAT(ends, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
}

}  // namespace inferbench::run
