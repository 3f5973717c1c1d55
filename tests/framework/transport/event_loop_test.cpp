#include "transport/event_loop.hpp"

#include <array>
#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <gtest/gtest.h>

#include "framework/transport/clocks.hpp"

namespace inferbench::transport {
namespace {

// A pipe whose reading end is watched; calls `what`, but does not read.
struct watched_pipe final : watcher {
  watched_pipe() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe2(ends.data(), O_NONBLOCK | O_CLOEXEC), 0);
    in = base::fd(ends[0]);
    out = base::fd(ends[1]);
  }
  void write() const { EXPECT_EQ(::write(out.get(), "x", 1), 1); }
  void read() const {
    char byte = 0;
    EXPECT_EQ(::read(in.get(), &byte, 1), 1);
  }
  void on_ready(std::uint32_t events, std::uint64_t stamp) override {
    ++calls;
    last_events = events;
    last_stamp = stamp;
    if (what) what();
  }
  base::fd in, out;
  std::function<void()> what;
  int calls = 0;
  std::uint32_t last_events = 0;
  std::uint64_t last_stamp = 0;
};

struct probe {
  explicit probe(std::function<void(std::uint64_t)> f) : what(std::move(f)) {}
  void fired(std::uint64_t now) { what(now); }
  std::function<void(std::uint64_t)> what;
  timer t{timer::action::to<&probe::fired>(*this)};
};

TEST(event_loop, reports_how_long_ready_sockets_were_not_noticed) {
  test::manual_clock clock;
  event_loop loop(clock);
  watched_pipe busy, late;
  ASSERT_TRUE(loop.add(busy.in.get(), EPOLLIN, busy));
  ASSERT_TRUE(loop.add(late.in.get(), EPOLLIN, late));
  base::histogram lag;
  loop.observe(&lag);
  busy.what = [&] {
    busy.read();
    late.write();
    clock.at += 700;
  };
  late.what = [&] { late.read(); };
  busy.write();
  loop.run_once(true);
  EXPECT_EQ(lag.count(), 1U);
  EXPECT_EQ(lag.maximum(), 0U);
  loop.run_once(true);
  EXPECT_EQ(lag.count(), 2U);
  EXPECT_EQ(lag.maximum(), 700U);
  EXPECT_EQ(loop.turns(), 2U);
  EXPECT_EQ(loop.full_batches(), 0U);
}

TEST(event_loop, wants_stamps_of_the_kernel_unless_the_client_is_to_stamp) {
  const test::manual_clock clock;
  EXPECT_TRUE(event_loop(clock, {.stamping = base::stamping::automatic}).wants_kernel_stamps());
  EXPECT_TRUE(event_loop(clock, {.stamping = base::stamping::kernel}).wants_kernel_stamps());
  EXPECT_FALSE(event_loop(clock).wants_kernel_stamps());
}

TEST(event_loop, knows_when_a_ready_socket_was_last_empty) {
  test::manual_clock clock;
  event_loop loop(clock);
  watched_pipe early, late;
  ASSERT_TRUE(loop.add(early.in.get(), EPOLLIN, early));
  ASSERT_TRUE(loop.add(late.in.get(), EPOLLIN, late));
  std::vector<std::uint64_t> quiet;
  early.what = [&] {
    quiet.push_back(loop.quiet_at());
    early.read();
    clock.at = 3000;
    late.write();
  };
  late.what = [&] {
    quiet.push_back(loop.quiet_at());
    late.read();
  };
  clock.at = 1000;
  loop.run_once(false);  // finds nothing
  clock.at = 2000;
  early.write();
  loop.run_once(false);
  loop.run_once(false);
  // The second look did not report `late`, so `late` had no data at that time.
  EXPECT_EQ(quiet, (std::vector<std::uint64_t>{1000, 2000}));
}

TEST(event_loop, a_look_that_could_not_name_everything_found_nothing_quiet) {
  test::manual_clock clock;
  event_loop loop(clock, {.batch = 1});
  std::array<watched_pipe, 2> pipes;
  std::vector<std::uint64_t> quiet;
  for (watched_pipe& pipe : pipes) {
    ASSERT_TRUE(loop.add(pipe.in.get(), EPOLLIN, pipe));
    pipe.what = [&loop, &pipe, &quiet] {
      quiet.push_back(loop.quiet_at());
      pipe.read();
    };
  }
  clock.at = 1000;
  loop.run_once(false);
  pipes[0].write();
  pipes[1].write();
  for (clock.at = 2000; clock.at <= 3000; clock.at += 1000)
    loop.run_once(false);
  EXPECT_EQ(quiet, (std::vector<std::uint64_t>{1000, 1000}));
}

