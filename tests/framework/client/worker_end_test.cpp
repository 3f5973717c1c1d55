// The end of a worker's run: by stop(), at the end of the sending, and immediately if there is
// nothing to do.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/worker.hpp"
#include "framework/client/scripted_server.hpp"
#include "framework/client/worker_bench.hpp"
#include "framework/transport/loopback.hpp"

namespace inferbench::client {
namespace {

using ::testing::HasSubstr;
using testing::listed_jobs;
using testing::scripted_server;

class worker_end_test : public testing::worker_bench {};

TEST_F(worker_end_test, stop_cancels_requests_in_flight_and_sends_nothing_more) {
  listed_jobs jobs(50);
  scripted_server server([&](scripted_server& self, std::size_t request) {
    if (request == 0) self.send(request, answer);
    if (request == 2) stoppable.load()->stop();
  });
  run(jobs, server, {.max_in_flight = 2});
  EXPECT_EQ(server.seen().size(), 3U);
  ASSERT_EQ(told, 3U);
  EXPECT_TRUE(records[0].ok());
  EXPECT_EQ(records[1].status, IFB_E_CANCELLED);
  EXPECT_EQ(records[2].status, IFB_E_CANCELLED);
  EXPECT_THAT(records[2].error, HasSubstr("stopped"));
  EXPECT_NE(records[2].start_ns, 0U);
  EXPECT_EQ(subject->counters().started, 3U);
  EXPECT_EQ(subject->counters().finished, 3U);
  EXPECT_EQ(codec.closed, codec.opened);
}

TEST_F(worker_end_test, stop_before_the_start_means_that_nothing_is_sent) {
  listed_jobs jobs(50);
  scripted_server server(answers_at_once);
  make(jobs, server.where());
  subject->stop();
  run();
  server.stop();
  EXPECT_EQ(told, 0U);
  EXPECT_EQ(subject->counters().started, 0U);
  EXPECT_EQ(subject->health().servers[0].connects, 0U);
  EXPECT_EQ(server.connections(), 0U);
}

TEST_F(worker_end_test, stop_ends_the_wait_for_a_time_and_for_a_source) {
  listed_jobs later(1, clock.now() + 3600 * base::ns_per_s);
  const transport::test::loopback nobody;
  make(later, nobody.where());
  later.asked = [&](std::size_t) { subject->stop(); };
  run();
  EXPECT_EQ(told, 0U);

  listed_jobs never(1);
  int times = 0;
  class silent final : public source {
   public:
    explicit silent(std::function<void()> what) : what_(std::move(what)) {}
    dataset::taken try_take(job&) override {
      what_();
      return dataset::taken::later;
    }

   private:
    std::function<void()> what_;
  } nothing([&] {
    if (++times == 3) subject->stop();
  });
  subject = std::make_unique<worker>(clock, shared, worker_settings{}, nothing, [](record&&) {});
  run();
  EXPECT_GE(times, 3);
}

TEST_F(worker_end_test, requests_that_wait_for_a_permit_at_the_end_of_the_source_are_not_sent) {
  class ends_soon final : public source {
   public:
    ends_soon(listed_jobs& all, std::uint64_t at) : all_(all), at_(at) {}
    dataset::taken try_take(job& out) override { return all_.try_take(out); }
    [[nodiscard]] std::uint64_t ends_ns() const noexcept override { return at_; }

   private:
    listed_jobs& all_;
    std::uint64_t at_;
  };
  listed_jobs all(5);
  const std::uint64_t end = clock.now() + 50 * base::ns_per_ms;
  scripted_server server([&](scripted_server& self, std::size_t request) {
    while (clock.now() <= end) {
    }
    self.send(request, answer);
  });
  make(all, server.where());
  ends_soon jobs(all, end);
  subject = std::make_unique<worker>(clock, shared, worker_settings{.max_in_flight = 1}, jobs,
                                     [&](record&& r) {
                                       EXPECT_TRUE(r.ok()) << r.error;
                                       ++told;
                                     });
  run();
  server.stop();
  EXPECT_EQ(server.seen().size(), told);
  EXPECT_LE(told, 1U) << "on a busy machine even the first may be too late";
  EXPECT_EQ(codec.closed, codec.opened);
}

TEST_F(worker_end_test, ends_immediately_if_there_is_nothing_to_do) {
  listed_jobs jobs(0);
  scripted_server server(answers_at_once);
  run(jobs, server);
  EXPECT_EQ(told, 0U);
  EXPECT_EQ(server.connections(), 0U);
}

}  // namespace
}  // namespace inferbench::client
