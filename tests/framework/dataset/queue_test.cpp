#include "dataset/queue.hpp"

#include <chrono>
#include <thread>
#include <tuple>

#include <gtest/gtest.h>

namespace {

using inferbench::dataset::pool;
using inferbench::dataset::queue;
using inferbench::dataset::sample_ptr;
using inferbench::dataset::taken;

sample_ptr numbered(pool& from, std::uint64_t sequence) {
  sample_ptr out = from.take();
  out->sequence = sequence;
  return out;
}

/// A sample with `bytes` bytes of memory.
sample_ptr sized(pool& from, std::uint64_t sequence, std::size_t bytes) {
  sample_ptr out = numbered(from, sequence);
  std::ignore = out->arena.alloc(bytes);
  return out;
}

TEST(queue, samples_leave_in_the_order_in_which_they_came) {
  pool p;
  queue q;
  q.open(3);
  for (std::uint64_t round = 0; round < 4; ++round) {  // goes around the ring buffer
    q.push(numbered(p, 2 * round));
    q.push(numbered(p, 2 * round + 1));
    EXPECT_EQ(q.pop()->sequence, 2 * round);
    EXPECT_EQ(q.pop()->sequence, 2 * round + 1);
  }
}

TEST(queue, trying_distinguishes_later_from_end) {
  pool p;
  queue q;
  q.open(2);
  sample_ptr out;
  EXPECT_EQ(q.try_pop(out), taken::later);
  q.push(numbered(p, 7));
  q.close();
  EXPECT_EQ(q.try_pop(out), taken::sample);
  EXPECT_EQ(out->sequence, 7U);
  EXPECT_EQ(q.try_pop(out), taken::end);
  EXPECT_EQ(q.pop(), nullptr);
}

TEST(queue, a_cancelled_queue_drops_its_samples_and_accepts_no_more) {
  pool p;
  queue q;
  q.open(2);
  q.push(numbered(p, 1));
  q.cancel();
  EXPECT_EQ(q.pop(), nullptr);
  EXPECT_FALSE(q.push(numbered(p, 2)));
  q.wait_until_full(std::chrono::hours(1));  // returns: the queue was cancelled
}

TEST(queue, a_push_waits_for_room) {
  pool p;
  queue q;
  q.open(1);
  q.push(numbered(p, 0));
  std::thread pusher([&] {
    q.push(numbered(p, 1));
    q.close();
  });
  EXPECT_EQ(q.pop()->sequence, 0U);
  EXPECT_EQ(q.pop()->sequence, 1U);
  EXPECT_EQ(q.pop(), nullptr);
  pusher.join();
}

TEST(queue, a_push_into_a_full_one_goes_on_when_half_of_it_is_taken) {
  pool p;
  queue q;
  q.open(4);
  for (std::uint64_t n = 0; n < 4; ++n)
    q.push(numbered(p, n));
  // The thread pushes only one sample: a second push between the pops would fill the queue again,
  // and wait for a third pop.
  std::thread pusher([&] { q.push(numbered(p, 4)); });
  EXPECT_EQ(q.pop()->sequence, 0U);
  EXPECT_EQ(q.pop()->sequence, 1U);
  pusher.join();
  q.push(numbered(p, 5));
  q.close();
  for (std::uint64_t n = 2; n < 6; ++n)
    EXPECT_EQ(q.pop()->sequence, n);
  EXPECT_EQ(q.pop(), nullptr);
}

TEST(queue, cancelling_wakes_all_waiting_threads) {
  pool p;
  queue full;
  full.open(1);
  full.push(numbered(p, 0));
  bool pushed = true;
  std::thread pusher([&] { pushed = full.push(numbered(p, 1)); });
  queue empty;
  empty.open(1);
  std::thread taker([&] { EXPECT_EQ(empty.pop(), nullptr); });
  std::thread waiter([&] { empty.wait_until_full(std::chrono::hours(1)); });
  full.cancel();
  empty.cancel();
  pusher.join();
  taker.join();
  waiter.join();
  EXPECT_FALSE(pushed);
}

TEST(queue, a_cancelled_one_can_be_opened_again_empty) {
  pool p;
  queue q;
  q.open(2);
  q.push(numbered(p, 1));
  q.push(numbered(p, 2));
  std::ignore = q.pop();
  q.cancel();
  EXPECT_FALSE(q.push(numbered(p, 3)));
  q.open(2);
  sample_ptr out;
  EXPECT_EQ(q.try_pop(out), taken::later);
  EXPECT_TRUE(q.push(numbered(p, 4)));
  EXPECT_TRUE(q.push(numbered(p, 5)));
  EXPECT_EQ(q.pop()->sequence, 4U);
  EXPECT_EQ(q.pop()->sequence, 5U);
}

TEST(queue, is_full_when_its_samples_have_as_many_bytes_as_it_may_hold) {
  pool p;
  queue q;
  q.open(100, {.most = 4800});
  for (std::uint64_t n = 0; n < 3; ++n) {
    EXPECT_FALSE(q.wait_until_full(std::chrono::milliseconds(0))) << n;
    q.push(sized(p, n, 1600));
  }
  EXPECT_TRUE(q.wait_until_full(std::chrono::milliseconds(0)));
  std::thread pusher([&] {
    q.push(sized(p, 3, 1600));
    q.close();
  });
  // After the first sample, more than half of the bytes are still there.
  for (std::uint64_t n = 0; n < 4; ++n)
    EXPECT_EQ(q.pop()->sequence, n);
  EXPECT_EQ(q.pop(), nullptr);
  pusher.join();
}

TEST(queue, takes_one_sample_however_large_it_is) {
  pool p;
  queue q;
  q.open(100, {.most = 1});
  std::thread pusher([&] {
    for (std::uint64_t n = 0; n < 20; ++n)
      q.push(sized(p, n, 5000));
    q.close();
  });
  for (std::uint64_t n = 0; n < 20; ++n)
    EXPECT_EQ(q.pop()->sequence, n);
  EXPECT_EQ(q.pop(), nullptr);
  pusher.join();
}

TEST(queue, may_hold_more_bytes_until_it_is_full_for_the_first_time) {
  pool p;
  queue q;
  q.open(100, {.most = 1600, .first = 8000});
  for (std::uint64_t n = 0; n < 5; ++n) {
    EXPECT_FALSE(q.wait_until_full(std::chrono::milliseconds(0))) << n;
    q.push(sized(p, n, 1600));
  }
  std::thread pusher([&] {
    for (std::uint64_t n = 5; n < 8; ++n)
      q.push(sized(p, n, 800));
    q.close();
  });
  // The next sample has no room before the queue has at most half of the later number of bytes.
  for (std::uint64_t n = 0; n < 8; ++n)
    EXPECT_EQ(q.pop()->sequence, n);
  EXPECT_EQ(q.pop(), nullptr);
  pusher.join();
}

TEST(queue, a_queue_that_is_opened_again_has_no_bytes) {
  pool p;
  queue q;
  q.open(10, {.most = 100});
  q.push(sized(p, 0, 5000));
  q.cancel();
  q.open(10, {.most = 100});
  EXPECT_FALSE(q.wait_until_full(std::chrono::milliseconds(0)));
  q.push(sized(p, 1, 50));
  EXPECT_FALSE(q.wait_until_full(std::chrono::milliseconds(0)));
  EXPECT_EQ(q.pop()->sequence, 1U);
}

TEST(queue, waiting_for_it_to_be_full_has_a_limit) {
  pool p;
  queue q;
  q.open(2);
  EXPECT_TRUE(q.push(numbered(p, 1)));
  EXPECT_FALSE(q.wait_until_full(std::chrono::milliseconds(1)));
  EXPECT_TRUE(q.push(numbered(p, 2)));
  EXPECT_TRUE(q.wait_until_full(std::chrono::milliseconds(1)));
}

}  // namespace
