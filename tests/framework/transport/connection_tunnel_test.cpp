// Connections through a proxy whose side the test plays, and through unix sockets.
#include <gtest/gtest.h>
#include <poll.h>

#include "framework/transport/clocks.hpp"
#include "framework/transport/local_listener.hpp"
#include "framework/transport/secure_fixture.hpp"

namespace inferbench::transport {
namespace {

using phase = connection_failure::phase;

class connection_tunnel_test : public test::secure_fixture {
 protected:
  connection_tunnel_test() {
    const auto tls = where.tls;
    where =
        resolve(parse_url("https://localhost:8443"), {{{}, "http://me:pass@" + proxy(), {}}, tls});
  }
  [[nodiscard]] std::string proxy() const { return server.where().text(); }
  [[nodiscard]] std::string refusal() const {
    return "the proxy " + proxy() + " does not connect to localhost:8443: ";
  }

  // Returns the request that the proxy gets.
  std::string asked() {
    link->connect(where, 0, timer_queue::never);
    peer = server.accept();
    std::string head;
    test::run_until(
        loop,
        [&] {
          head += test::read_now(peer);
          return head.ends_with("\r\n\r\n");
        },
        false);
    return head;
  }

  void answer(std::string_view text) {
    std::ignore = asked();
    test::write_all(peer, text);
    test::run_until(loop, [&] { return ear.has("failure"); });
  }
};

TEST_F(connection_tunnel_test, asks_the_proxy_and_speaks_tls_through_it) {
  EXPECT_EQ(asked(), where.tunnel);
  EXPECT_EQ(link->tls_began_at(), 0U);
  test::write_all(peer, "HTTP/1.1 200 Connection established\r\nContent-Length: 0\r\n\r\n");
  side = std::make_unique<test::tls_side>(shared);
  play_until([&] { return ear.has("connected") && side->done(); });
  EXPECT_NE(link->tls_began_at(), 0U);
  EXPECT_EQ(link->sends(), 0U);
  link->send("head", {});
  play_until([&] { return side->heard == "head"; });
  EXPECT_EQ(side->server_name(), "localhost");
}

TEST_F(connection_tunnel_test, an_answer_may_come_byte_by_byte) {
  std::ignore = asked();
  to_client = "HTTP/1.0 200 OK\r\nVia: x\r\n\r\n";
  side = std::make_unique<test::tls_side>(shared);
  play_until([&] { return ear.has("connected"); }, 1);
}

TEST_F(connection_tunnel_test, a_refusal_names_proxy_status_and_reason) {
  answer("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 5\r\n\r\nsorry");
  EXPECT_EQ(ear.log, "failure ");
  EXPECT_EQ(ear.failure.when, phase::proxy);
  EXPECT_EQ(ear.failure.text, refusal() + "HTTP 502 Bad Gateway");
  EXPECT_EQ(ear.failure.remedy, "");
}

TEST_F(connection_tunnel_test, the_error_for_a_proxy_that_wants_a_password_has_a_remedy) {
  answer("HTTP/1.1 407\r\n\r\n");
  EXPECT_EQ(ear.failure.text, refusal() + "HTTP 407");
  EXPECT_EQ(ear.failure.remedy,
            "give its URL a user and a password: http://USER:PASSWORD@HOST:PORT");
}

TEST_F(connection_tunnel_test, a_proxy_that_does_not_speak_http_is_a_failure) {
  answer("SOCKS?\r\n\r\n");
  EXPECT_EQ(ear.failure.when, phase::proxy);
  EXPECT_EQ(ear.failure.text, refusal() + "the answer does not begin with HTTP/1.");
}

TEST_F(connection_tunnel_test, a_proxy_that_closes_is_a_failure) {
  std::ignore = asked();
  peer.reset();
  test::run_until(loop, [&] { return ear.has("failure"); });
  EXPECT_EQ(ear.failure.when, phase::proxy);
  EXPECT_EQ(ear.failure.text, refusal() + "it closed the connection");
}

TEST_F(connection_tunnel_test, a_proxy_that_is_not_there_is_called_one) {
  const test::loopback closed(false);
  where.addresses = {closed.where()};
  link->connect(where, 0, timer_queue::never);
  test::run_until(loop, [&] { return ear.has("failure"); });
  EXPECT_EQ(ear.failure.when, phase::connect);
  EXPECT_EQ(ear.failure.text,
            "cannot connect to the proxy " + closed.where().text() + ": Connection refused");
}

TEST_F(connection_tunnel_test, the_connect_timeout_covers_the_tunnel) {
  test::manual_clock stopped;
  event_loop slow(stopped);
  connection waiting(slow);
  waiting.set_listener(ear);
  waiting.connect(where, 0, stopped.at + 100);
  peer = server.accept();
  pollfd ready{peer.get(), POLLIN, 0};
  while (::poll(&ready, 1, 0) == 0)
    slow.run_once(false);
  stopped.at += 100;
  slow.run_once(false);
  EXPECT_EQ(ear.failure.when, phase::connect_timeout);
  EXPECT_EQ(ear.failure.text, refusal() + "no answer within the connect timeout");
}

TEST_F(connection_tunnel_test, bytes_after_the_proxys_answer_are_the_servers) {
  answer("HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 400 Bad Request\r\n\r\n");
  EXPECT_EQ(ear.failure.when, phase::tls);
  EXPECT_EQ(ear.failure.text, "no TLS connection to localhost:8443: it answers in plain http");
}

class unix_socket_test : public ::testing::Test {
 protected:
  // Not below TMPDIR, which may be long or contain blanks: a URL contains none.
  support::temporary_folder folder{"/tmp"};
  base::monotonic_clock clock;
  event_loop loop{clock};
  endpoint where = resolve(parse_url("unix:" + folder.path("server.sock")));
  test::heard ear;
  connection link{loop};
};

TEST_F(unix_socket_test, carries_bytes_both_ways) {
  const test::local_listener server(where.addresses[0]);
  link.set_listener(ear);
  link.connect(where, 0, timer_queue::never);
  test::run_until(loop, [&] { return ear.has("connected"); });
  base::fd peer = server.accept();
  link.send("head", {});
  EXPECT_EQ(test::read_some(peer, 4), "head");
  test::write_all(peer, "answer");
  test::run_until(loop, [&] { return ear.has("bytes"); });
  EXPECT_TRUE(link.quiet());
  EXPECT_EQ(link.retransmits(), 0U);
  peer.reset();
  test::run_until(loop, [&] { return ear.has("eof"); });
}

TEST_F(unix_socket_test, knows_no_spread_of_its_stamps) {
  const test::local_listener server(where.addresses.at(0));
  event_loop stamped(clock, {.stamping = base::stamping::kernel});
  connection subject(stamped);
  subject.set_listener(ear);
  subject.connect(where, 0, timer_queue::never);
  test::run_until(stamped, [&] { return ear.has("connected"); });
  EXPECT_FALSE(subject.knows_spread());
}

TEST_F(unix_socket_test, counts_bytes_as_seen_that_the_kernel_accepted) {
  const test::local_listener server(where.addresses.at(0));
  link.set_listener(ear);
  for (const bool sent_first : {true, false}) {
    ear.log.clear();
    link.connect(where, 0, timer_queue::never);
    test::run_until(loop, [&] { return ear.has("connected"); });
    base::fd peer = server.accept();
    if (sent_first) link.send("request", {});
    peer.reset();
    if (!sent_first) link.send("request", {});
    test::run_until(loop, [&] { return ear.has("eof") || ear.has("failure"); });
    EXPECT_EQ(link.unseen(), !sent_first);
  }
}

TEST_F(unix_socket_test, without_a_listener_is_a_failure) {
  link.set_listener(ear);
  link.connect(where, 0, timer_queue::never);
  test::run_until(loop, [&] { return ear.has("failure"); });
  EXPECT_EQ(ear.failure.when, phase::connect);
  EXPECT_EQ(ear.failure.text,
            "cannot connect to " + folder.path("server.sock") + ": No such file or directory");
}

TEST_F(unix_socket_test, with_a_full_queue_is_asked_again_until_there_is_room_or_no_time) {
  const test::local_listener server(where.addresses[0], 0);
  test::manual_clock stopped;
  event_loop slow(stopped);
  connection first(slow);
  connection second(slow);
  test::heard first_ear;
  first.set_listener(first_ear);
  first.connect(where, 0, timer_queue::never);
  second.set_listener(ear);
  second.connect(where, 0, stopped.at + 10 * base::ns_per_ms);
  slow.run_once(false);
  EXPECT_EQ(first_ear.log, "connected ");
  EXPECT_EQ(ear.log, "");
  const base::fd peer = server.accept();
  stopped.at += base::ns_per_ms;
  slow.run_once(false);
  slow.run_once(false);
  EXPECT_EQ(ear.log, "connected ");

  connection third(slow);
  test::heard third_ear;
  third.set_listener(third_ear);
  third.connect(where, 0, stopped.at + 2 * base::ns_per_ms);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(third_ear.log, "");
    stopped.at += base::ns_per_ms;
    slow.run_once(false);
  }
  EXPECT_EQ(third_ear.failure.when, phase::connect_timeout);
  EXPECT_EQ(third_ear.failure.text, "cannot connect to " + folder.path("server.sock") +
                                        ": no answer within the connect timeout");
}

}  // namespace
}  // namespace inferbench::transport
