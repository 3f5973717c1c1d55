// Requests that another thread serialises: those with a large sample, and their later legs.
#include <future>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/abi.h>

#include "base/fd.hpp"
#include "client/flight.hpp"
#include "client/large_sample.hpp"
#include "framework/client/http_flight_bench.hpp"
#include "framework/transport/loopback.hpp"

namespace inferbench::client {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class large_http_flight : public testing::http_flight_bench {
 protected:
  large_http_flight() {
    sample.prompt = {&part, 1, sizeof part};
    codec.opening = [this](const ifb_sample&) {
      thread = std::this_thread::get_id();
      begun.set_value();
      go.get_future().wait();
    };
    subject->what.sample = &sample;
  }

  const std::string text = std::string(large_sample_bytes, 'x');
  const ifb_part part{sizeof(ifb_part), IFB_PART_TEXT, nullptr, {text.data(), text.size()}, {}, {}};
  std::promise<void> begun;
  std::promise<void> go;
  std::thread::id thread;
};

TEST_F(large_http_flight, is_serialised_on_another_thread) {
  ASSERT_EQ(subject->prepare(), flight::readiness::later);
  EXPECT_TRUE(subject->preparing());
  begun.get_future().wait();
  EXPECT_NE(thread, std::this_thread::get_id());
  EXPECT_EQ(subject->name(), "request 0 (bench-0)");
  EXPECT_THAT(prepared, IsEmpty());
  go.set_value();
  transport::test::run_until(loop, [&] { return !prepared.empty(); });
  EXPECT_THAT(prepared, ElementsAre(true));
  EXPECT_FALSE(subject->preparing());
  subject->launch(clock.at);
  const base::fd peer = listener.accept();
  EXPECT_THAT(request_from(peer), HasSubstr("POST /v1/x HTTP/1.1"));
}

class later_leg : public large_http_flight {
 protected:
  later_leg() {
    codec.legs = 2;
    codec.opening = {};
    codec.requesting = [this](int leg) {
      if (leg != 2) return;
      thread = std::this_thread::get_id();
      begun.set_value();
      go.get_future().wait();
    };
  }

  /// Sends the first leg, and waits until a thread serialises the second leg.
  base::fd answer_first_leg() {
    EXPECT_EQ(subject->prepare(), flight::readiness::later);
    transport::test::run_until(loop, [&] { return !prepared.empty(); });
    subject->launch(clock.at);
    base::fd peer = listener.accept();
    request_from(peer);
    transport::test::write_all(peer, sse_chunks + last_chunk);
    turn_until([&] { return !codec.endings.empty(); });
    begun.get_future().wait();
    return peer;
  }
};

TEST_F(later_leg, is_serialised_on_another_thread) {
  const base::fd peer = answer_first_leg();
  EXPECT_NE(thread, std::this_thread::get_id());
  EXPECT_EQ(pool().idle(), 1U) << "other requests may use the connection meanwhile";
  go.set_value();
  EXPECT_THAT(request_from(peer), HasSubstr("POST /v1/x HTTP/1.1"));
  transport::test::write_all(peer, one_and_end + last_chunk);
  turn_until([&] { return !records.empty(); });
  EXPECT_TRUE(records[0].ok()) << records[0].error;
}

TEST_F(later_leg, may_be_refused_by_the_codec) {
  const base::fd peer = answer_first_leg();
  codec.request_status = IFB_E_UNSUPPORTED;
  go.set_value();
  turn_until([&] { return !records.empty(); });
  EXPECT_EQ(records[0].error, "no second thought");
  EXPECT_EQ(codec.closed, 1);
  EXPECT_FALSE(waits(peer.get()));
}

TEST_F(later_leg, is_cancelled_when_the_thread_has_left_the_codec) {
  const base::fd peer = answer_first_leg();
  subject->cancel("stopped", clock.at);
  EXPECT_THAT(records, IsEmpty());
  go.set_value();
  turn_until([&] { return !records.empty(); });
  EXPECT_EQ(records[0].status, IFB_E_CANCELLED);
  EXPECT_EQ(records[0].error, "stopped");
  EXPECT_EQ(codec.closed, 1);
}

TEST_F(later_leg, keeps_to_the_time_limit_of_the_request) {
  shared.request_timeout_ns = 2 * http_second;
  make();
  subject->what.sample = &sample;
  const base::fd peer = answer_first_leg();
  pass(http_second);
  go.set_value();
  request_from(peer);
  pass(http_second);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].status, IFB_E_TIMEOUT);
}

TEST_F(large_http_flight, may_be_refused_later) {
  codec.open_status = IFB_E_UNSUPPORTED;
  ASSERT_EQ(subject->prepare(), flight::readiness::later);
  go.set_value();
  transport::test::run_until(loop, [&] { return !prepared.empty(); });
  EXPECT_THAT(prepared, ElementsAre(false));
  subject->refuse(clock.at);
  EXPECT_EQ(subject->land().error, "this prompt has no shape");
}

TEST_F(large_http_flight, can_be_withdrawn_only_while_no_thread_is_inside_the_codec) {
  ASSERT_EQ(subject->prepare(), flight::readiness::later);
  begun.get_future().wait();
  EXPECT_FALSE(subject->withdraw());
  EXPECT_TRUE(subject->preparing());
  go.set_value();
  transport::test::run_until(loop, [&] { return !prepared.empty(); });
  EXPECT_TRUE(subject->withdraw());
  EXPECT_EQ(subject->land().id, "bench-0");
  EXPECT_EQ(codec.closed, 1);
}

}  // namespace
}  // namespace inferbench::client
