// The health of the client that a worker reports: lateness, the state of its loop, and shortages.
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/fd.hpp"
#include "client/worker.hpp"
#include "framework/client/scripted_server.hpp"
#include "framework/client/worker_bench.hpp"
#include "framework/transport/loopback.hpp"

namespace inferbench::client {
namespace {

using testing::listed_jobs;
using testing::scripted_server;

class worker_health_test : public testing::worker_bench {};

TEST_F(worker_health_test, knows_how_late_its_requests_left_and_how_its_loop_was) {
  listed_jobs jobs(20);
  scripted_server server(answers_at_once);
  run(jobs, server, {.max_in_flight = 1});
  const worker_health& health = subject->health();
  EXPECT_EQ(health.launch_lag.count(), 20U);
  EXPECT_GT(health.turns, 0U);
  EXPECT_GT(health.loop_lag.count(), 0U);
  EXPECT_GE(health.receive_queue.count(), 20U);
  EXPECT_EQ(health.receive_queue.maximum(), answer.size());
  EXPECT_GT(health.cpu_ns, 0U);
  EXPECT_GE(health.wall_ns, health.cpu_ns);
  EXPECT_EQ(health.starved, 0U);
}

TEST_F(worker_health_test, claims_no_wait_for_a_core_where_the_system_does_not_tell) {
  // UndefinedBehaviorSanitizer needs a free descriptor when it meets a class for the first time.
  listed_jobs rehearsal(1);
  const transport::test::loopback closed(false);
  make(rehearsal, closed.where());
  run();

  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  listed_jobs jobs(1);
  std::vector<base::fd> all;
  jobs.asked = [&](std::size_t) {
    const rlimit few{64, before.rlim_max};
    ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
    while (base::fd one{::dup(0)})
      all.push_back(std::move(one));
  };
  const transport::test::loopback server;
  make(jobs, server.where());
  run();
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(subject->health().shortages, 1U);
  EXPECT_EQ(subject->health().run_delay_ns, 0U);
}

TEST_F(worker_health_test, a_wait_for_a_permit_is_not_lateness_of_the_client) {
  listed_jobs jobs(3);
  const std::uint64_t pause = 30 * base::ns_per_ms;
  scripted_server server([&](scripted_server& self, std::size_t request) {
    const std::uint64_t began = clock.now();
    while (clock.now() < began + pause) {
    }
    self.send(request, answer);
  });
  run(jobs, server, {.max_in_flight = 1});
  expect_all_good(server, 3);
  EXPECT_GE(records[2].start_ns - records[0].start_ns, 2 * pause);
  // All requests were due at the same time. If the lateness included the wait for the permit, it
  // would go back to the start of the run.
  for (std::uint64_t n = 1; n < 3; ++n)
    EXPECT_LE(records[n].late.launch_ns, records[n].start_ns - records[n - 1].end_ns) << n;
}

TEST_F(worker_health_test, counts_requests_whose_sample_came_too_late) {
  listed_jobs jobs(5);
  jobs.delays = 2;
  scripted_server server(answers_at_once);
  run(jobs, server, {.ahead = 1});
  expect_all_good(server, 5);
  EXPECT_EQ(subject->health().starved, 4U);  // the first sample is available from the start
}

}  // namespace
}  // namespace inferbench::client
