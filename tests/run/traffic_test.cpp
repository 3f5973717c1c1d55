#include "run/traffic.hpp"

#include <limits>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "base/error.hpp"
#include "run/sources.hpp"

namespace inferbench::run {

using testing::ElementsAre;

TEST(shares, are_unlimited_without_a_cap) {
  EXPECT_THAT(shares(2, std::nullopt), ElementsAre(SIZE_MAX, SIZE_MAX));
}

TEST(shares, add_up_to_the_cap) {
  EXPECT_THAT(shares(4, 10), ElementsAre(3, 3, 2, 2));
  EXPECT_THAT(shares(1, 64), ElementsAre(64));
}

TEST(shares, leave_out_workers_that_would_have_none) {
  EXPECT_THAT(shares(8, 3), ElementsAre(1, 1, 1));
}

constexpr double at_once = std::numeric_limits<double>::infinity();

TEST(connections_ahead, are_as_many_as_may_be_in_flight) {
  EXPECT_EQ(
      connections_ahead(
          {.planned = 1000, .max_concurrency = 64, .request_rate = at_once, .descriptors = 20000}),
      64U);
  EXPECT_EQ(
      connections_ahead(
          {.planned = 10, .max_concurrency = 64, .request_rate = at_once, .descriptors = 20000}),
      10U);
  EXPECT_EQ(connections_ahead({.planned = 1000, .request_rate = at_once, .descriptors = 20000}),
            1000U);
}

TEST(connections_ahead, of_a_paced_run_are_those_that_are_due_first) {
  EXPECT_EQ(connections_ahead(
                {.planned = 1000, .max_concurrency = 64, .request_rate = 10, .descriptors = 20000}),
            2U);
  EXPECT_EQ(connections_ahead({.planned = 1000, .request_rate = 0.1, .descriptors = 20000}), 1U);
  EXPECT_EQ(
      connections_ahead(
          {.planned = 1000, .max_concurrency = 64, .request_rate = 1e9, .descriptors = 20000}),
      64U);
  EXPECT_EQ(connections_ahead({.planned = 1000, .request_rate = 0, .descriptors = 20000}), 1U);
}

TEST(connections_ahead, never_need_more_descriptors_than_there_are) {
  EXPECT_EQ(connections_ahead({.planned = 1000000, .request_rate = at_once, .descriptors = 1128}),
            1000U);
  EXPECT_EQ(connections_ahead({.planned = 5, .request_rate = at_once, .descriptors = 20}), 0U);
}

TEST(connections_ahead, are_what_the_user_says_but_no_more_than_requests) {
  EXPECT_EQ(connections_ahead(
                {.asked = 0, .planned = 1000, .request_rate = at_once, .descriptors = 20000}),
            0U);
  EXPECT_EQ(connections_ahead({.asked = 7,
                               .planned = 1000,
                               .max_concurrency = 2,
                               .request_rate = 1,
                               .descriptors = 20000}),
            7U);
  EXPECT_EQ(connections_ahead({.asked = 7, .planned = 3, .request_rate = 1, .descriptors = 20000}),
            3U);
}

TEST(traffic, that_cannot_begin_says_why_and_tells_the_end_of_every_worker) {
  const base::monotonic_clock clock;
  const transport::endpoint nowhere{transport::parse_url("http://127.0.0.1:1"), {}};
  client::backend shared;
  shared.servers = {&nowhere};
  const ifb_sample sample{};
  repeated jobs(sample, 1, 0);

  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit few{16, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  std::vector<std::size_t> ends;
  {
    traffic requests(clock, shared, jobs, {.workers = 10});
    EXPECT_THROW(requests.start([](std::size_t, client::record&&) {},
                                [&](std::size_t i) { ends.push_back(i); }),
                 base::error);
    EXPECT_TRUE(requests.over());
  }
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_THAT(ends, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
}

}  // namespace inferbench::run
