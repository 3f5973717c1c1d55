#include "run/threshold_profiler.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
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

class profiled_server {
 public:
  explicit profiled_server(std::int64_t threshold, std::uint64_t duration_ns = 1) {
    wanted_.profile = true;
    wanted_.profile_batch_threshold = threshold;
    wanted_.profile_duration_ns = duration_ns;
  }

  /// Lets the profiler run until the server gets the request `last`, and returns all POSTs that the
  /// server gets. `metrics`: its answer to GET /metrics. `in_flight`: the client's requests.
  std::vector<std::string> posts_until(const std::string& last,
                                       const std::function<answered()>& metrics,
                                       std::uint64_t in_flight = 0) {
    std::atomic<bool> got = false;
    const answering_server server([&](const asked& what) {
      const answered out = what.line == "GET /metrics" ? metrics() : answered{};
      if (what.line == last) {
        got = true;
        got.notify_all();
      }
      return out;
    });
    config::server plan;
    plan.base_urls = {server.url()};
    const services::target servers(plan, clock_);
    {
      const threshold_profiler profiler(
          wanted_, servers, [in_flight] { return in_flight; }, book_.log);
      got.wait(false);
    }
    std::vector<std::string> out;
    for (const asked& each : server.seen())
      if (each.line.starts_with("POST")) out.push_back(each.line);
    return out;
  }
  [[nodiscard]] std::vector<std::string> log_lines() const { return book_.lines(); }

 private:
  const base::monotonic_clock clock_;
  config::preparation wanted_;
  fake::log_book book_;
};

answered busy_page() { return {200, running_page(9)}; }

TEST(threshold_profiler, profiles_once_when_the_server_runs_enough_requests) {
  profiled_server server(8);
  std::atomic<int> pages = 0;
  EXPECT_THAT(server.posts_until(
                  "POST /stop_profile",
                  [&] { return ++pages < 3 ? answered{200, running_page(2)} : busy_page(); }),
              ElementsAre("POST /start_profile", "POST /stop_profile"));
  EXPECT_GE(pages, 3) << "a page that does not come in time is asked for again";
}

TEST(threshold_profiler, stops_the_profiler_when_the_run_ends_before_its_time) {
  profiled_server server(1, 3600 * base::ns_per_s);
  EXPECT_THAT(server.posts_until("POST /start_profile", busy_page),
              ElementsAre("POST /start_profile", "POST /stop_profile"));
}

TEST(threshold_profiler, counts_the_requests_of_the_client_for_a_server_without_metrics) {
  profiled_server server(5);
  EXPECT_THAT(server.posts_until(
                  "POST /stop_profile", [] { return answered{404, {}}; }, 5),
              ElementsAre("POST /start_profile", "POST /stop_profile"));
  EXPECT_THAT(server.log_lines(), Contains(HasSubstr("/metrics does not report running requests")));
}

TEST(threshold_profiler, warns_if_the_threshold_was_never_reached) {
  profiled_server server(100);
  EXPECT_THAT(server.posts_until("GET /metrics", busy_page), ElementsAre());
  EXPECT_THAT(server.log_lines(), Contains(HasSubstr("nothing was profiled")));
}

}  // namespace
}  // namespace inferbench::run
