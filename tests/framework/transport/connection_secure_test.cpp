// TLS on a connection, against a server inside the test.
#include <gtest/gtest.h>

#include "framework/transport/clocks.hpp"
#include "framework/transport/local_listener.hpp"
#include "framework/transport/secure_fixture.hpp"
#include "transport/connection_pool.hpp"

namespace inferbench::transport {
namespace {

using phase = connection_failure::phase;
using test::bytes;

class connection_secure_test : public test::secure_fixture {};

TEST_F(connection_secure_test, connects_sends_and_receives_until_the_other_side_closes) {
  const std::uint64_t before = clock.now();
  connect();
  EXPECT_GE(link->tls_began_at(), before);
  EXPECT_LE(link->tls_began_at(), clock.now());
  EXPECT_EQ(side->server_name(), "localhost");
  EXPECT_EQ(link->sent_at(), 0U);
  const std::vector<ifb_bytes> body{bytes("body "), bytes(""), bytes("and more")};
  link->send("head ", body);
  EXPECT_FALSE(link->sending());
  EXPECT_GE(link->sent_at(), before);
  play_until([&] { return side->heard == "head body and more"; });
  EXPECT_EQ(side->records, 1);
  say("answer");
  play_until([&] { return ear.has("bytes"); });
  EXPECT_EQ(ear.bytes, "answer");
  test::write_all(peer, side->goodbye());
  play_until([&] { return ear.has("eof"); });
  EXPECT_EQ(ear.log, "connected bytes eof ");
  EXPECT_TRUE(link->closed());
  EXPECT_EQ(link->tls_began_at(), 0U);
}

TEST_F(connection_secure_test, a_large_body_arrives_whole_though_the_kernel_takes_it_in_parts) {
  connect();
  std::vector<std::string> parts;
  std::vector<ifb_bytes> body;
  std::string wanted = "head";
  for (int i = 0; i < 300; ++i)
    parts.emplace_back(40000, static_cast<char>('a' + i % 26));
  for (const auto& part : parts) {
    body.push_back(bytes(part));
    wanted += part;
  }
  link->send("head", body);
  EXPECT_TRUE(link->sending()) << "12 MB do not fit into a socket buffer";
  EXPECT_NE(link->sent_at(), 0U);
  play_until([&] { return !link->sending(); });
  play_until([&] { return side->heard.size() >= wanted.size(); });
  EXPECT_TRUE(side->heard == wanted);
  EXPECT_EQ(ear.log, "connected ");
}

TEST_F(connection_secure_test, a_large_answer_is_read_to_its_end_without_more_events) {
  connect();
  std::string wanted;
  for (int i = 0; i < 400; ++i) {
    const std::string part(20000, static_cast<char>('a' + i % 26));
    to_client += side->say(part);
    wanted += part;
  }
  play_until([&] { return ear.bytes.size() >= wanted.size(); }, 100000);
  EXPECT_TRUE(ear.bytes == wanted);
}

TEST_F(connection_secure_test, a_handshake_may_come_byte_by_byte) {
  begin();
  play_until([&] { return ear.has("connected") && side->done(); }, 1);
  to_client += side->say("answer");  // after the tickets
  play_until([&] { return ear.bytes == "answer"; }, 1);
}

TEST_F(connection_secure_test, a_certificate_that_is_not_trusted_is_a_failure_with_a_remedy) {
  shared = test::tls_server(test::make_identity());
  begin();
  play_until([&] { return ear.has("failure"); });
  EXPECT_EQ(ear.log, "failure ");
  EXPECT_EQ(ear.failure.when, phase::tls);
  EXPECT_EQ(ear.failure.text,
            "the certificate of " + name() + " is not trusted: self-signed certificate");
  EXPECT_EQ(ear.failure.remedy, "name its authority with --ca-cert, or accept any with --insecure");
  EXPECT_TRUE(link->closed());
}

TEST_F(connection_secure_test, a_server_that_wants_a_certificate_is_named_with_the_remedy) {
  shared = test::tls_server(good, &authority);
  begin();
  play_until([&] { return ear.has("failure"); });
  EXPECT_EQ(ear.failure.text, "the TLS connection broke: the server wants a client certificate");
  EXPECT_EQ(ear.failure.remedy, "give one with --client-cert");
}

TEST_F(connection_secure_test, plain_http_on_the_port_is_recognised) {
  begin();
  test::write_all(peer, "HTTP/1.1 400 Bad Request\r\n\r\n");
  test::run_until(loop, [&] { return ear.has("failure"); });
  EXPECT_EQ(ear.failure.when, phase::tls);
  EXPECT_EQ(ear.failure.text, "no TLS connection to " + name() + ": it answers in plain http");
}

TEST_F(connection_secure_test, a_server_that_closes_in_the_handshake_is_a_failure) {
  begin();
  test::run_until(loop, [&] { return link->tls_began_at() != 0; });
  EXPECT_FALSE(test::read_some(peer, 1).empty());
  std::ignore = test::read_now(peer);  // closing a socket with unread bytes would send a reset
  peer.reset();
  test::run_until(loop, [&] { return ear.has("failure"); });
  EXPECT_EQ(ear.failure.when, phase::tls);
  EXPECT_EQ(ear.failure.text,
            "no TLS connection to " + name() + ": the server closed the connection");

  ear.log.clear();
  begin();
  test::run_until(loop, [&] { return link->tls_began_at() != 0; });
  test::reset(std::move(peer));
  test::run_until(loop, [&] { return ear.has("failure"); });
  EXPECT_EQ(ear.failure.text, "no TLS connection to " + name() + ": Connection reset by peer");
}

TEST_F(connection_secure_test, the_connect_timeout_covers_the_handshake) {
  test::manual_clock stopped;
  event_loop slow(stopped);
  connection waiting(slow);
  waiting.set_listener(ear);
  waiting.connect(where, 0, stopped.at + 100);
  while (waiting.tls_began_at() == 0)
    slow.run_once(false);
  stopped.at += 99;
  slow.run_once(false);
  EXPECT_EQ(ear.log, "");
  stopped.at += 1;
  slow.run_once(false);
  EXPECT_EQ(ear.failure.when, phase::connect_timeout);
  EXPECT_EQ(ear.failure.text,
            "no TLS connection to " + name() + ": no answer within the connect timeout");
  EXPECT_EQ(ear.failure.remedy, "check that the server speaks https, or write http:// instead");
}

TEST_F(connection_secure_test, an_end_without_goodbye_is_an_end) {
  connect();
  say("all of it");
  play_until([&] { return ear.has("bytes"); });
  peer.reset();
  test::run_until(loop, [&] { return ear.has("eof"); });
  EXPECT_EQ(ear.bytes, "all of it");
}

TEST_F(connection_secure_test, says_goodbye_when_it_is_closed) {
  connect();
  link->close();
  std::ignore = side->take(test::read_some(peer, 10000));
  EXPECT_TRUE(side->closed());
}

TEST_F(connection_secure_test, is_quiet_while_only_tls_has_something_to_say) {
  begin();
  // The tickets after the handshake wait in the socket, unread by the loop.
  test::run_until(
      loop,
      [&] {
        test::write_all(peer, side->take(test::read_now(peer)));
        return side->done();
      },
      false);
  ASSERT_TRUE(ear.has("connected"));
  EXPECT_TRUE(link->quiet());
  say("x");
  EXPECT_FALSE(link->quiet());

  connect();
  test::write_all(peer, side->goodbye());
  EXPECT_FALSE(link->quiet());
  link->close();
  EXPECT_FALSE(link->quiet());
}

TEST_F(connection_secure_test, reports_damaged_bytes) {
  connect();
  std::string bad = side->say("answer");
  bad.back() = static_cast<char>(bad.back() ^ 1);
  test::write_all(peer, bad);
  play_until([&] { return ear.has("failure"); });
  EXPECT_EQ(ear.failure.when, phase::receive);
  EXPECT_EQ(ear.failure.text, "the TLS connection broke: decryption failed or bad record mac");
  EXPECT_EQ(ear.bytes, "");
}

TEST_F(connection_secure_test, sending_to_a_side_that_has_gone_fails_from_the_loop) {
  connect();
  play_until([&] { return true; });
  test::reset(std::move(peer));
  const std::string large(1 << 20, 'x');
  const std::vector<ifb_bytes> body{bytes(large)};
  link->send("head", body);
  EXPECT_FALSE(ear.has("failure"));
  test::run_until(loop, [&] { return link->closed(); });
  EXPECT_EQ(ear.log, "connected failure ");
}

TEST_F(connection_secure_test, can_be_closed_or_destroyed_by_any_call_of_its_listener) {
  for (const char* moment : {"connected", "bytes", "eof", "failure"}) {
    for (const bool destroy : {false, true}) {
      link = std::make_unique<connection>(loop);
      link->set_listener(ear);
      ear.log.clear();
      bool done = false;
      ear.then = [&](std::string_view what) {
        if (what != moment) return;
        done = true;
        if (destroy)
          link.reset();
        else
          link->close();
      };
      begin();
      bool answered = false;
      play_until([&] {
        if (!done && side->done() && ear.has("connected") && !answered) {
          answered = true;
          // More than one record, followed by the end of the stream.
          to_client += side->say("answer");
          to_client += side->say(std::string(100000, 'y'));
          if (moment == std::string_view("eof")) to_client += side->goodbye();
          if (moment == std::string_view("failure")) to_client += "garbage";
        }
        return done;
      });
      ear.then = nullptr;
      EXPECT_TRUE(done) << moment;
      loop.run_once(false);
      link.reset();
    }
  }
}

TEST_F(connection_secure_test, a_pool_goes_on_with_the_session_of_its_latest_connection) {
  connection_pool pool(loop, where);
  for (int i = 0; i < 3; ++i) {
    ear.log.clear();
    connection& one = pool.acquire_fresh(ear, timer_queue::never);
    peer = server.accept();
    side = std::make_unique<test::tls_side>(shared);
    play_until([&] { return ear.has("connected") && side->done(); });
    EXPECT_EQ(side->resumed(), i > 0);
    say("answer");
    ear.bytes.clear();
    play_until([&] { return ear.bytes == "answer"; });
    pool.release(one, false);
  }
}

TEST_F(connection_secure_test, reaches_ipv6) {
  const test::local_listener six(test::ipv6_loopback());
  if (!six.bound()) GTEST_SKIP() << "no IPv6 on this machine";
  where.addresses = {six.where()};
  where.where = parse_url("https://" + six.where().text());
  link->connect(where, 0, timer_queue::never);
  peer = six.accept();
  side = std::make_unique<test::tls_side>(shared);
  play_until([&] { return ear.has("connected") && side->done(); });
  EXPECT_EQ(side->server_name(), "") << "an address is not a name";
}

TEST_F(connection_secure_test, needs_no_more_room_than_the_loop_has) {
  event_loop small(clock, {.batch = 1, .scratch_bytes = 200});
  connection narrow(small);
  narrow.set_listener(ear);
  narrow.connect(where, 0, timer_queue::never);
  peer = server.accept();
  side = std::make_unique<test::tls_side>(shared);
  const std::string answer(50000, 'x');
  bool said = false;
  test::run_until(
      small,
      [&] {
        test::write_all(peer, side->take(test::read_now(peer)));
        if (side->done() && !std::exchange(said, true)) say(answer);
        return ear.bytes.size() == answer.size();
      },
      false);
}

}  // namespace
}  // namespace inferbench::transport
