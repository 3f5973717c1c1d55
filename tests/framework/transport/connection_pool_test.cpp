#include "transport/connection_pool.hpp"

#include <gtest/gtest.h>

#include "base/clock.hpp"
#include "framework/transport/heard.hpp"
#include "framework/transport/loopback.hpp"

namespace inferbench::transport {
namespace {

class connection_pool_test : public ::testing::Test {
 protected:
  connection& connect() {
    ear.log.clear();
    connection& link = pool.acquire(ear, timer_queue::never);
    test::run_until(loop, [&] { return ear.has("connected"); });
    return link;
  }

  base::monotonic_clock clock;
  event_loop loop{clock};
  test::loopback server;
  endpoint where{parse_url(server.url()), {server.where()}};
  test::heard ear;
  connection_pool pool{loop, where};
};

TEST_F(connection_pool_test, hands_out_the_connection_used_last) {
  connection& a = connect();
  connection& b = connect();
  EXPECT_EQ(pool.idle(), 0U);
  pool.release(a, true);
  pool.release(b, true);
  EXPECT_EQ(pool.idle(), 2U);
  EXPECT_EQ(&pool.acquire(ear, timer_queue::never), &b);
  EXPECT_EQ(&pool.acquire(ear, timer_queue::never), &a);
  EXPECT_TRUE(a.connected());
  EXPECT_EQ(pool.counters().connects, 2U);
  EXPECT_EQ(pool.counters().reuses, 2U);
}

TEST_F(connection_pool_test, a_reused_connection_can_be_distinguished_from_a_new_one) {
  connection& link = connect();
  link.send("a", {});
  EXPECT_EQ(link.sends(), 1U);
  pool.release(link, true);
  connection& again = pool.acquire(ear, timer_queue::never);
  again.send("b", {});
  EXPECT_EQ(again.sends(), 2U);
}

TEST_F(connection_pool_test, looks_for_the_end_of_a_connection_before_handing_it_out) {
  connection& link = connect();
  base::fd peer = server.accept();
  pool.release(link, true);
  peer.reset();  // the loop has not run, so it has not noticed the end
  connection& fresh = pool.acquire(ear, timer_queue::never);
  EXPECT_FALSE(fresh.connected());
  EXPECT_EQ(pool.counters().closed_idle, 1U);
  EXPECT_EQ(pool.counters().connects, 2U);
  EXPECT_EQ(pool.counters().reuses, 0U);
}

TEST_F(connection_pool_test, notices_the_end_of_idle_connections_by_itself) {
  std::vector<base::fd> peers;
  std::vector<connection*> links;
  for (int i = 0; i < 3; ++i) {
    links.push_back(&connect());
    peers.push_back(server.accept());
  }
  for (connection* link : links)
    pool.release(*link, true);
  peers[0].reset();
  test::write_all(peers[1], "HTTP/1.1 408 Request Timeout\r\n\r\n");
  test::run_until(loop, [&] { return pool.idle() == 1; });
  EXPECT_EQ(pool.counters().closed_idle, 2U);
  EXPECT_EQ(&pool.acquire(ear, timer_queue::never), links[2]);
  EXPECT_EQ(ear.bytes, "") << "data on an idle connection belongs to no request";
}

TEST_F(connection_pool_test, closes_a_returned_connection_that_cannot_be_reused) {
  connection& link = connect();
  base::fd peer = server.accept();
  pool.release(link, false);
  EXPECT_EQ(pool.idle(), 0U);
  EXPECT_EQ(pool.counters().not_reusable, 1U);
  EXPECT_EQ(test::read_some(peer, 1), "") << "closed";
  EXPECT_FALSE(pool.acquire(ear, timer_queue::never).connected());
}

TEST_F(connection_pool_test, a_connection_given_back_while_connecting_is_given_up) {
  connection& link = pool.acquire(ear, timer_queue::never);
  pool.release(link, true);
  loop.run_once(false);
  EXPECT_EQ(ear.log, "");
  EXPECT_EQ(pool.idle(), 0U);
}

TEST_F(connection_pool_test, opens_a_fresh_one_though_others_are_idle_when_asked_to) {
  pool.release(connect(), true);
  connection& fresh = pool.acquire_fresh(ear, timer_queue::never);
  EXPECT_FALSE(fresh.connected());
  EXPECT_EQ(pool.idle(), 1U);
}

TEST_F(connection_pool_test, may_take_a_connection_back_inside_its_callback) {
  connection& link = connect();
  base::fd peer = server.accept();
  ear.then = [&](std::string_view what) {
    if (what == "bytes") pool.release(link, true);
  };
  test::write_all(peer, "answer");
  test::run_until(loop, [&] { return pool.idle() == 1; });
  EXPECT_EQ(&pool.acquire(ear, timer_queue::never), &link);
}

TEST_F(connection_pool_test, takes_the_addresses_in_turn) {
  const test::loopback second;
  where.addresses.push_back(second.where());
  connection_pool two(loop, where);
  EXPECT_EQ(two.acquire(ear, timer_queue::never).address_index(), 0U);
  EXPECT_EQ(two.acquire(ear, timer_queue::never).address_index(), 1U);
  EXPECT_EQ(two.acquire(ear, timer_queue::never).address_index(), 0U);
}

TEST_F(connection_pool_test, leaves_out_an_address_that_did_not_accept) {
  const test::loopback closed(false);
  where.addresses = {closed.where(), server.where()};
  connection_pool two(loop, where);
  connection& link = two.acquire(ear, timer_queue::never);
  test::run_until(loop, [&] { return ear.has("connected"); });
  EXPECT_EQ(link.tried(), 2U);
  two.release(link, false);
  for (int i = 0; i < 3; ++i) {
    ear.log.clear();
    connection& next = two.acquire(ear, timer_queue::never);
    test::run_until(loop, [&] { return ear.has("connected"); });
    EXPECT_EQ(next.tried(), 1U);
    EXPECT_EQ(next.address_index(), 1U);
  }
}

TEST_F(connection_pool_test, opens_connections_ahead_of_need) {
  pool.open_ahead(3, timer_queue::never);
  EXPECT_EQ(pool.opening(), 3U);
  EXPECT_EQ(pool.idle(), 0U);
  EXPECT_EQ(pool.counters().connects, 3U);
  test::run_until(loop, [&] { return pool.idle() == 3; });
  EXPECT_EQ(pool.opening(), 0U);
  EXPECT_EQ(pool.counters().opened_ahead, 3U);
  EXPECT_TRUE(pool.acquire(ear, timer_queue::never).connected());
  EXPECT_EQ(pool.counters().reuses, 1U);
  EXPECT_EQ(pool.counters().connects, 3U);
  EXPECT_EQ(pool.ahead_failure().text, "");
}

TEST_F(connection_pool_test, keeps_why_a_connection_ahead_of_need_failed) {
  const test::loopback closed(false);
  where.addresses = {closed.where()};
  pool.open_ahead(2, timer_queue::never);
  test::run_until(loop, [&] { return pool.opening() == 0; });
  EXPECT_EQ(pool.ahead_failure().text,
            "cannot connect to " + closed.where().text() + ": Connection refused");
  EXPECT_EQ(pool.idle(), 0U);
  EXPECT_EQ(pool.counters().opened_ahead, 0U);
  EXPECT_EQ(pool.counters().closed_idle, 0U);
  where.addresses = {server.where()};
  EXPECT_FALSE(connect().closed()) << "their objects are used again";
}

TEST_F(connection_pool_test, a_connection_ahead_of_need_learns_which_addresses_accept) {
  const test::loopback closed(false);
  where.addresses = {closed.where(), server.where()};
  connection_pool two(loop, where);
  two.open_ahead(1, timer_queue::never);
  test::run_until(loop, [&] { return two.idle() == 1; });
  EXPECT_EQ(two.acquire_fresh(ear, timer_queue::never).address_index(), 1U);
}

TEST_F(connection_pool_test, notices_that_a_connection_ahead_of_need_has_ended) {
  pool.open_ahead(1, timer_queue::never);
  test::run_until(loop, [&] { return pool.idle() == 1; });
  test::reset(server.accept());
  test::run_until(loop, [&] { return pool.idle() == 0; });
  EXPECT_EQ(pool.counters().closed_idle, 1U);
  EXPECT_EQ(pool.ahead_failure().text, "the connection broke: Connection reset by peer");
}

TEST_F(connection_pool_test, counts_no_retransmits_where_nothing_was_lost) {
  pool.release(connect(), false);
  connection& open = connect();
  EXPECT_EQ(open.retransmits(), 0U);
  EXPECT_EQ(pool.counters().retransmits, 0U);
}

}  // namespace
}  // namespace inferbench::transport
