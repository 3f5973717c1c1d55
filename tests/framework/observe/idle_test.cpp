#include "observe/idle.hpp"

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/clock.hpp"
#include "config/plan.hpp"
#include "framework/services/answering_server.hpp"
#include "framework/transport/clocks.hpp"

namespace inferbench::observe {
namespace {

using services::target;
using services::testing::answered;
using services::testing::answering_server;
using services::testing::asked;

TEST(read_occupancy, knows_the_names_of_servers) {
  const auto vllm = read_occupancy(
      "vllm:num_requests_running{engine=\"0\"} 3\nvllm:num_requests_running{engine=\"1\"} 2\n"
      "vllm:num_requests_waiting{engine=\"0\"} 7\n");
  ASSERT_TRUE(vllm);
  EXPECT_EQ(vllm->running, 5);
  EXPECT_EQ(vllm->waiting, 7);
  const auto llama = read_occupancy(
      "llamacpp:requests_processing 1\nllamacpp:requests_deferred 4\nllamacpp:n_decode_total 9\n");
  ASSERT_TRUE(llama);
  EXPECT_EQ(llama->running, 1);
  EXPECT_EQ(llama->waiting, 4);
  const auto tgi = read_occupancy("tgi_batch_current_size 3\n");
  ASSERT_TRUE(tgi);
  EXPECT_EQ(tgi->running, 3);
  EXPECT_EQ(tgi->waiting, 0);
}

TEST(read_occupancy, tells_running_from_waiting_requests_of_the_same_metric) {
  const auto triton = read_occupancy(
      "nv_trt_llm_request_metrics{request_type=\"waiting\"} 7\n"
      "nv_trt_llm_request_metrics{model=\"a\",request_type=\"scheduled\"} 2\n"
      "nv_trt_llm_request_metrics{model=\"b\",request_type=\"scheduled\"} 1\n"
      "nv_trt_llm_request_metrics{request_type=\"max\"} 64\n");
  ASSERT_TRUE(triton);
  EXPECT_EQ(triton->running, 3);
  EXPECT_EQ(triton->waiting, 7);
  EXPECT_FALSE(read_occupancy("nv_trt_llm_request_metrics{request_type=\"waiting\"} 7\n"));
}

TEST(read_occupancy, has_nothing_from_a_page_that_does_not_tell) {
  EXPECT_FALSE(read_occupancy(""));
  EXPECT_FALSE(read_occupancy("vllm:num_requests_waiting 7\n"));
  EXPECT_FALSE(read_occupancy("vllm:num_requests_running NaN\n"));
  EXPECT_FALSE(read_occupancy("<html>not a page of metrics</html>"));
}

/// Servers whose page changes with every reading ("": none, "gone": a proxy's status 502), a clock
/// that moves by the pauses only, and a record of the pauses.
struct waiting {
  explicit waiting(std::vector<std::string> pages)
      : server([this, pages](const asked&) {
          const std::size_t at = readings++;
          const std::string& page = pages[at < pages.size() ? at : pages.size() - 1];
          if (page == "gone") return answered{502, ""};
          return page.empty() ? answered{404, ""} : answered{200, page};
        }) {
    settings.base_urls = {server.url()};
  }

  idleness wait() { return wait_until_idle(target(settings, real), clock, how()); }
  bool all(reply expected = reply::own) {
    return all_answer(target(settings, real), clock, how(), expected);
  }

  idle_wait how() {
    return {.settle_ns = 2000,
            .patience_ns = 500,
            .interval_ns = 100,
            .pause = [this](std::uint64_t ns) {
              pauses.push_back(ns);
              clock.at += ns;
              return pauses.size() >= stop_at;
            }};
  }

  std::atomic<std::size_t> readings = 0;
  answering_server server;
  config::server settings;
  base::monotonic_clock real;
  transport::test::manual_clock clock;
  std::vector<std::uint64_t> pauses;
  std::size_t stop_at = SIZE_MAX;
};

constexpr const char* nobody = "http://127.0.0.1:1";
constexpr const char* busy = "vllm:num_requests_running 2\nvllm:num_requests_waiting 0\n";
constexpr const char* queued = "vllm:num_requests_running 0\nvllm:num_requests_waiting 1\n";
constexpr const char* idle = "vllm:num_requests_running 0\nvllm:num_requests_waiting 0\n";

TEST(wait_until_idle, reads_until_nothing_runs_and_nothing_waits) {
  waiting with({busy, queued, idle});
  EXPECT_EQ(with.wait(), idleness::told);
  EXPECT_EQ(with.pauses, (std::vector<std::uint64_t>{100, 100}));
}

TEST(wait_until_idle, settles_if_the_server_does_not_tell) {
  waiting with({std::string()});
  EXPECT_EQ(with.wait(), idleness::settled);
  EXPECT_EQ(with.pauses, (std::vector<std::uint64_t>{2000}));
}

TEST(wait_until_idle, takes_a_server_that_stops_telling_for_busy) {
  waiting with({busy, std::string(), std::string(), idle});
  EXPECT_EQ(with.wait(), idleness::told);
  EXPECT_EQ(with.pauses, (std::vector<std::uint64_t>{100, 100, 100}));
}

TEST(wait_until_idle, gives_up_on_a_server_that_stays_busy) {
  waiting with({busy});
  EXPECT_EQ(with.wait(), idleness::busy);
  EXPECT_EQ(with.pauses.size(), 5U);
}

TEST(wait_until_idle, ends_when_the_user_stops_the_program) {
  waiting with({busy});
  with.stop_at = 2;
  EXPECT_EQ(with.wait(), idleness::stopped);
  EXPECT_EQ(with.pauses.size(), 2U);
}

TEST(all_answer, is_true_for_any_answer_of_the_server_itself) {
  waiting with({""});
  EXPECT_TRUE(with.all());
  EXPECT_TRUE(with.pauses.empty());
}

TEST(all_answer, waits_for_the_server_behind_a_proxy_if_the_proxy_had_a_way_to_it) {
  waiting with({"gone", "gone", idle});
  EXPECT_EQ(worst_reply(target(with.settings, with.real)), reply::gateway);
  EXPECT_TRUE(with.all(reply::gateway));
  EXPECT_TRUE(with.pauses.empty());
  EXPECT_TRUE(with.all());
  waiting always({"gone"});
  EXPECT_FALSE(always.all());
}

TEST(all_answer, asks_a_silent_server_for_five_settling_times) {
  waiting with({""});
  with.settings.base_urls.push_back(nobody);
  EXPECT_FALSE(with.all());
  EXPECT_EQ(with.pauses, std::vector<std::uint64_t>(100, 100));
}

TEST(all_answer, ends_when_the_user_stops_the_program) {
  waiting with({""});
  with.settings.base_urls = {nobody};
  with.stop_at = 2;
  EXPECT_FALSE(with.all());
  EXPECT_EQ(with.pauses.size(), 2U);
}

}  // namespace
}  // namespace inferbench::observe
