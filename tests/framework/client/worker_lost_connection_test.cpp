// Connections that a server closes or refuses: the requests that a worker sends again, and those
// that fail.
#include <cstddef>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "client/worker.hpp"
#include "framework/client/scripted_server.hpp"
#include "framework/client/worker_bench.hpp"
#include "framework/transport/loopback.hpp"

namespace inferbench::client {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::listed_jobs;
using testing::scripted_server;

class worker_lost_connection_test : public testing::worker_bench {};

TEST_F(worker_lost_connection_test, a_request_on_a_stale_connection_goes_once_more_and_says_so) {
  codec.legs = 2;
  listed_jobs jobs(2);
  scripted_server server([](scripted_server& self, std::size_t request) {
    // The second leg of r-1 gets a connection that the server has closed already.
    if (request == 2)
      self.send_and_close(request, answer);
    else
      self.send(request, answer);
  });
  run(jobs, server, {.max_in_flight = 1});
  EXPECT_THAT(times_seen(server),
              ElementsAre(::testing::Pair("r-0", 2), ::testing::Pair("r-1", 2)));
  ASSERT_EQ(told, 2U);
  EXPECT_FALSE(records[0].sent_again);
  EXPECT_TRUE(records[1].ok()) << records[1].error;
  EXPECT_TRUE(records[1].sent_again);
  EXPECT_EQ(records[1].bytes_sent, records[0].bytes_sent);
  EXPECT_EQ(subject->counters().started, 2U);
  EXPECT_EQ(subject->counters().failed, 0U);
}

TEST_F(worker_lost_connection_test, a_request_is_sent_again_only_once) {
  codec.legs = 2;
  listed_jobs jobs(1);
  scripted_server server([](scripted_server& self, std::size_t request) {
    if (request == 0)
      self.send_and_close(request, answer);
    else
      self.close(request);
  });
  run(jobs, server, {.max_in_flight = 1});
  EXPECT_EQ(times_seen(server)["r-0"], 2);
  EXPECT_EQ(records[0].status, IFB_E_IO);
  EXPECT_TRUE(records[0].sent_again);
  EXPECT_THAT(records[0].error, HasSubstr("without an answer"));
}

// The client cannot know whether the server processed it: sent again, it might be processed twice.
TEST_F(worker_lost_connection_test, a_request_that_the_server_took_and_dropped_has_failed) {
  listed_jobs jobs(3);
  scripted_server server([](scripted_server& self, std::size_t request) {
    if (request == 1)
      self.close(request);
    else
      self.send(request, answer);
  });
  run(jobs, server, {.max_in_flight = 1});
  EXPECT_THAT(times_seen(server), ElementsAre(::testing::Pair("r-0", 1), ::testing::Pair("r-1", 1),
                                              ::testing::Pair("r-2", 1)));
  ASSERT_EQ(told, 3U);
  EXPECT_EQ(records[1].status, IFB_E_IO);
  EXPECT_THAT(records[1].error, HasSubstr("without an answer"));
  EXPECT_FALSE(records[1].sent_again);
  EXPECT_TRUE(records[2].ok()) << records[2].error;
  EXPECT_EQ(subject->counters().failed, 1U);
}

TEST_F(worker_lost_connection_test,
       no_request_is_lost_if_a_server_closes_connections_that_it_announced_to_keep) {
  std::string announced = answer;
  announced.insert(announced.find("\r\n") + 2, "Keep-Alive: timeout=5, max=100\r\n");
  listed_jobs jobs(20);
  scripted_server server(
      [&](scripted_server& self, std::size_t request) { self.send_and_close(request, announced); });
  run(jobs, server, {.max_in_flight = 2});
  expect_all_good(server, 20);
}

TEST_F(worker_lost_connection_test, a_fresh_connection_that_closes_without_an_answer_is_a_failure) {
  listed_jobs jobs(3);
  scripted_server server([](scripted_server& self, std::size_t request) { self.close(request); });
  run(jobs, server, {.max_in_flight = 1});
  EXPECT_EQ(server.seen().size(), 3U);
  ASSERT_EQ(told, 3U);
  for (const auto& [n, r] : records) {
    EXPECT_EQ(r.status, IFB_E_IO) << n;
    EXPECT_FALSE(r.sent_again) << n;
  }
  EXPECT_EQ(subject->counters().failed, 3U);
}

TEST_F(worker_lost_connection_test,
       an_answer_cut_short_on_a_kept_connection_is_not_asked_for_again) {
  listed_jobs jobs(3);
  scripted_server server([](scripted_server& self, std::size_t request) {
    self.send(request, request == 1 ? answer.substr(0, answer.size() - 4) : answer);
    if (request == 1) self.close(request);
  });
  run(jobs, server, {.max_in_flight = 1});
  EXPECT_EQ(server.seen().size(), 3U);
  ASSERT_EQ(told, 3U);
  EXPECT_EQ(records[1].status, IFB_E_IO);
  EXPECT_THAT(records[1].error, HasSubstr("before the answer was complete"));
  EXPECT_TRUE(records[2].ok());
}

TEST_F(worker_lost_connection_test,
       a_server_that_refuses_connections_fails_each_request_with_its_address) {
  listed_jobs jobs(40);
  const transport::test::loopback closed(false);
  make(jobs, closed.where(), {.max_in_flight = 4});
  run();
  ASSERT_EQ(told, 40U);
  ASSERT_EQ(records.size(), 40U);
  for (const auto& [n, r] : records) {
    EXPECT_EQ(r.status, IFB_E_IO) << n;
    EXPECT_EQ(r.error, "cannot connect to " + closed.where().text() + ": Connection refused");
    EXPECT_EQ(r.connected_ns, 0U) << n;
    EXPECT_EQ(r.sent_ns, 0U) << n;
    EXPECT_EQ(r.bytes_sent, 0U) << n;
  }
  EXPECT_EQ(subject->counters().failed, 40U);
}

}  // namespace
}  // namespace inferbench::client
