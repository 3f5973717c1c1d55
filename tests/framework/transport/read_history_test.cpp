#include "transport/read_history.hpp"

#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "base/clock.hpp"
#include "framework/transport/loopback.hpp"

namespace inferbench::transport {
namespace {

class read_history_test : public ::testing::Test, protected watcher {
 protected:
  ~read_history_test() override {
    if (socket) loop->remove(socket.get(), *this);
  }

  void on_ready(std::uint32_t, std::uint64_t stamp) override {
    const received got = subject.read(*loop, socket.get(), loop->scratch(), 0);
    if (got.size > 0) {
      bytes.append(loop->scratch().data(), static_cast<std::size_t>(got.size));
      return;
    }
    end = stamp;
    loop->remove(socket.get(), *this);
    socket.reset();
  }

  void connect(base::stamping how) {
    loop = std::make_unique<event_loop>(clock, event_loop_options{.stamping = how});
    socket = base::fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (loop->wants_kernel_stamps()) kernel_stamps::enable(socket.get());
    ASSERT_EQ(::connect(socket.get(), server.where().get(), server.where().size), 0);
    ASSERT_TRUE(loop->add(socket.get(), EPOLLIN, *this));
    peer = server.accept();
    const int on = 1;
    ASSERT_EQ(::setsockopt(peer.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), 0);
    subject.begin(loop->wants_kernel_stamps());
  }
  // The kernel does not stamp the first packets after the first request for stamps on a machine.
  // False: this kernel gives no stamps.
  [[nodiscard]] bool connect_stamped() {
    connect(base::stamping::kernel);
    for (int i = 0; i < 20'000; ++i) {
      hear({"x"});
      if (!subject.more_behind()) return true;
    }
    return false;
  }
  // Writes from the server's side, so that the bytes wait in the socket before the loop looks at
  // it.
  void hear(std::initializer_list<std::string> writes) {
    bytes.clear();
    std::size_t size = 0;
    for (const std::string& text : writes) {
      test::write_all(peer, text);
      size += text.size();
    }
    wait_for(size);
    test::run_until(*loop, [&] { return bytes.size() == size; });
  }
  void wait_for(std::size_t size) {
    int there = 0;
    while (static_cast<std::size_t>(there) < size)
      ASSERT_EQ(::ioctl(socket.get(), FIONREAD, &there), 0);
  }
  [[nodiscard]] bool came_at_once() { return subject.came_at_once(socket.get()); }

  base::monotonic_clock clock;
  std::unique_ptr<event_loop> loop;
  test::loopback server;
  base::fd socket;
  base::fd peer;
  read_history subject;
  std::string bytes;
  std::uint64_t end = 0;  // the stamp of the end
};

TEST_F(read_history_test, says_whether_the_bytes_of_a_read_came_in_one_segment) {
  if (!connect_stamped()) GTEST_SKIP() << "this kernel gives no stamps on loopback";
  std::vector<bool> at_once;
  const auto ask = [&](std::initializer_list<std::string> writes) {
    hear(writes);
    at_once.push_back(came_at_once());
  };
  ask({"one"});
  ask({"two", "three"});
  ask({"four"});
  ask({"five"});
  EXPECT_EQ(at_once, (std::vector<bool>{true, false, true, true}));
}

TEST_F(read_history_test, counts_reads_that_others_make) {
  if (!connect_stamped()) GTEST_SKIP() << "this kernel gives no stamps on loopback";
  hear({"one"});
  EXPECT_TRUE(came_at_once());
  test::write_all(peer, "two");
  wait_for(3);
  EXPECT_EQ(test::read_now(socket), "two");
  subject.count();
  hear({"three"});
  EXPECT_TRUE(came_at_once());
}

TEST_F(read_history_test, knows_nothing_of_its_segments_while_others_wait) {
  if (!connect_stamped()) GTEST_SKIP() << "this kernel gives no stamps on loopback";
  hear({"one"});
  EXPECT_TRUE(came_at_once());
  hear({"two"});
  test::write_all(peer, "three");
  wait_for(5);
  EXPECT_FALSE(came_at_once());
  // One read returns two segments; the first segment was already there at the previous call.
  bytes.clear();
  test::write_all(peer, "four");
  wait_for(9);
  test::run_until(*loop, [&] { return bytes == "threefour"; });
  EXPECT_FALSE(came_at_once());
  hear({"five"});
  EXPECT_TRUE(came_at_once());
}

TEST_F(read_history_test, a_read_without_a_stamp_of_the_kernel_is_not_known_to_have_come_at_once) {
  connect(base::stamping::client);
  hear({"one"});
  EXPECT_FALSE(subject.knows_spread());
  EXPECT_TRUE(subject.more_behind());
  EXPECT_FALSE(came_at_once());
}

TEST_F(read_history_test, an_end_that_waited_after_data_may_be_as_old_as_the_data) {
  if (!connect_stamped()) GTEST_SKIP() << "this kernel gives no stamps on loopback";
  bytes.clear();
  const std::uint64_t before = clock.now();
  test::write_all(peer, "last");
  wait_for(4);
  peer.reset();
  const std::uint64_t closed = clock.now();
  while (clock.now() < closed + 5 * base::ns_per_ms) {
  }
  test::run_until(*loop, [&] { return end != 0; });
  const std::uint64_t late = subject.end_late(*loop, end);
  EXPECT_LE(end - late, closed);
  EXPECT_GE(end - late + 100 * base::ns_per_us, before);
}

TEST_F(read_history_test, an_end_without_data_came_after_the_loop_found_the_socket_empty) {
  if (!connect_stamped()) GTEST_SKIP() << "this kernel gives no stamps on loopback";
  loop->run_once(false);
  const std::uint64_t quiet = clock.now();
  loop->run_once(false);
  peer.reset();
  test::run_until(*loop, [&] { return end != 0; });
  EXPECT_GE(end - subject.end_late(*loop, end), quiet);
}

TEST_F(read_history_test, takes_no_stamp_for_granted_where_the_server_may_have_waited_for_room) {
  if (!connect_stamped()) GTEST_SKIP() << "this kernel gives no stamps on loopback";
  std::vector<bool> more_behind;
  for (const std::size_t size :
       {std::size_t{10}, std::size_t{40'000}, std::size_t{10}, std::size_t{10}}) {
    hear({std::string(size, 'x')});
    more_behind.push_back(subject.more_behind());
  }
  EXPECT_EQ(more_behind, (std::vector<bool>{false, true, true, false}));
}

TEST_F(read_history_test, a_new_socket_has_no_history) {
  connect(base::stamping::client);
  hear({"one"});
  subject.begin(false);
  EXPECT_EQ(subject.spread(), 0U);
  EXPECT_EQ(subject.end_late(*loop, loop->quiet_at() + 5), 5U);
}

}  // namespace
}  // namespace inferbench::transport
