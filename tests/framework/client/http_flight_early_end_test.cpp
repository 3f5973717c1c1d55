// A request whose codec ends it before the end of the answer: the rest of the answer and the
// connection.
#include <cstdint>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/fd.hpp"
#include "client/record.hpp"
#include "framework/client/http_flight_bench.hpp"
#include "framework/transport/loopback.hpp"

namespace inferbench::client {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class http_flight_early_end : public testing::http_flight_bench {};

TEST_F(http_flight_early_end, waits_for_the_end_of_an_answer_that_its_codec_has_ended) {
  const base::fd peer = launch_to_early_end();
  EXPECT_THAT(codec.endings, ElementsAre("early"));
  EXPECT_THAT(records, IsEmpty());
  const std::uint64_t ended = clock.at;
  pass(http_ms / 2);
  transport::test::write_all(peer, last_chunk);
  turn_until([&] { return !records.empty(); });
  EXPECT_TRUE(records[0].ok()) << records[0].error;
  EXPECT_EQ(records[0].end_ns, ended);
  EXPECT_EQ(subject->over_ns, ended + http_ms / 2);
  EXPECT_EQ(pool().idle(), 1U);
  launch();
  EXPECT_THAT(request_from(peer), HasSubstr("POST /v1/x"));
  EXPECT_EQ(pool().counters().reuses, 1U);
}

TEST_F(http_flight_early_end, keeps_its_permit_for_a_millisecond_after_an_early_end) {
  const base::fd peer = launch_to_early_end();
  const std::uint64_t ended = clock.at;
  pass(http_ms - 1);
  EXPECT_THAT(records, IsEmpty());
  pass(1);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_TRUE(records[0].ok());
  EXPECT_EQ(records[0].end_ns, ended);
  EXPECT_EQ(subject->over_ns, ended + http_ms);
  EXPECT_EQ(codec.closed, 1);
  // The rest is read beside, while the flight has another request on another connection.
  launch();
  const base::fd other = next_connection();
  EXPECT_EQ(pool().idle(), 0U);
  transport::test::write_all(peer, "4\r\nrest\r\n" + last_chunk);
  turn_until([&] { return pool().idle() == 1; });
  EXPECT_EQ(codec.messages.size(), 2U);
  EXPECT_EQ(records.size(), 1U);
}

TEST_F(http_flight_early_end, leaves_a_connection_whose_answer_does_not_end) {
  const base::fd peer = launch_to_early_end();
  pass(http_ms);
  ASSERT_EQ(records.size(), 1U);
  pass(http_second - 1);
  EXPECT_EQ(pool().counters().not_reusable, 0U);
  pass(1);
  EXPECT_EQ(pool().counters().not_reusable, 1U);
  EXPECT_EQ(transport::test::read_some(peer, 1), "") << "closed";
}

TEST_F(http_flight_early_end, an_early_end_stays_good_whatever_happens_to_the_connection) {
  base::fd closing = launch_to_early_end();
  closing.reset();
  turn_until([&] { return records.size() == 1; });
  codec.endings.clear();
  base::fd breaking = launch_to_early_end();
  transport::test::reset(std::move(breaking));
  turn_until([&] { return records.size() == 2; });
  codec.endings.clear();
  const base::fd rubbish = launch_to_early_end();
  transport::test::write_all(rubbish, "zz");
  turn_until([&] { return records.size() == 3; });
  for (const record& r : records)
    EXPECT_TRUE(r.ok()) << r.error;
  EXPECT_EQ(pool().idle(), 0U);
}

TEST_F(http_flight_early_end, an_early_end_is_not_cancelled_and_does_not_time_out) {
  shared.request_timeout_ns = http_ms / 2;
  shared.idle_timeout_ns = http_ms / 4;
  const base::fd peer = launch_to_early_end();
  pass(http_ms / 2);
  EXPECT_THAT(records, IsEmpty());
  subject->cancel("cancelled: the run was stopped", clock.at);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_TRUE(records[0].ok()) << records[0].error;
}

TEST_F(http_flight_early_end, a_leg_after_an_early_end_goes_out_on_another_connection_at_once) {
  codec.legs = 2;
  const base::fd first = launch_to_early_end();
  const base::fd other = next_connection();
  request_from(other);
  transport::test::write_all(first, last_chunk);
  turn_until([&] { return pool().idle() == 1; });
  transport::test::write_all(other, sse_chunks + "b\r\ndata: two\n\n\r\n" + last_chunk);
  turn_until([&] { return !records.empty(); });
  EXPECT_TRUE(records[0].ok()) << records[0].error;
  EXPECT_EQ(records[0].text, "onetwo");
  EXPECT_EQ(pool().idle(), 2U);
}

}  // namespace
}  // namespace inferbench::client
