// Traffic and probes over an engine instead of connections.
#include <atomic>
#include <csignal>
#include <cstdio>
#include <future>
#include <memory>
#include <mutex>
#include <set>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/error.hpp"
#include "base/fd.hpp"
#include "framework/client/fake_engine.hpp"
#include "framework/dataset/fake_dataset.hpp"
#include "observe/probes.hpp"
#include "run/rehearsal.hpp"
#include "run/sources.hpp"
#include "run/traffic.hpp"

namespace inferbench::run {
namespace {

using client::testing::fake_engine;
using client::testing::text_sample;
using ::testing::IsEmpty;

TEST(permits, are_as_many_as_the_user_sets_or_unlimited) {
  fake_engine engine;
  EXPECT_EQ(permits(engine.shared(), {}), std::nullopt);
  EXPECT_EQ(permits(engine.shared(), {.max_concurrency = 5}), 5);
  EXPECT_EQ(permits(client::backend{}, {}), std::nullopt);
}

TEST(permits, of_an_engine_that_blocks_are_bounded) {
  fake_engine engine;
  engine.blocking = true;
  EXPECT_EQ(permits(engine.shared(), {}), 1024);
  EXPECT_EQ(permits(engine.shared(), {.max_concurrency = 5}), 5);
  EXPECT_EQ(permits(engine.shared(), {.max_concurrency = 5000}), 5000);
}

TEST(engine_traffic, of_several_workers_reaches_one_engine) {
  for (const bool blocking : {false, true}) {
    SCOPED_TRACE(blocking);
    fake_engine engine;
    engine.blocking = blocking;
    engine.submits = [](fake_engine::call& c, ifb_error*) {
      c.token("a");
      c.done();
      return IFB_OK;
    };
    const base::monotonic_clock clock;
    const client::backend shared = engine.shared();
    const ifb_sample sample = text_sample();
    repeated_sample jobs(sample, 200, clock.now());
    traffic requests(clock, shared, jobs, {.workers = 4, .max_concurrency = 8});
    std::mutex mutex;
    std::set<std::uint64_t> good;
    requests.start(
        [&](std::size_t, client::record&& r) {
          const std::lock_guard lock(mutex);
          if (r.ok()) good.insert(r.sequence);
        },
        [](std::size_t) {});
    requests.begin();
    requests.join();
    EXPECT_EQ(good.size(), 200U);
    EXPECT_EQ(requests.counts().finished, 200U);
  }
}

TEST(engine_traffic, submits_in_the_descriptor_table_of_create) {
  fake_engine engine;
  std::atomic<int> opened = -1;
  engine.submits = [&](fake_engine::call& c, ifb_error*) {
    opened = ::dup(STDERR_FILENO);
    c.token("a");
    c.done();
    return IFB_OK;
  };
  const base::monotonic_clock clock;
  const client::backend shared = engine.shared();
  const ifb_sample sample = text_sample();
  repeated_sample jobs(sample, 1, clock.now());
  traffic requests(clock, shared, jobs, {.workers = 2, .max_concurrency = 2, .own_tables = true});
  requests.start([](std::size_t, client::record&&) {}, [](std::size_t) {});
  requests.begin();
  requests.join();
  const base::fd valid_here(opened);
  EXPECT_NE(::fcntl(valid_here.get(), F_GETFD), -1);
}

TEST(engine_rehearsal, that_is_stopped_reports_it_to_an_engine_that_cannot_be_cancelled) {
  fake_engine engine;
  engine.blocking = true;
  engine.names_calls = false;
  std::promise<void> stopping;
  auto stopped = stopping.get_future().share();
  engine.submits = [&](fake_engine::call& c, ifb_error*) {
    EXPECT_EQ(::kill(::getpid(), SIGINT), 0);
    stopped.wait();
    c.error(IFB_E_CANCELLED, "as you wish");
    return IFB_OK;
  };
  const base::monotonic_clock clock;
  const client::backend shared = engine.shared();
  config::preparation wanted;
  wanted.num_warmups = 1;
  interrupt signals;
  signals.hold();
  fake::log_book book;
  const std::unique_ptr<std::FILE, decltype(&std::fclose)> null(std::fopen("/dev/null", "w"),
                                                                &std::fclose);
  base::output nowhere(null.get());
  services::console out(nowhere);
  dataset::sample first;
  first.clear();
  first.c = text_sample();
  const rehearsal with{
      wanted, {}, true, shared, clock, signals, book.log, out, [&] { stopping.set_value(); }};
  EXPECT_THROW(warm_up(with, first), base::error);
  EXPECT_EQ(engine.count(), 1U);
}

struct engine_traffic_bench {
  void make(double per_second) {
    shared = engine.shared();
    subject.emplace(clock, shared, sample, per_second, base::stamping::client);
  }
  void wait_until_over() {
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!subject->over() && std::chrono::steady_clock::now() < give_up)
      std::this_thread::yield();
    EXPECT_TRUE(subject->over());
  }

  const base::monotonic_clock clock;
  fake_engine engine;
  client::backend shared;
  ifb_sample sample = text_sample();
  std::optional<observe::probes> subject;
};

TEST(engine_probes, are_performed_by_the_engine) {
  engine_traffic_bench b;
  b.make(1e9);
  b.subject->start(b.clock.now());
  for (std::size_t n = 0; n < 3; ++n) {
    const auto& call = b.engine.submitted(n);
    EXPECT_EQ(call.sample->id.size, 0U);
    if (n == 1) {
      call.error(IFB_E_REMOTE, "busy");
      continue;
    }
    call.token("a");
    if (n == 2) b.subject->finish();
    call.done();
  }
  b.wait_until_over();
  const observe::probe_results found = b.subject->results();
  EXPECT_EQ(found.latencies_ms.size(), 2U);
  EXPECT_EQ(found.failed, 1U);
  EXPECT_EQ(found.first_error, "busy");
}

TEST(engine_probes, that_are_cancelled_end_and_are_not_counted) {
  engine_traffic_bench b;
  b.engine.cancels = [](fake_engine::call& c) { c.error(IFB_E_CANCELLED, "as you wish"); };
  b.make(10);
  b.subject->start(b.clock.now());
  b.engine.submitted(0);
  b.subject->cancel();
  b.wait_until_over();
  const observe::probe_results found = b.subject->results();
  EXPECT_THAT(found.latencies_ms, IsEmpty());
  EXPECT_EQ(found.failed, 0U);
}

TEST(engine_probes, without_a_token_last_until_their_end) {
  engine_traffic_bench b;
  b.make(10);
  b.subject->start(b.clock.now());
  const auto& call = b.engine.submitted(0);
  b.subject->finish();
  call.done();
  b.wait_until_over();
  const observe::probe_results found = b.subject->results();
  ASSERT_EQ(found.latencies_ms.size(), 1U);
  EXPECT_GT(found.latencies_ms[0], 0);
}

}  // namespace
}  // namespace inferbench::run
