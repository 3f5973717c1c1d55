// One request over a connection: its delay, its signature and its cancellation.
#include "client/http_flight.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/abi.h>

#include "base/clock.hpp"
#include "base/fd.hpp"
#include "client/flight.hpp"
#include "framework/client/fake_codec.hpp"
#include "framework/client/http_flight_bench.hpp"
#include "framework/transport/loopback.hpp"

namespace inferbench::client {
namespace {

using ::testing::ElementsAre;
using testing::fake_codec;
using ::testing::IsEmpty;

class http_flight_test : public testing::http_flight_bench {};

// The client does not look at its sockets for 80 ms.
TEST_F(http_flight_test, a_delay_noticed_before_sending_is_the_clients_own) {
  launch();
  const base::fd peer = listener.accept();
  clock.at += 80 * base::ns_per_ms;
  std::string request;
  transport::test::run_until(
      loop,
      [&] {
        request += transport::test::read_now(peer);
        return request.find("\r\n\r\n") != std::string::npos;
      },
      false);
  clock.at += base::ns_per_ms;
  transport::test::write_all(peer, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
  transport::test::run_until(loop, [&] { return !records.empty(); });
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].late.sending_ns, 80 * base::ns_per_ms);
  EXPECT_TRUE(records[0].late.unknown) << "this loop takes no stamps of the kernel";
  EXPECT_TRUE(records[0].late.events.empty());
}

TEST_F(http_flight_test, cancelled_after_a_long_wait_for_the_first_byte_says_where_to_look) {
  launch();
  subject->cancel("cancelled: the run was stopped", clock.at + 2 * http_second);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].status, IFB_E_CANCELLED);
  EXPECT_EQ(records[0].error,
            "cancelled: the run was stopped, and the server had sent no byte of an answer for more "
            "than 1 s; see its log, check --base-url and --endpoint, or bound such waits with "
            "--first-byte-timeout");
}

TEST_F(http_flight_test, cancelled_soon_after_its_start_has_nothing_to_say_about_the_server) {
  launch();
  subject->cancel("cancelled: the run was stopped", clock.at + http_second / 2);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].error, "cancelled: the run was stopped");
}

TEST_F(http_flight_test, is_signed_right_before_each_leg_with_the_time_of_the_wall_clock) {
  std::vector<std::int64_t> times;
  codec.signer = [&](const ifb_http_target& target, ifb_http_request&, ifb_error*) {
    times.push_back(target.unix_ns);
    return IFB_OK;
  };
  codec.legs = 2;
  shared = codec.shared(server);
  make();
  clock.unix_at = 5;
  subject->what.sample = &sample;
  ASSERT_EQ(subject->prepare(), flight::readiness::ready);
  clock.unix_at = 6;
  subject->launch(clock.at);
  EXPECT_THAT(times, IsEmpty()) << "there is no connection yet";
  const base::fd peer = listener.accept();
  clock.unix_at = 7;
  request_from(peer);
  EXPECT_THAT(times, ElementsAre(7));
  clock.unix_at = 8;
  transport::test::write_all(peer, sse_chunks + "b\r\ndata: one\n\n\r\n" + last_chunk);
  request_from(peer);
  EXPECT_THAT(times, ElementsAre(7, 8));
}

TEST_F(http_flight_test, that_cannot_be_signed_lands_and_leaves_its_connection_unused) {
  codec.signer = [](const ifb_http_target&, ifb_http_request&, ifb_error* error) {
    return fake_codec::fail(error, IFB_E_IO, "the key is gone");
  };
  shared = codec.shared(server);
  make();
  launch();
  const base::fd peer = listener.accept();
  turn_until([&] { return !records.empty(); });
  EXPECT_EQ(records[0].error, "the key is gone");
  EXPECT_EQ(records[0].sent_ns, 0U);
  EXPECT_EQ(records[0].bytes_sent, 0U);
  EXPECT_EQ(pool().idle(), 1U);
  // The second one finds a connection, so it lands inside launch().
  launch();
  EXPECT_EQ(records.size(), 2U);
  EXPECT_EQ(pool().idle(), 1U);
  EXPECT_FALSE(waits(peer.get()));
}

}  // namespace
}  // namespace inferbench::client
