#include "transport/timer.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <random>

#include <gtest/gtest.h>

#include "framework/transport/allocations.hpp"

namespace inferbench::transport {
namespace {

// A timer that calls a std::function.
struct timer_probe {
  explicit timer_probe(std::function<void(std::uint64_t)> f) : what(std::move(f)) {}
  void fired(std::uint64_t now) { what(now); }
  std::function<void(std::uint64_t)> what;
  timer t{timer::action::to<&timer_probe::fired>(*this)};
};

TEST(timer_queue, counts_a_limit_from_a_time_and_none_as_never) {
  EXPECT_EQ(timer_queue::after(5, 7), 12U);
  EXPECT_EQ(timer_queue::after(5, 0), timer_queue::never);
  EXPECT_EQ(timer_queue::after(5, UINT64_MAX), timer_queue::never);
}

TEST(timer_queue, fires_due_timers_in_the_order_of_deadlines) {
  timer_queue queue;
  std::vector<int> order;
  timer_probe a([&](std::uint64_t) { order.push_back(1); });
  timer_probe b([&](std::uint64_t) { order.push_back(2); });
  timer_probe c([&](std::uint64_t) { order.push_back(3); });
  queue.arm(c.t, 30);
  queue.arm(a.t, 10);
  queue.arm(b.t, 20);
  EXPECT_EQ(queue.next(), 10U);
  EXPECT_EQ(queue.fire(9), 0U);
  EXPECT_EQ(queue.fire(20), 2U);
  EXPECT_EQ(order, (std::vector{1, 2}));
  EXPECT_FALSE(a.t.armed());
  EXPECT_TRUE(c.t.armed());
  EXPECT_EQ(queue.next(), 30U);
}

TEST(timer_queue, fires_equal_deadlines_in_the_order_of_arming) {
  timer_queue queue;
  std::vector<int> order;
  std::vector<std::unique_ptr<timer_probe>> probes;
  for (int i = 0; i < 50; ++i) {
    probes.push_back(
        std::make_unique<timer_probe>([&order, i](std::uint64_t) { order.push_back(i); }));
    queue.arm(probes.back()->t, 5);
  }
  queue.fire(5);
  EXPECT_EQ(order.size(), 50U);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(timer_queue, passes_the_time_to_the_callback_and_keeps_the_deadline) {
  timer_queue queue;
  std::uint64_t seen = 0;
  timer_probe a([&](std::uint64_t now) { seen = now; });
  queue.arm(a.t, 100);
  queue.fire(140);
  EXPECT_EQ(seen, 140U);
  EXPECT_EQ(a.t.deadline(), 100U);
}

TEST(timer_queue, arming_again_moves_the_deadline) {
  timer_queue queue;
  int fired = 0;
  timer_probe a([&](std::uint64_t) { ++fired; });
  queue.arm(a.t, 10);
  queue.arm(a.t, 20);
  EXPECT_EQ(queue.size(), 1U);
  queue.fire(15);
  EXPECT_EQ(fired, 0);
  queue.fire(20);
  EXPECT_EQ(fired, 1);
}

TEST(timer_queue, a_callback_may_cancel_a_timer_that_is_due_as_well) {
  timer_queue queue;
  int fired = 0;
  timer_probe b([&](std::uint64_t) { ++fired; });
  timer_probe a([&](std::uint64_t) { queue.cancel(b.t); });
  queue.arm(a.t, 1);
  queue.arm(b.t, 2);
  EXPECT_EQ(queue.fire(10), 1U);
  EXPECT_EQ(fired, 0);
  EXPECT_EQ(queue.next(), timer_queue::never);
}

TEST(timer_queue, a_callback_may_destroy_its_own_timer_and_others) {
  timer_queue queue;
  auto b = std::make_unique<timer_probe>([](std::uint64_t) { FAIL(); });
  std::unique_ptr<timer_probe> a;
  a = std::make_unique<timer_probe>([&](std::uint64_t) {
    b.reset();
    const auto alive_until_the_end = std::move(a);
  });
  queue.arm(a->t, 1);
  queue.arm(b->t, 1);
  EXPECT_EQ(queue.fire(1), 1U);
  EXPECT_EQ(queue.size(), 0U);
}

TEST(timer_queue, a_timer_that_rearms_itself_in_the_past_does_not_block_others) {
  timer_queue queue;
  int again = 0;
  int other = 0;
  timer_probe a([&](std::uint64_t) {
    ++again;
    queue.arm(a.t, 0);
  });
  timer_probe b([&](std::uint64_t) { ++other; });
  queue.arm(a.t, 1);
  queue.arm(b.t, 9);
  EXPECT_EQ(queue.fire(10), 2U);
  EXPECT_EQ(again, 1);
  EXPECT_EQ(other, 1);
  EXPECT_EQ(queue.fire(10), 1U) << "it is due again at once";
}

TEST(timer_queue, dies_before_its_timers_without_harm) {
  int fired = 0;
  timer_probe a([&](std::uint64_t) { ++fired; });
  {
    timer_queue queue;
    queue.arm(a.t, 1);
  }
  EXPECT_FALSE(a.t.armed());
  EXPECT_EQ(fired, 0);
}

TEST(timer_queue, agrees_with_sorting_under_random_arming_and_cancelling) {
  std::mt19937 random(1);
  timer_queue queue;
  std::vector<std::uint64_t> fired;
  std::vector<std::unique_ptr<timer_probe>> probes;
  std::vector<std::uint64_t> deadline(300, 0);  // 0: not armed
  for (std::size_t i = 0; i < deadline.size(); ++i)
    probes.push_back(std::make_unique<timer_probe>(
        [&fired, &probes, i](std::uint64_t) { fired.push_back(probes[i]->t.deadline()); }));
  for (int step = 0; step < 5000; ++step) {
    const std::size_t i = random() % deadline.size();
    deadline[i] = random() % 3 == 0 ? 0 : 1 + random() % 1000;
    if (deadline[i] == 0)
      queue.cancel(probes[i]->t);
    else
      queue.arm(probes[i]->t, deadline[i]);
  }
  std::erase(deadline, 0);
  std::sort(deadline.begin(), deadline.end());
  EXPECT_EQ(queue.next(), deadline.front());
  queue.fire(1000);
  EXPECT_EQ(fired, deadline);
}

TEST(timer_queue, arms_without_allocation_once_it_has_held_as_many) {
  timer_queue queue;
  std::vector<std::unique_ptr<timer_probe>> probes;
  for (int i = 0; i < 100; ++i)
    probes.push_back(std::make_unique<timer_probe>([](std::uint64_t) {}));
  for (auto& p : probes)
    queue.arm(p->t, 7);
  queue.fire(7);
  const auto before = test::allocations();
  for (auto& p : probes)
    queue.arm(p->t, 9);
  queue.cancel(probes[3]->t);
  queue.fire(9);
  EXPECT_EQ(test::allocations(), before);
}

}  // namespace
}  // namespace inferbench::transport
