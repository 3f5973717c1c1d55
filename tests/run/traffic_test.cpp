#include "run/traffic.hpp"

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
    traffic requests(clock, shared, jobs, 10, std::nullopt);
    EXPECT_THROW(requests.start([](std::size_t, client::record&&) {},
                                [&](std::size_t i) { ends.push_back(i); }),
                 base::error);
    EXPECT_TRUE(requests.over());
  }
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_THAT(ends, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
}

}  // namespace inferbench::run
