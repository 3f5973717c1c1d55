#include "batch/batch_jobs.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "framework/transport/clocks.hpp"

namespace inferbench::batch {
namespace {

using dataset::taken;

TEST(batch_jobs, has_each_sample_of_a_batch_once_and_in_order) {
  const transport::test::manual_clock clock;
  const std::vector<ifb_sample> samples(2);
  batch_jobs jobs(clock, false);
  jobs.give(samples, 500);
  client::job job;
  for (std::size_t i = 0; i < 2; ++i) {
    ASSERT_EQ(jobs.try_take(job), taken::sample);
    EXPECT_EQ(job.sample, &samples[i]);
    EXPECT_EQ(job.owned, nullptr);
    EXPECT_EQ(job.sequence, i);
    EXPECT_EQ(job.due_ns, 500U);
  }
  EXPECT_EQ(jobs.try_take(job), taken::later);
}

TEST(batch_jobs, lets_workers_ask_again_until_the_next_batch) {
  transport::test::manual_clock clock;
  clock.at = 1000;
  batch_jobs jobs(clock, false);
  client::job job;
  ASSERT_EQ(jobs.try_take(job), taken::later);
  EXPECT_EQ(job.due_ns, 1000 + batch_jobs::ask_again_ns);
  const std::vector<ifb_sample> samples(1);
  jobs.give(samples, 7);
  ASSERT_EQ(jobs.try_take(job), taken::sample);
  EXPECT_EQ(job.sequence, 0U);
  jobs.give(samples, 8);
  ASSERT_EQ(jobs.try_take(job), taken::sample);
  EXPECT_EQ(job.sequence, 0U);
  EXPECT_EQ(job.due_ns, 8U);
}

TEST(batch_jobs, end_after_the_requests_that_were_given) {
  const transport::test::manual_clock clock;
  const std::vector<ifb_sample> samples(1);
  batch_jobs jobs(clock, true);
  EXPECT_TRUE(jobs.scarce());
  jobs.give(samples, 1);
  jobs.end();
  client::job job;
  EXPECT_EQ(jobs.try_take(job), taken::sample);
  EXPECT_EQ(jobs.try_take(job), taken::end);
}

}  // namespace
}  // namespace inferbench::batch
