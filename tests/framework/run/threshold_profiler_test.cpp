#include "run/threshold_profiler.hpp"

#include <atomic>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.hpp"
#include "framework/dataset/fake_dataset.hpp"
#include "framework/services/answering_server.hpp"

namespace inferbench::run {
namespace {

using services::testing::answered;
using services::testing::answering_server;
using services::testing::asked;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string running_page(int running) {
  return "# TYPE vllm:num_requests_running gauge\nvllm:num_requests_running{engine=\"0\"} " +
         std::to_string(running) + "\nvllm:num_requests_running{engine=\"1\"} 1\n";
}

std::vector<std::string> posts(const answering_server& from) {
  std::vector<std::string> out;
  for (const asked& one : from.seen())
    if (one.line.starts_with("POST")) out.push_back(one.line);
  return out;
}

struct threshold_bench {
  explicit threshold_bench(std::int64_t threshold, std::uint64_t duration_ns = 1) {
    wanted.profile = true;
    wanted.profile_batch_threshold = threshold;
    wanted.profile_duration_ns = duration_ns;
  }

  const base::monotonic_clock clock;
  config::preparation wanted;
  config::server plan;
  fake::log_book book;
};

TEST(running_requests, are_added_up_over_the_engines_of_a_server) {
  EXPECT_EQ(running_requests(running_page(4)), 5.0);
  EXPECT_EQ(running_requests("tgi_batch_current_size 3\n"), 3.0);
  EXPECT_EQ(running_requests("other 3\n"), std::nullopt);
  EXPECT_EQ(running_requests(""), std::nullopt);
  EXPECT_EQ(running_requests("vllm:num_requests_running NaN\n"), std::nullopt);
}

TEST(threshold_profiler, profiles_once_when_the_server_runs_enough_requests) {
  threshold_bench b(8);
  std::atomic<int> pages = 0;
  std::atomic<bool> stopped = false;
  const answering_server server([&](const asked& what) {
    if (what.line == "GET /metrics") return answered{200, running_page(++pages < 3 ? 2 : 9)};
    if (what.line == "POST /stop_profile") {
      stopped = true;
      stopped.notify_all();
    }
    return answered{};
  });
  b.plan.base_urls = {server.url()};
  const services::target servers(b.plan, b.clock);
  {
    const threshold_profiler profiler(
        b.wanted, servers, [] { return std::uint64_t{0}; }, b.book.log);
    stopped.wait(false);
  }
  EXPECT_THAT(posts(server), ElementsAre("POST /start_profile", "POST /stop_profile"));
  EXPECT_EQ(pages, 3);
}

TEST(threshold_profiler, stops_the_profiler_when_the_run_ends_before_its_time) {
  threshold_bench b(1, 3600 * base::ns_per_s);
  std::atomic<bool> started = false;
  const answering_server server([&](const asked& what) {
    if (what.line == "GET /metrics") return answered{200, running_page(9)};
    if (what.line == "POST /start_profile") {
      started = true;
      started.notify_all();
    }
    return answered{};
  });
  b.plan.base_urls = {server.url()};
  const services::target servers(b.plan, b.clock);
  {
    const threshold_profiler profiler(
        b.wanted, servers, [] { return std::uint64_t{0}; }, b.book.log);
    started.wait(false);
  }
  EXPECT_THAT(posts(server), ElementsAre("POST /start_profile", "POST /stop_profile"));
}

TEST(threshold_profiler, counts_the_requests_of_the_client_for_a_server_without_metrics) {
  threshold_bench b(5);
  std::atomic<bool> stopped = false;
  const answering_server server([&](const asked& what) {
    if (what.line == "GET /metrics") return answered{404, {}};
    if (what.line == "POST /stop_profile") {
      stopped = true;
      stopped.notify_all();
    }
    return answered{};
  });
  b.plan.base_urls = {server.url()};
  const services::target servers(b.plan, b.clock);
  {
    const threshold_profiler profiler(
        b.wanted, servers, [] { return std::uint64_t{5}; }, b.book.log);
    stopped.wait(false);
  }
  EXPECT_THAT(posts(server), ElementsAre("POST /start_profile", "POST /stop_profile"));
  EXPECT_THAT(b.book.lines(), Contains(HasSubstr("/metrics does not report running requests")));
}

TEST(threshold_profiler, warns_if_the_threshold_was_never_reached) {
  threshold_bench b(100);
  std::atomic<bool> looked = false;
  const answering_server server([&](const asked&) {
    looked = true;
    looked.notify_all();
    return answered{200, running_page(3)};
  });
  b.plan.base_urls = {server.url()};
  const services::target servers(b.plan, b.clock);
  {
    const threshold_profiler profiler(
        b.wanted, servers, [] { return std::uint64_t{0}; }, b.book.log);
    looked.wait(false);
  }
  EXPECT_THAT(posts(server), ElementsAre());
  EXPECT_THAT(b.book.lines(), Contains(HasSubstr("nothing was profiled")));
}

}  // namespace
}  // namespace inferbench::run
