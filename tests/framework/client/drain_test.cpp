// Connections whose rest is read beside, with a clock that the test moves.
#include "client/drain.hpp"

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "framework/transport/clocks.hpp"
#include "framework/transport/heard.hpp"
#include "framework/transport/loopback.hpp"

namespace inferbench::client {
namespace {

using transport::connection;
using transport::timer_queue;

class drain_test : public ::testing::Test {
 protected:
  connection& connect() {
    ear.log.clear();
    connection& link = pool.acquire_fresh(ear, timer_queue::never);
    transport::test::run_until(loop, [&] { return ear.has("connected"); }, false);
    return link;
  }
  /// The place in a chunked body between two chunks.
  static transport::http1_response_parser::place between_chunks() {
    static transport::http1_response_parser parser;
    parser.begin();
    std::string_view bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n";
    while (parser.next(bytes).kind != transport::http1_piece::more) {
    }
    return parser.here();
  }
  /// Gives a new connection to the subject; returns the server's end.
  base::fd drained() {
    connection& link = connect();
    base::fd peer = server.accept();
    subject->take(pool, link, between_chunks());
    return peer;
  }
  void run_until_empty() {
    transport::test::run_until(loop, [&] { return subject->count() == 0; }, false);
  }
  static std::string chunk_of(std::size_t bytes) {
    char size[24];
    std::snprintf(size, sizeof size, "%zx\r\n", bytes);
    return size + std::string(bytes, 'x') + "\r\n";
  }

  transport::test::manual_clock clock;
  transport::event_loop loop{clock};
  transport::test::loopback server;
  transport::endpoint where{transport::parse_url(server.url()), {server.where()}};
  transport::test::heard ear;
  transport::connection_pool pool{loop, where};
  std::optional<drains> subject{std::in_place, loop};
};

TEST_F(drain_test, a_connection_can_be_used_again_when_the_answer_has_ended) {
  const base::fd peer = drained();
  EXPECT_EQ(subject->count(), 1U);
  transport::test::write_all(peer, chunk_of(10));
  loop.run_once(false);
  transport::test::write_all(peer, "0\r\nX: y\r\n\r\n");
  run_until_empty();
  EXPECT_EQ(pool.idle(), 1U);
  EXPECT_EQ(pool.counters().not_reusable, 0U);
  EXPECT_EQ(ear.bytes, "") << "nobody hears the rest";
}

TEST_F(drain_test, bytes_after_the_answer_spoil_the_connection) {
  const base::fd peer = drained();
  transport::test::write_all(peer, "0\r\n\r\nHTTP/1.1 200");
  run_until_empty();
  EXPECT_EQ(pool.idle(), 0U);
  EXPECT_EQ(pool.counters().not_reusable, 1U);
}

TEST_F(drain_test, a_malformed_rest_spoils_the_connection) {
  const base::fd peer = drained();
  transport::test::write_all(peer, "zz");
  run_until_empty();
  EXPECT_EQ(pool.idle(), 0U);
}

TEST_F(drain_test, a_connection_that_ends_is_given_back) {
  base::fd closing = drained();
  closing.reset();
  run_until_empty();
  transport::test::reset(drained());
  run_until_empty();
  EXPECT_EQ(pool.idle(), 0U);
  EXPECT_EQ(pool.counters().not_reusable, 2U);
}

TEST_F(drain_test, an_answer_that_does_not_end_in_time_is_left) {
  const base::fd peer = drained();
  for (int i = 0; i < 9; ++i) {
    clock.at += drains::longest_ns / 10;
    transport::test::write_all(peer, chunk_of(10));
    loop.run_once(false);
    EXPECT_EQ(subject->count(), 1U) << i;
  }
  clock.at += drains::longest_ns / 10;
  run_until_empty();
  EXPECT_EQ(pool.counters().not_reusable, 1U);
}

TEST_F(drain_test, a_rest_that_is_too_long_is_left) {
  const base::fd peer = drained();
  for (int i = 0; i < 4; ++i) {
    transport::test::write_all(peer, chunk_of(drains::most_bytes / 4));
    loop.run_once(false);
  }
  run_until_empty();
  EXPECT_EQ(pool.idle(), 0U);
  EXPECT_EQ(pool.counters().not_reusable, 1U);
}

TEST_F(drain_test, too_many_connections_are_closed_at_once) {
  std::vector<base::fd> peers;
  for (std::size_t i = 0; i < drains::most_at_once; ++i)
    peers.push_back(drained());
  EXPECT_EQ(subject->count(), drains::most_at_once);
  const base::fd one_more = drained();
  EXPECT_EQ(subject->count(), drains::most_at_once);
  EXPECT_EQ(pool.counters().not_reusable, 1U);
  EXPECT_EQ(transport::test::read_some(one_more, 1), "") << "closed";
  for (const base::fd& peer : peers)
    transport::test::write_all(peer, "0\r\n\r\n");
  run_until_empty();
  EXPECT_EQ(pool.idle(), drains::most_at_once);
  const base::fd again = drained();
  EXPECT_EQ(subject->count(), 1U);
}

TEST_F(drain_test, a_connection_that_still_sends_is_closed_at_once) {
  connection& link = connect();
  const base::fd peer = server.accept();
  const std::string long_body(std::size_t{64} << 20U, 'x');
  const ifb_bytes body{long_body.data(), long_body.size()};
  link.send("POST / HTTP/1.1\r\n\r\n", {&body, 1});
  ASSERT_TRUE(link.sending());
  subject->take(pool, link, between_chunks());
  EXPECT_EQ(subject->count(), 0U);
  EXPECT_EQ(pool.counters().not_reusable, 1U);
}

TEST_F(drain_test, may_end_before_its_connections) {
  const base::fd peer = drained();
  subject.reset();
  EXPECT_EQ(pool.idle(), 0U);
}

}  // namespace
}  // namespace inferbench::client