TEST(event_loop, looks_again_soon_while_it_is_observed) {
  const base::monotonic_clock clock;
  event_loop loop(clock);
  base::histogram lag;
  loop.observe(&lag);
  const std::uint64_t before = clock.now();
  EXPECT_EQ(loop.run_once(true), 0U) << "it did not wait for ever although nothing arrived";
  loop.run_once(true);
  EXPECT_GT(loop.quiet_at(), before);
  EXPECT_EQ(loop.turns(), 0U) << "nothing was done";
}

TEST(event_loop, counts_the_times_that_it_was_kept_from_looking) {
  test::manual_clock clock;
  event_loop loop(clock);
  base::histogram lag;
  loop.observe(&lag);
  for (const std::uint64_t pause : {0U, 10U, 11U, 80U, 1U}) {
    clock.at += base::ns_per_s / 1000 * pause;
    loop.run_once(false);
  }
  EXPECT_EQ(loop.standstills(), 2U);
  EXPECT_EQ(loop.longest_standstill(), 80 * base::ns_per_ms);
  loop.observe(&lag);
  EXPECT_EQ(loop.standstills(), 0U);
}

TEST(event_loop, an_event_that_it_waited_for_has_no_lag) {
  // Each reading of this clock takes 30 us, so that every call of the kernel seems to have waited.
  class slow_clock final : public base::clock {
   public:
    [[nodiscard]] std::uint64_t now() const noexcept override { return at += 30'000; }
    mutable std::uint64_t at = 0;
  } const clock;
  event_loop loop(clock);
  watched_pipe pipe;
  ASSERT_TRUE(loop.add(pipe.in.get(), EPOLLIN, pipe));
  base::histogram lag;
  loop.observe(&lag);
  pipe.write();
  for (int i = 0; i < 3; ++i)
    loop.run_once(true);
  EXPECT_EQ(lag.count(), 3U);
  EXPECT_EQ(lag.maximum(), 0U);
}

TEST(event_loop, counts_the_batches_that_left_something_for_the_next) {
  const test::manual_clock clock;
  event_loop loop(clock, {.batch = 2});
  std::array<watched_pipe, 3> pipes;
  for (watched_pipe& pipe : pipes) {
    ASSERT_TRUE(loop.add(pipe.in.get(), EPOLLIN, pipe));
    pipe.what = [&pipe] { pipe.read(); };
    pipe.write();
  }
  base::histogram lag;
  loop.observe(&lag);
  loop.run_once(true);
  loop.run_once(true);
  EXPECT_EQ(loop.turns(), 2U);
  EXPECT_EQ(loop.full_batches(), 1U);
}

TEST(event_loop, calls_a_watcher_as_long_as_something_is_left_to_read) {
  const test::manual_clock clock;
  event_loop loop(clock);
  watched_pipe pipe;
  ASSERT_TRUE(loop.add(pipe.in.get(), EPOLLIN, pipe));
  EXPECT_EQ(loop.run_once(false), 0U);
  pipe.write();
  EXPECT_EQ(loop.run_once(true), 1U);
  EXPECT_EQ(loop.run_once(true), 1U);
  EXPECT_EQ(pipe.calls, 2);
  EXPECT_TRUE(pipe.last_events & EPOLLIN);
  pipe.read();
  EXPECT_EQ(loop.run_once(false), 0U);
}

TEST(event_loop, gives_one_stamp_to_all_watchers_of_a_batch) {
  const test::counting_clock clock;
  event_loop loop(clock);
  watched_pipe a, b;
  ASSERT_TRUE(loop.add(a.in.get(), EPOLLIN, a));
  ASSERT_TRUE(loop.add(b.in.get(), EPOLLIN, b));
  a.write();
  b.write();
  EXPECT_EQ(loop.run_once(true), 2U);
  EXPECT_EQ(a.last_stamp, b.last_stamp);
  EXPECT_EQ(a.last_stamp, loop.stamp());
  loop.run_once(true);
  EXPECT_GT(loop.stamp(), 0U);
  EXPECT_EQ(a.last_stamp, loop.stamp());
}

TEST(event_loop, does_not_call_a_watcher_removed_earlier_in_the_same_batch) {
  const test::manual_clock clock;
  event_loop loop(clock);
  auto a = std::make_unique<watched_pipe>();
  auto b = std::make_unique<watched_pipe>();
  // The first watcher called removes and destroys the other.
  int calls = 0;
  const auto removes = [&](std::unique_ptr<watched_pipe>& other) {
    return [&] {
      ++calls;
      loop.remove(other->in.get(), *other);
      other.reset();
    };
  };
  a->what = removes(b);
  b->what = removes(a);
  ASSERT_TRUE(loop.add(a->in.get(), EPOLLIN, *a));
  ASSERT_TRUE(loop.add(b->in.get(), EPOLLIN, *b));
  a->write();
  b->write();
  EXPECT_EQ(loop.run_once(true), 1U);
  EXPECT_EQ(calls, 1);
}

TEST(event_loop, a_watcher_may_remove_and_destroy_itself) {
  const test::manual_clock clock;
  event_loop loop(clock);
  auto a = std::make_unique<watched_pipe>();
  a->what = [&] {
    loop.remove(a->in.get(), *a);
    const auto alive_until_the_end = std::move(a);
  };
  ASSERT_TRUE(loop.add(a->in.get(), EPOLLIN, *a));
  a->write();
  EXPECT_EQ(loop.run_once(true), 1U);
  EXPECT_EQ(loop.run_once(false), 0U);
  EXPECT_EQ(a, nullptr);
}

TEST(event_loop, a_watcher_added_in_a_batch_does_not_get_events_of_the_one_it_replaces) {
  const test::manual_clock clock;
  event_loop loop(clock);
  watched_pipe a, b, fresh;
  const auto replace = [&](watched_pipe& other) {
    loop.remove(other.in.get(), other);
    other.in.reset();  // its descriptor number is free again
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe2(ends.data(), O_NONBLOCK | O_CLOEXEC), 0);
    fresh.in = base::fd(ends[0]);
    fresh.out = base::fd(ends[1]);
    ASSERT_TRUE(loop.add(fresh.in.get(), EPOLLIN, fresh));
  };
  a.what = [&] { replace(b); };
  b.what = [&] { replace(a); };
  ASSERT_TRUE(loop.add(a.in.get(), EPOLLIN, a));
  ASSERT_TRUE(loop.add(b.in.get(), EPOLLIN, b));
  a.write();
  b.write();
  EXPECT_EQ(loop.run_once(true), 1U);
  EXPECT_EQ(fresh.calls, 0);
}

