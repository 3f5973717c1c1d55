#include "transport/kernel_stamps.hpp"

#include <array>
#include <ctime>

#include <gtest/gtest.h>
#include <poll.h>

#include "framework/transport/clocks.hpp"
#include "framework/transport/loopback.hpp"

namespace inferbench::transport {
namespace {

std::uint64_t wall_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * base::ns_per_s +
         static_cast<std::uint64_t>(now.tv_nsec);
}

base::fd connect_to(const address& where) {
  base::fd out(::socket(where.family(), SOCK_STREAM | SOCK_CLOEXEC, 0));
  EXPECT_EQ(::connect(out.get(), where.get(), where.size), 0);
  return out;
}

TEST(kernel_stamps, are_from_before_the_read_and_after_the_write) {
  const base::monotonic_clock clock;
  const test::loopback server;
  const base::fd client = connect_to(server.where());
  const base::fd peer = server.accept();
  if (!kernel_stamps::enable(client.get())) GTEST_SKIP() << "this kernel gives no stamps";
  kernel_stamps subject(clock);
  const std::uint64_t before = clock.now();
  test::write_all(peer, "hello");
  pollfd arrival{client.get(), POLLIN, 0};
  ASSERT_EQ(::poll(&arrival, 1, -1), 1);
  const std::uint64_t there = clock.now();
  // The bytes are read much later than they arrived.
  while (clock.now() < there + 20 * base::ns_per_ms) {
  }
  std::array<char, 16> room{};
  const std::uint64_t read = clock.now();
  const received got = subject.receive(client.get(), room, read);
  ASSERT_EQ(got.size, 5);
  if (!got.by_kernel) GTEST_SKIP() << "this kernel gives no stamps on loopback";
  // The two clocks are compared by reading one after the other: a tolerance allows for the time
  // between. A stamp of the reading would not be before `read`.
  EXPECT_GE(got.stamp + 10 * base::ns_per_ms, before);
  EXPECT_LT(got.stamp, read);
}

TEST(kernel_stamps, end_of_input_and_errors_are_the_same_as_with_recv) {
  const base::monotonic_clock clock;
  const test::loopback server;
  const base::fd client = connect_to(server.where());
  base::fd peer = server.accept();
  kernel_stamps subject(clock);
  std::array<char, 16> room{};
  peer = base::fd();
  EXPECT_EQ(subject.receive(client.get(), room, 7).size, 0);
  const received refused = subject.receive(-1, room, 7);
  EXPECT_EQ(refused.size, -1);
  EXPECT_EQ(refused.stamp, 7U);
  EXPECT_FALSE(refused.by_kernel);
}

TEST(kernel_stamps, may_be_later_than_the_batch_but_not_later_than_now) {
  const base::monotonic_clock clock;
  const test::loopback server;
  const base::fd client = connect_to(server.where());
  const base::fd peer = server.accept();
  kernel_stamps::enable(client.get());
  kernel_stamps subject(clock);
  const std::uint64_t batch = clock.now();
  test::write_all(peer, "hello");
  std::array<char, 16> room{};
  const received got = subject.receive(client.get(), room, batch);
  ASSERT_EQ(got.size, 5);
  EXPECT_LE(got.stamp, clock.now());
  if (!got.by_kernel) GTEST_SKIP() << "this kernel gives no stamps on loopback";
  // The bytes arrived after the start of the batch, so their stamp must not be earlier. The
  // tolerance is the error of the clock comparison.
  EXPECT_GT(got.stamp + 100 * base::ns_per_us, batch);
}

TEST(kernel_stamps, are_converted_to_the_clock_of_the_loop) {
  test::manual_clock clock;
  clock.at = 5 * base::ns_per_s;
  kernel_stamps subject(clock);
  const std::uint64_t wall = wall_ns();
  const std::uint64_t first = subject.converted(wall, clock.at);
  EXPECT_LE(clock.at - first, base::ns_per_s);
  // Differences between stamps are exact until the clocks are compared again.
  EXPECT_EQ(subject.converted(wall + 1234, clock.at + 1), first + 1234);
}

}  // namespace
}  // namespace inferbench::transport
