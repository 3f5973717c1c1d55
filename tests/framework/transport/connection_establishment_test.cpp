// Connecting to addresses, without TLS; connection_tunnel_test.cpp and connection_secure_test.cpp
// test the further steps.
#include <array>
#include <cerrno>
#include <vector>

#include <gtest/gtest.h>
#include <sys/socket.h>

#include "base/clock.hpp"
#include "base/fd.hpp"
#include "framework/transport/clocks.hpp"
#include "framework/transport/heard.hpp"
#include "framework/transport/loopback.hpp"
#include "transport/connection.hpp"

namespace inferbench::transport {
namespace {

using phase = connection_failure::phase;

class connection_establishment_test : public ::testing::Test {
 protected:
  connection_establishment_test() { link.set_listener(ear); }

  base::monotonic_clock clock;
  event_loop loop{clock};
  test::loopback server;
  endpoint where{parse_url(server.url()), {server.where()}};
  std::vector<address>& addresses = where.addresses;
  test::heard ear;
  connection link{loop};
};

TEST_F(connection_establishment_test, reports_a_refusal_from_the_loop_and_names_the_address) {
  const test::loopback closed(false);
  addresses = {closed.where()};
  link.connect(where, 0, timer_queue::never);
  EXPECT_EQ(ear.log, "");
  test::run_until(loop, [&] { return ear.has("failure"); });
  EXPECT_EQ(ear.failure.when, phase::connect);
  EXPECT_EQ(ear.failure.code, ECONNREFUSED);
  EXPECT_EQ(ear.failure.text,
            "cannot connect to " + closed.where().text() + ": Connection refused");
  EXPECT_TRUE(link.closed());
}

TEST_F(connection_establishment_test, tries_the_addresses_in_turn_from_the_given_one) {
  const test::loopback closed(false);
  const test::loopback closed_too(false);
  addresses = {server.where(), closed.where(), closed_too.where()};
  link.connect(where, 1, timer_queue::never);
  test::run_until(loop, [&] { return ear.has("connected"); });
  EXPECT_EQ(link.address_index(), 0U);
  EXPECT_EQ(link.tried(), 3U);
  EXPECT_EQ(ear.log, "connected ");
}

TEST_F(connection_establishment_test, an_address_that_fails_at_once_is_reported_from_the_loop_too) {
  address impossible;
  impossible.storage.ss_family = AF_UNIX;  // invalid without a path
  impossible.size = sizeof(sa_family_t);
  addresses = {impossible};
  link.connect(where, 0, timer_queue::never);
  EXPECT_EQ(ear.log, "");
  loop.run_once(false);
  EXPECT_EQ(ear.log, "failure ");
  EXPECT_EQ(ear.failure.when, phase::connect);
}

// A listener with a full queue drops connections: connecting neither succeeds nor fails.
struct silent_server {
  silent_server() {
    for (int i = 0; i < 2; ++i) {
      waiting[static_cast<std::size_t>(i)] =
          base::fd(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
      ::connect(waiting[static_cast<std::size_t>(i)].get(), socket.where().get(),
                socket.where().size);
    }
  }
  test::loopback socket{true, 0};
  std::array<base::fd, 2> waiting;
};

TEST(connection_timeout, ends_an_attempt_without_an_answer) {
  test::manual_clock clock;
  event_loop loop(clock);
  const silent_server silent;
  const endpoint where{parse_url("http://a"), {silent.socket.where()}};
  test::heard ear;
  connection link(loop);
  link.set_listener(ear);
  link.connect(where, 0, clock.at + 100);
  clock.at += 99;
  loop.run_once(false);
  EXPECT_EQ(ear.log, "");
  clock.at += 1;
  loop.run_once(false);
  EXPECT_EQ(ear.log, "failure ");
  EXPECT_EQ(ear.failure.when, phase::connect_timeout);
  EXPECT_EQ(ear.failure.text, "cannot connect to " + silent.socket.where().text() +
                                  ": no answer within the connect timeout");
}

TEST(connection_timeout, is_shared_out_among_the_addresses) {
  test::manual_clock clock;
  event_loop loop(clock);
  const silent_server silent;
  const test::loopback server;
  const endpoint where{parse_url("http://a"), {silent.socket.where(), server.where()}};
  test::heard ear;
  connection link(loop);
  link.set_listener(ear);
  link.connect(where, 0, clock.at + 100);
  clock.at += 50;
  loop.run_once(false);
  for (int i = 0; i < 1000 && ear.log.empty(); ++i)
    loop.run_once(false);
  EXPECT_EQ(ear.log, "connected ");
  EXPECT_EQ(link.address_index(), 1U);
  clock.at += 100;
  loop.run_once(false);
  EXPECT_EQ(ear.log, "connected ") << "the deadline was for connecting only";
}

}  // namespace
}  // namespace inferbench::transport
