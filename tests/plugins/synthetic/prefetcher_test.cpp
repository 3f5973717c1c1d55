#include "datasets/synthetic/prefetcher.hpp"

#include <atomic>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

namespace synthetic {
namespace {

TEST(prefetcher, results_come_in_order_whatever_the_number_of_threads) {
  for (const unsigned threads : {0U, 1U, 4U}) {
    prefetcher<std::string> made(threads, 7, [](std::uint64_t i) { return std::to_string(i * i); });
    made.start(3, 500);
    for (std::uint64_t i = 3; i < 500; ++i) {
      EXPECT_EQ(made.next(), i);
      ASSERT_EQ(made.take(), std::to_string(i * i));
    }
    EXPECT_EQ(made.next(), 500U);
  }
}

TEST(prefetcher, no_more_results_wait_than_there_is_room_for) {
  std::atomic<std::uint64_t> begun{0};
  prefetcher<int> made(4, 5, [&](std::uint64_t) {
    ++begun;
    return 1;
  });
  made.start(0, 1000);
  for (std::uint64_t taken = 0; taken < 100; ++taken) {
    EXPECT_LE(begun.load(), taken + 5);
    (void)made.take();
  }
}

TEST(prefetcher, may_be_started_elsewhere_while_jobs_are_under_way) {
  prefetcher<std::uint64_t> made(4, 16, [](std::uint64_t i) { return i; });
  for (std::uint64_t from = 0; from < 300; ++from) {
    made.start(from, from + 40);
    EXPECT_EQ(made.take(), from);
    EXPECT_EQ(made.take(), from + 1);
  }
  made.start(0, 0);
  made.start(5, 6);
  EXPECT_EQ(made.take(), 5U);
}

TEST(prefetcher, an_exception_of_a_job_is_thrown_instead_of_its_result) {
  for (const unsigned threads : {0U, 3U}) {
    prefetcher<std::uint64_t> made(threads, 4, [](std::uint64_t i) {
      if (i == 2) throw std::runtime_error("two");
      return i;
    });
    made.start(0, 5);
    EXPECT_EQ(made.take(), 0U);
    EXPECT_EQ(made.take(), 1U);
    EXPECT_THROW((void)made.take(), std::runtime_error);
    EXPECT_EQ(made.take(), 3U);
  }
}

TEST(prefetcher, may_end_with_results_that_were_not_taken) {
  prefetcher<std::string> made(
      4, 64, [](std::uint64_t i) { return std::string(1000, 'x') + std::to_string(i); });
  made.start(0, 1'000'000);
  EXPECT_EQ(made.take().size(), 1001U);
}

}  // namespace
}  // namespace synthetic
