// Whole workers over HTTP: the order of requests, permits, due times, sources and servers.
#include "client/worker.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "framework/client/scripted_server.hpp"
#include "framework/client/worker_bench.hpp"

namespace inferbench::client {
namespace {

using testing::listed_jobs;
using testing::scripted_server;

class worker_test : public testing::worker_bench {};

TEST_F(worker_test, sends_each_request_once_in_order_over_one_kept_connection) {
  listed_jobs jobs(20);
  scripted_server server(answers_at_once);
  run(jobs, server, {.max_in_flight = 1});
  expect_all_good(server, 20);
  EXPECT_EQ(server.connections(), 1U);
  EXPECT_EQ(subject->health().servers[0].connects, 1U);
  EXPECT_EQ(subject->health().servers[0].reuses, 19U);
  EXPECT_EQ(subject->health().servers[0].requests, 20U);
  for (std::size_t i = 0; i < 20; ++i)
    EXPECT_EQ(server.seen()[i].id, "r-" + std::to_string(i));
}

TEST_F(worker_test, has_as_many_in_flight_as_it_has_permits_and_never_more) {
  listed_jobs jobs(60);
  std::vector<std::size_t> open;
  std::size_t most = 0;
  // The server answers only when three requests wait: with fewer permits in use the test would
  // hang.
  scripted_server server([&](scripted_server& self, std::size_t request) {
    open.push_back(request);
    most = std::max(most, open.size());
    if (open.size() < 3) return;
    for (const std::size_t one : open)
      self.send(one, answer);
    open.clear();
  });
  run(jobs, server, {.max_in_flight = 3, .ahead = 2});
  expect_all_good(server, 60);
  EXPECT_EQ(most, 3U);
  std::uint64_t before = 0;
  for (const auto& [n, r] : records) {
    EXPECT_GE(r.start_ns, before) << n;
    before = r.start_ns;
  }
}

TEST_F(worker_test, sends_a_burst_of_any_size_without_a_cap) {
  constexpr std::size_t count = 300;
  listed_jobs jobs(count);
  // The server answers when all requests are there.
  scripted_server server([&](scripted_server& self, std::size_t) {
    if (self.seen().size() < count) return;
    for (std::size_t i = 0; i < count; ++i)
      self.send(i, answer);
  });
  run(jobs, server);
  expect_all_good(server, count);
  EXPECT_EQ(server.connections(), count);
}

TEST_F(worker_test, stamps_follow_one_another) {
  listed_jobs jobs(30);
  scripted_server server(answers_at_once);
  const std::uint64_t before = clock.now();
  run(jobs, server, {.max_in_flight = 2});
  expect_all_good(server, 30);
  for (const auto& [n, r] : records) {
    EXPECT_GE(r.start_ns, before) << n;
    EXPECT_GE(r.connected_ns, r.start_ns) << n;
    EXPECT_GE(r.sent_ns, r.connected_ns) << n;
    EXPECT_GE(r.end_ns, r.first_byte_ns) << n;
    EXPECT_GE(r.first_byte_ns, r.connected_ns) << n;
    EXPECT_LE(r.end_ns, clock.now()) << n;
  }
}

TEST_F(worker_test, no_request_leaves_before_it_is_due) {
  listed_jobs jobs(20);
  const std::uint64_t now = clock.now();
  for (std::size_t i = 0; i < jobs.due.size(); ++i)
    jobs.due[i] = now + (i / 4) * 2 * base::ns_per_ms;
  scripted_server server(answers_at_once);
  run(jobs, server, {.ahead = 3});
  expect_all_good(server, 20);
  std::uint64_t before = 0;
  for (const auto& [n, r] : records) {
    EXPECT_EQ(r.due_ns, jobs.due[n]);
    EXPECT_GE(r.start_ns, r.due_ns) << n;
    EXPECT_GE(r.start_ns, before) << n;
    before = r.start_ns;
  }
}

TEST_F(worker_test, serialises_the_next_request_long_before_it_is_due) {
  listed_jobs jobs(10, clock.now() + 3600 * base::ns_per_s);
  jobs.due[0] = 0;
  jobs.asked = [&](std::size_t n) {
    if (n == 4) subject->stop();
  };
  scripted_server server(answers_at_once);
  // When the first request has left, there is room for a fifth.
  run(jobs, server, {.ahead = 4});
  EXPECT_GE(subject->counters().started, 1U);
}

TEST_F(worker_test, asks_again_a_source_that_has_nothing_ready) {
  listed_jobs jobs(10);
  jobs.delays = 3;
  scripted_server server(answers_at_once);
  run(jobs, server, {.max_in_flight = 2, .ahead = 2});
  expect_all_good(server, 10);
}

TEST_F(worker_test, a_source_that_waits_for_an_answer_is_asked_when_it_is_there) {
  // After the first job the source waits for an answer, at most for an hour.
  class conversation final : public source {
   public:
    conversation(listed_jobs& all, const std::size_t& answers, std::uint64_t an_hour)
        : all_(all), answers_(answers), an_hour_(an_hour) {}
    dataset::taken try_take(job& out) override {
      if (given_ > answers_) {
        out.due_ns = an_hour_;
        return dataset::taken::later;
      }
      ++given_;
      return all_.try_take(out);
    }

   private:
    listed_jobs& all_;
    const std::size_t& answers_;
    std::uint64_t an_hour_;
    std::size_t given_ = 0;
  };
  listed_jobs all(3);
  scripted_server server(answers_at_once);
  make(all, server.where());
  conversation jobs(all, told, clock.now() + 3600 * base::ns_per_s);
  subject =
      std::make_unique<worker>(clock, shared, worker_settings{}, jobs, [&](record&&) { ++told; });
  run();
  EXPECT_EQ(told, 3U);
  EXPECT_EQ(subject->health().starved, 0U);
}

TEST_F(worker_test, scarce_jobs_are_taken_when_there_is_a_permit_for_them) {
  class few final : public source {
   public:
    explicit few(listed_jobs& all) : all_(all) {}
    dataset::taken try_take(job& out) override { return all_.try_take(out); }
    [[nodiscard]] bool scarce() const noexcept override { return true; }

   private:
    listed_jobs& all_;
  };
  listed_jobs all(20);
  scripted_server server(answers_at_once);
  make(all, server.where());
  few jobs(all);
  std::size_t most_taken_ahead = 0;
  all.asked = [&](std::size_t n) { most_taken_ahead = std::max(most_taken_ahead, n - told); };
  subject = std::make_unique<worker>(clock, shared, worker_settings{.max_in_flight = 2}, jobs,
                                     [&](record&&) { ++told; });
  run();
  EXPECT_EQ(told, 20U);
  EXPECT_LE(most_taken_ahead, 2U);
}

TEST_F(worker_test, several_servers_take_requests_in_turn) {
  listed_jobs jobs(30);
  scripted_server first(answers_at_once);
  scripted_server second(answers_at_once);
  transport::endpoint other;
  other.where = transport::parse_url("http://other:1/base");
  other.addresses = {second.where()};
  shared.servers = {&server_, &other};
  run(jobs, first, {.max_in_flight = 4});
  second.stop();
  ASSERT_EQ(told, 30U);
  EXPECT_EQ(first.seen().size(), 15U);
  EXPECT_EQ(second.seen().size(), 15U);
  for (const auto& [n, r] : records) {
    EXPECT_TRUE(r.ok()) << r.error;
    EXPECT_EQ(r.server, n % 2) << n;
  }
  EXPECT_EQ(subject->health().servers[0].requests, 15U);
  EXPECT_EQ(subject->health().servers[1].requests, 15U);
}

}  // namespace
}  // namespace inferbench::client