TEST(event_loop, refuses_a_descriptor_that_cannot_be_watched) {
  const test::manual_clock clock;
  event_loop loop(clock);
  watched_pipe a;
  EXPECT_FALSE(loop.add(-1, EPOLLIN, a));
  EXPECT_EQ(errno, EBADF);
}

TEST(event_loop, fires_timers_by_the_clock_it_was_given) {
  test::manual_clock clock;
  event_loop loop(clock);
  std::uint64_t fired = 0;
  probe p([&](std::uint64_t now) { fired = now; });
  loop.arm(p.t, 5000);
  EXPECT_EQ(loop.run_once(false), 0U);
  clock.at = 5001;
  EXPECT_EQ(loop.run_once(false), 1U);
  EXPECT_EQ(fired, 5001U);
}

TEST(event_loop, waits_until_a_deadline_and_not_less) {
  const base::monotonic_clock clock;
  event_loop loop(clock);
  std::uint64_t fired = 0;
  probe p([&](std::uint64_t now) { fired = now; });
  const std::uint64_t deadline = clock.now() + 2 * base::ns_per_ms;
  loop.arm(p.t, deadline);
  while (fired == 0)
    loop.run_once(true);
  EXPECT_GE(fired, deadline);
}

TEST(event_loop, an_earlier_deadline_set_later_is_kept) {
  const base::monotonic_clock clock;
  event_loop loop(clock);
  int order = 0;
  int hour = 0;
  int soon = 0;
  probe a([&](std::uint64_t) { hour = ++order; });
  probe b([&](std::uint64_t) { soon = ++order; });
  loop.arm(a.t, clock.now() + 3600 * base::ns_per_s);
  EXPECT_EQ(loop.run_once(false), 0U);
  probe arm_b([&](std::uint64_t now) { loop.arm(b.t, now + base::ns_per_ms); });
  loop.arm(arm_b.t, clock.now() + base::ns_per_ms);
  while (soon == 0)
    loop.run_once(true);
  EXPECT_EQ(soon, 1);
  EXPECT_EQ(hour, 0);
}

