#include "transport/connection.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "base/clock.hpp"
#include "framework/transport/allocations.hpp"
#include "framework/transport/clocks.hpp"
#include "framework/transport/heard.hpp"
#include "framework/transport/loopback.hpp"

namespace inferbench::transport {
namespace {

static_assert(sizeof(connection) <= 512, "10,000 connections are to fit into a cache");

using phase = connection_failure::phase;

ifb_bytes as_bytes(std::string_view text) { return {text.data(), text.size()}; }

class connection_test : public ::testing::Test {
 protected:
  // Connects to `server`; `peer` is the server's side.
  void connect() {
    link->set_listener(ear);
    link->connect(where, 0, timer_queue::never);
    test::run_until(loop, [&] { return ear.has("connected"); });
    peer = server.accept();
  }

  base::monotonic_clock clock;
  event_loop loop{clock};
  test::loopback server;
  endpoint where{parse_url(server.url()), {server.where()}};
  test::heard ear;
  std::unique_ptr<connection> link = std::make_unique<connection>(loop);
  base::fd peer;
};

TEST_F(connection_test, connects_sends_and_receives_until_the_other_side_closes) {
  const std::uint64_t before = clock.now();
  connect();
  EXPECT_TRUE(link->connected());
  EXPECT_GE(ear.last_stamp, before);
  const std::vector<ifb_bytes> body{as_bytes("body "), as_bytes(""), as_bytes("and more")};
  EXPECT_EQ(link->sends(), 0U);
  link->send("head ", body);
  EXPECT_FALSE(link->sending());
  EXPECT_EQ(link->sends(), 1U);
  EXPECT_GE(link->sent_at(), before);
  EXPECT_EQ(test::read_some(peer, 18), "head body and more");
  test::write_all(peer, "answer");
  test::run_until(loop, [&] { return ear.has("bytes"); });
  EXPECT_EQ(ear.bytes, "answer");
  peer.reset();
  test::run_until(loop, [&] { return ear.has("eof"); });
  EXPECT_EQ(ear.log, "connected bytes eof ");
  EXPECT_TRUE(link->closed());
  EXPECT_EQ(link->fd(), -1);
}

TEST_F(connection_test, knows_at_its_end_whether_the_other_side_saw_the_request) {
  connect();
  link->send("first", {});
  EXPECT_EQ(test::read_some(peer, 5), "first");
  test::write_all(peer, "answer");
  test::run_until(loop, [&] { return ear.has("bytes"); });
  link->send("second", {});
  EXPECT_EQ(test::read_some(peer, 6), "second");
  peer.reset();
  test::run_until(loop, [&] { return ear.has("eof") || ear.has("failure"); });
  EXPECT_FALSE(link->unseen());

  ear.log.clear();
  connect();
  link->send("first", {});
  EXPECT_EQ(test::read_some(peer, 5), "first");
  peer.reset();  // the loop has not run, so it has not noticed the end
  link->send("second", {});
  test::run_until(loop, [&] { return ear.has("eof") || ear.has("failure"); });
  EXPECT_TRUE(link->unseen());
}

// The kernel delays acknowledgements by up to 40 ms, and a reset does not acknowledge received
// bytes.
TEST_F(connection_test, a_reset_does_not_prove_that_a_request_was_not_seen) {
  connect();
  link->send("first", {});
  EXPECT_EQ(test::read_some(peer, 5), "first");
  test::write_all(peer, "answer");
  test::run_until(loop, [&] { return ear.has("bytes"); });
  link->send("second", {});
  EXPECT_EQ(test::read_some(peer, 6), "second");
  test::reset(std::move(peer));
  test::run_until(loop, [&] { return ear.has("eof") || ear.has("failure"); });
  EXPECT_FALSE(link->unseen());
}

TEST_F(connection_test, a_large_gather_list_arrives_whole_though_the_kernel_takes_it_in_parts) {
  connect();
  std::vector<std::string> parts;
  std::vector<ifb_bytes> body;
  std::string wanted = "head";
  for (int i = 0; i < 300; ++i)
    parts.emplace_back(40000, static_cast<char>('a' + i % 26));
  for (const auto& part : parts) {
    body.push_back(as_bytes(part));
    wanted += part;
  }
  link->send("head", body);
  EXPECT_TRUE(link->sending()) << "12 MB do not fit into a socket buffer";
  EXPECT_NE(link->sent_at(), 0U);
  std::string got;
  test::run_until(
      loop,
      [&] {
        got += test::read_now(peer);
        return !link->sending();
      },
      false);
  got += test::read_some(peer, wanted.size() - got.size());
  EXPECT_TRUE(got == wanted);
  EXPECT_EQ(ear.log, "connected ");
}

TEST_F(connection_test, sends_again_on_the_same_connection_without_allocating) {
  connect();
  link->send("one", {});
  EXPECT_EQ(test::read_some(peer, 3), "one");
  const auto before = test::allocations();
  link->send("two", {});
  EXPECT_EQ(test::allocations(), before);
  EXPECT_EQ(link->sends(), 2U);
  EXPECT_EQ(test::read_some(peer, 3), "two");
}

TEST_F(connection_test, reports_a_reset) {
  connect();
  test::reset(std::move(peer));
  test::run_until(loop, [&] { return ear.has("failure"); });
  EXPECT_EQ(ear.failure.when, phase::receive);
  EXPECT_EQ(ear.failure.code, ECONNRESET);
  EXPECT_EQ(ear.failure.text, "the connection broke: Connection reset by peer");
}

TEST_F(connection_test, receives_an_answer_that_came_before_the_request_was_sent_completely) {
  connect();
  const std::string large(16 << 20, 'x');
  const std::vector<ifb_bytes> body{as_bytes(large)};
  link->send("head", body);
  ASSERT_TRUE(link->sending());
  test::write_all(peer, "413");
  peer.reset();  // with unread bytes, so a reset follows the answer
  test::run_until(loop, [&] { return link->closed(); });
  EXPECT_EQ(ear.bytes, "413");
  EXPECT_TRUE(ear.log == "connected bytes failure " || ear.log == "connected bytes eof ")
      << ear.log;
}

TEST_F(connection_test, sending_to_a_side_that_has_gone_fails_from_the_loop) {
  connect();
  test::reset(std::move(peer));
  link->send("head", {});
  link->send("head", {});
  EXPECT_FALSE(ear.has("failure"));
  test::run_until(loop, [&] { return link->closed(); });
  EXPECT_EQ(ear.log, "connected failure ");
}

TEST_F(connection_test, is_quiet_only_while_nothing_has_come) {
  EXPECT_FALSE(link->quiet());
  connect();
  EXPECT_TRUE(link->quiet());
  test::write_all(peer, "x");
  EXPECT_FALSE(link->quiet());
  test::run_until(loop, [&] { return ear.has("bytes"); });
  EXPECT_TRUE(link->quiet());
  peer.reset();
  EXPECT_FALSE(link->quiet());
}

TEST_F(connection_test, says_nothing_more_once_closed) {
  connect();
  test::write_all(peer, "x");
  link->close();
  link->close();
  loop.run_once(false);
  EXPECT_EQ(ear.log, "connected ");
}

TEST_F(connection_test, can_be_destroyed_by_any_call_of_its_listener) {
  for (const char* moment : {"connected", "bytes", "eof", "failure"}) {
    link = std::make_unique<connection>(loop);
    ear.log.clear();
    ear.then = {};
    ear.then = [&](std::string_view what) {
      if (what == moment) link.reset();
    };
    link->set_listener(ear);
    link->connect(where, 0, timer_queue::never);
    peer = server.accept();
    test::run_until(loop, [&] { return ear.has("connected"); });
    if (link && moment == std::string_view("failure")) {
      test::reset(std::move(peer));
    } else if (link) {
      test::write_all(peer, "x");
      if (moment == std::string_view("eof")) peer.reset();
    }
    test::run_until(loop, [&] { return !link; });
    EXPECT_TRUE(ear.has(moment));
    loop.run_once(false);
  }
}

TEST_F(connection_test, can_be_used_again_for_another_connection) {
  connect();
  peer.reset();
  test::run_until(loop, [&] { return ear.has("eof"); });
  ear.log.clear();
  connect();
  link->send("x", {});
  EXPECT_EQ(test::read_some(peer, 1), "x");
  EXPECT_EQ(link->sends(), 1U);
}

TEST_F(connection_test, takes_over_an_accepted_socket) {
  connect();
  test::heard other_ear;
  connection other(loop);
  other.set_listener(other_ear);
  ASSERT_TRUE(other.adopt(std::move(peer)));
  link->send("ping", {});
  test::run_until(loop, [&] { return other_ear.has("bytes"); });
  EXPECT_EQ(other_ear.bytes, "ping");
  other.send("pong", {});
  test::run_until(loop, [&] { return ear.has("bytes"); });
  EXPECT_EQ(ear.bytes, "pong");
}

TEST_F(connection_test, passes_on_what_its_reads_prove) {
  event_loop stamped(clock, {.stamping = base::stamping::kernel});
  link = std::make_unique<connection>(stamped);
  link->set_listener(ear);
  link->connect(where, 0, timer_queue::never);
  test::run_until(stamped, [&] { return ear.has("connected"); });
  peer = server.accept();
  const int on = 1;
  EXPECT_EQ(::setsockopt(peer.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on), 0);
  EXPECT_TRUE(link->knows_spread());
  // The kernel does not stamp the first packets after the first request for stamps on a machine.
  for (int i = 0; i < 20'000 && link->more_behind(); ++i) {
    ear.bytes.clear();
    test::write_all(peer, "x");
    test::run_until(stamped, [&] { return ear.bytes == "x"; });
  }
  if (link->more_behind()) GTEST_SKIP() << "this kernel gives no stamps on loopback";
  EXPECT_TRUE(link->came_at_once());
  const std::uint64_t newest = ear.last_stamp;
  peer.reset();
  test::run_until(stamped, [&] { return ear.has("eof"); });
  EXPECT_LE(link->end_late(ear.last_stamp), ear.last_stamp - newest);
}

TEST_F(connection_test, knows_no_spread_of_stamps_that_are_not_the_kernels) {
  connect();
  EXPECT_FALSE(link->knows_spread());
  test::write_all(peer, "one");
  test::run_until(loop, [&] { return ear.has("bytes"); });
  EXPECT_TRUE(link->more_behind());
  EXPECT_FALSE(link->came_at_once());
}

}  // namespace
}  // namespace inferbench::transport
