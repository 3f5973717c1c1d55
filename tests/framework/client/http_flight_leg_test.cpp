// The later legs of a request: the time of a leg, and the delays that are the client's own.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>

#include <inferbench/abi.h>

#include "base/clock.hpp"
#include "base/fd.hpp"
#include "framework/client/http_flight_bench.hpp"
#include "framework/transport/loopback.hpp"

namespace inferbench::client {
namespace {

using ::testing::IsEmpty;

class http_flight_leg : public testing::http_flight_bench {};

TEST_F(http_flight_leg, the_clients_own_time_in_later_legs_counts_as_well) {
  codec.legs = 2;
  launch();
  base::fd peer = listener.accept();
  const auto answer = [&](const char* text) {
    std::string request;
    transport::test::run_until(
        loop,
        [&] {
          request += transport::test::read_now(peer);
          return request.find("\r\n\r\n") != std::string::npos;
        },
        false);
    transport::test::write_all(peer, text);
  };
  answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
  // The second leg uses a new connection.
  transport::test::run_until(
      loop,
      [&] {
        pollfd one{listener.fd(), POLLIN, 0};
        return ::poll(&one, 1, 0) > 0;
      },
      false);
  peer = listener.accept();
  clock.at += 80 * base::ns_per_ms;
  answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
  transport::test::run_until(loop, [&] { return !records.empty(); });
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].late.sending_ns, 80 * base::ns_per_ms);
}

TEST_F(http_flight_leg, a_leg_waits_for_its_time_without_a_connection) {
  shared.idle_timeout_ns = http_second;
  shared.stall_warning_ns = http_second;
  codec.legs = 2;
  codec.not_before = clock.at + 5 * http_second;
  launch();
  const base::fd peer = listener.accept();
  request_from(peer);
  transport::test::write_all(peer, sse_chunks + "b\r\ndata: one\n\n\r\n" + last_chunk);
  turn_until([&] { return pool().idle() == 1; });
  for (int i = 0; i < 9; ++i)
    pass(http_second / 2);
  EXPECT_FALSE(waits(peer.get()));
  EXPECT_THAT(records, IsEmpty());
  EXPECT_EQ(stalled, 0) << "the silence is the codec's wish";
  pass(http_second / 2);
  EXPECT_EQ(pool().idle(), 0U);
  request_from(peer);
  transport::test::write_all(peer, sse_chunks + "b\r\ndata: two\n\n\r\n" + last_chunk);
  turn_until([&] { return !records.empty(); });
  EXPECT_TRUE(records[0].ok()) << records[0].error;
  EXPECT_EQ(records[0].text, "onetwo");
  EXPECT_EQ(records[0].late.sending_ns, 0U) << "the wait is not the client's delay";
}

TEST_F(http_flight_leg, the_clients_delay_after_the_time_of_a_leg_is_its_own) {
  codec.legs = 2;
  codec.not_before = clock.at + http_second;
  launch();
  const base::fd peer = listener.accept();
  request_from(peer);
  transport::test::write_all(peer, sse_chunks + "b\r\ndata: one\n\n\r\n" + last_chunk);
  turn_until([&] { return pool().idle() == 1; });
  pass(http_second + 3 * http_ms);
  request_from(peer);
  transport::test::write_all(peer, sse_chunks + "b\r\ndata: two\n\n\r\n" + last_chunk);
  turn_until([&] { return !records.empty(); });
  EXPECT_EQ(records[0].late.sending_ns, 3 * http_ms);
}

TEST_F(http_flight_leg, a_leg_whose_time_has_passed_is_sent_at_once) {
  codec.legs = 2;
  codec.not_before = clock.at;
  launch();
  const base::fd peer = listener.accept();
  request_from(peer);
  transport::test::write_all(peer, sse_chunks + "b\r\ndata: one\n\n\r\n" + last_chunk);
  request_from(peer);
  EXPECT_EQ(pool().idle(), 0U);
}

TEST_F(http_flight_leg, the_time_limit_of_a_request_includes_the_wait_for_a_leg) {
  shared.request_timeout_ns = 2 * http_second;
  codec.legs = 2;
  codec.not_before = clock.at + 5 * http_second;
  launch();
  const base::fd peer = listener.accept();
  request_from(peer);
  transport::test::write_all(peer, sse_chunks + "b\r\ndata: one\n\n\r\n" + last_chunk);
  turn_until([&] { return pool().idle() == 1; });
  pass(2 * http_second);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].status, IFB_E_TIMEOUT);
  pass(10 * http_second);
  EXPECT_FALSE(waits(peer.get())) << "nothing is sent for it later";
}

TEST_F(http_flight_leg, can_be_cancelled_while_a_leg_waits) {
  codec.legs = 2;
  codec.not_before = clock.at + 5 * http_second;
  launch();
  const base::fd peer = listener.accept();
  request_from(peer);
  transport::test::write_all(peer, sse_chunks + "b\r\ndata: one\n\n\r\n" + last_chunk);
  turn_until([&] { return pool().idle() == 1; });
  subject->cancel("cancelled: the run was stopped", clock.at);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].status, IFB_E_CANCELLED);
  EXPECT_EQ(codec.closed, 1);
}

}  // namespace
}  // namespace inferbench::client