TEST(event_loop, a_deadline_after_a_cancelled_one_still_comes) {
  const base::monotonic_clock clock;
  event_loop loop(clock);
  bool early = false;
  bool fired = false;
  probe cancelled([&](std::uint64_t) { early = true; });
  probe kept([&](std::uint64_t) { fired = true; });
  watched_pipe pipe;
  ASSERT_TRUE(loop.add(pipe.in.get(), EPOLLIN, pipe));
  pipe.what = [&] { pipe.read(); };
  do {  // again if this thread was so slow that the first deadline had passed already
    early = fired = false;
    loop.arm(kept.t, clock.now() + 3 * base::ns_per_ms);
    loop.arm(cancelled.t, clock.now() + base::ns_per_ms);
    pipe.write();
    loop.run_once(true);  // sets the timer descriptor for the timer that is then cancelled
    loop.cancel(cancelled.t);
  } while (early);
  while (!fired)
    loop.run_once(true);
  EXPECT_FALSE(early);
}

TEST(event_loop, a_timer_does_not_wait_for_the_end_of_a_long_batch) {
  test::manual_clock clock;
  event_loop loop(clock);
  std::vector<std::unique_ptr<watched_pipe>> pipes;
  int calls = 0;
  int calls_before_timer = -1;
  probe p([&](std::uint64_t) { calls_before_timer = calls; });
  loop.arm(p.t, clock.at + 10);
  for (int i = 0; i < 60; ++i) {
    pipes.push_back(std::make_unique<watched_pipe>());
    pipes.back()->what = [&] {
      ++calls;
      ++clock.at;  // each watcher takes one nanosecond
    };
    ASSERT_TRUE(loop.add(pipes.back()->in.get(), EPOLLIN, *pipes.back()));
    pipes.back()->write();
  }
  EXPECT_EQ(loop.run_once(false), 61U);
  EXPECT_EQ(calls, 60);
  EXPECT_GE(calls_before_timer, 10);
  EXPECT_LT(calls_before_timer, 20);
}

TEST(event_loop, a_timer_may_remove_a_watcher_whose_turn_is_next) {
  test::manual_clock clock;
  event_loop loop(clock);
  std::vector<std::unique_ptr<watched_pipe>> pipes;
  int calls = 0;
  probe p([&](std::uint64_t) {
    for (auto& pipe : pipes) {
      loop.remove(pipe->in.get(), *pipe);
      pipe.reset();
    }
  });
  loop.arm(p.t, clock.at + 1);
  for (int i = 0; i < 60; ++i) {
    pipes.push_back(std::make_unique<watched_pipe>());
    pipes.back()->what = [&] {
      ++calls;
      ++clock.at;
    };
    ASSERT_TRUE(loop.add(pipes.back()->in.get(), EPOLLIN, *pipes.back()));
    pipes.back()->write();
  }
  loop.run_once(false);
  EXPECT_GE(calls, 1);
  EXPECT_LT(calls, 20);
}

TEST(event_loop, is_woken_from_another_thread_and_sees_its_writes) {
  const base::monotonic_clock clock;
  event_loop loop(clock);
  int value = 0;  // not atomic, because the wake-up synchronises both threads
  int seen = 0;
  auto look = [&] { seen = value; };
  loop.on_wake(callback<void()>::of(look));
  std::thread other([&] {
    value = 42;
    loop.wake();
  });
  while (seen == 0)
    loop.run_once(true);
  other.join();
  EXPECT_EQ(seen, 42);
}

TEST(event_loop, loses_no_wake_up_and_merges_simultaneous_wake_ups) {
  const base::monotonic_clock clock;
  event_loop loop(clock);
  std::atomic<int> sent = 0;
  int seen = 0;
  int handled = 0;
  auto look = [&] {
    ++handled;
    seen = sent.load();
  };
  loop.on_wake(callback<void()>::of(look));
  loop.wake();
  loop.wake();
  loop.run_once(true);
  EXPECT_EQ(handled, 1);
  std::thread other([&] {
    for (int i = 0; i < 1000; ++i) {
      ++sent;
      loop.wake();
    }
  });
  while (seen < 1000)
    loop.run_once(true);
  other.join();
  EXPECT_EQ(seen, 1000);
}

TEST(event_loop, stops_from_another_thread_and_also_before_it_runs) {
  const base::monotonic_clock clock;
  event_loop loop(clock);
  loop.stop();
  loop.run();
  std::thread other([&] { loop.stop(); });
  loop.run();
  other.join();
}

}  // namespace
}  // namespace inferbench::transport
