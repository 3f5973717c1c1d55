// Connections that a worker opens before its requests need them.
#include <chrono>
#include <cstddef>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>

#include "base/fd.hpp"
#include "client/worker.hpp"
#include "framework/client/scripted_server.hpp"
#include "framework/client/worker_bench.hpp"
#include "framework/transport/clocks.hpp"
#include "framework/transport/loopback.hpp"

namespace inferbench::client {
namespace {

using ::testing::ElementsAre;
using testing::listed_jobs;
using testing::scripted_server;

class worker_connections_ahead_test : public testing::worker_bench {};

TEST_F(worker_connections_ahead_test, connections_that_were_opened_ahead_serve_the_first_requests) {
  listed_jobs jobs(20);
  scripted_server server(answers_at_once);
  make(jobs, server.where(), {.max_in_flight = 4, .connections_ahead = 4});
  auto over = std::async(std::launch::async, [&] {
    subject->open();
    subject->run();
  });
  ASSERT_EQ(over.wait_for(std::chrono::seconds(20)), std::future_status::ready);
  server.stop();
  expect_all_good(server, 20);
  const server_use& use = subject->health().servers[0];
  EXPECT_EQ(use.opened_ahead, 4U);
  EXPECT_EQ(use.connects, 4U);
  EXPECT_EQ(use.reuses, 20U);
  for (const auto& [n, r] : records)
    EXPECT_EQ(r.connected_ns, r.start_ns) << n;
}

TEST_F(worker_connections_ahead_test, a_request_that_is_due_soon_finds_its_connection_open) {
  // Time passes only while the loop looks at its descriptors, so that it looks many times before
  // the requests are due. The clock is ahead of the system's clock, by which the loop waits: it
  // would not wait for a time of the past.
  transport::test::counting_clock looks;
  looks.at = clock.now() + 3600 * base::ns_per_s;
  listed_jobs jobs(8, looks.at + 2000);
  std::vector<std::size_t> open;
  scripted_server server([&](scripted_server& self, std::size_t request) {
    open.push_back(request);
    if (open.size() < 8) return;
    for (const std::size_t one : open)
      self.send(one, answer);
  });
  make(jobs, server.where());
  subject = std::make_unique<worker>(looks, shared, worker_settings{.connections_ahead = 1}, jobs,
                                     [&](record&& r) {
                                       records.emplace(r.sequence, std::move(r));
                                       ++told;
                                     });
  run();
  server.stop();
  expect_all_good(server, 8);
  EXPECT_EQ(subject->health().servers[0].opened_ahead, 8U);
  for (const auto& [n, r] : records)
    EXPECT_EQ(r.connected_ns, r.start_ns) << n;
}

TEST_F(worker_connections_ahead_test, closes_its_connections_on_the_thread_that_opened_them) {
  listed_jobs jobs(0);
  const transport::test::loopback server;
  make(jobs, server.where(), {.connections_ahead = 3});
  auto over = std::async(std::launch::async, [&] {
    subject->open();
    subject->run();
  });
  ASSERT_EQ(over.wait_for(std::chrono::seconds(20)), std::future_status::ready);
  for (int i = 0; i < 3; ++i) {
    const base::fd peer = server.accept();
    pollfd end{peer.get(), POLLIN, 0};
    ASSERT_EQ(::poll(&end, 1, 20'000), 1);
    EXPECT_EQ(transport::test::read_some(peer, 1), "");
  }
}

TEST_F(worker_connections_ahead_test,
       servers_that_refuse_to_be_connected_ahead_do_not_hold_up_the_run) {
  listed_jobs jobs(3);
  const transport::test::loopback closed(false);
  std::vector<std::string> lines;
  make(jobs, closed.where(),
       {.connections_ahead = 200, .warn = [&](const std::string& line) { lines.push_back(line); }});
  auto over = std::async(std::launch::async, [&] {
    subject->open();
    subject->run();
  });
  ASSERT_EQ(over.wait_for(std::chrono::seconds(20)), std::future_status::ready);
  EXPECT_EQ(told, 3U);
  EXPECT_EQ(subject->counters().failed, 3U);
  EXPECT_THAT(lines, ElementsAre("not every connection could be opened ahead: cannot connect to " +
                                 closed.where().text() + ": Connection refused"));
}

TEST_F(worker_connections_ahead_test, stop_ends_the_opening_of_connections) {
  listed_jobs jobs(3);
  // The listener accepts nothing. When its backlog of 128 is full, further connections wait.
  const transport::test::loopback nobody;
  make(jobs, nobody.where(), {.connections_ahead = 10'000});
  auto over = std::async(std::launch::async, [&] {
    subject->open();
    subject->run();
  });
  subject->stop();
  ASSERT_EQ(over.wait_for(std::chrono::seconds(20)), std::future_status::ready);
  EXPECT_EQ(told, 0U);
}

}  // namespace
}  // namespace inferbench::client
