#include "prompts/parallel.hpp"

#include <atomic>
#include <latch>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inferbench::prompts {
namespace {

TEST(for_each_index, calls_with_each_number_once) {
  for (const std::size_t threads : {0U, 1U, 2U, 7U}) {
    std::vector<std::atomic<int>> calls(1000);
    for_each_index(calls.size(), threads, [&](std::size_t i) { ++calls.at(i); });
    for (const auto& each : calls)
      EXPECT_EQ(each, 1) << threads;
  }
}

TEST(for_each_index, of_nothing_calls_nothing) {
  for_each_index(0, 8, [](std::size_t) { ADD_FAILURE(); });
}

TEST(for_each_index, of_one_thread_stays_on_this_one_and_in_order) {
  const auto self = std::this_thread::get_id();
  std::vector<std::size_t> calls;
  for_each_index(4, 1, [&](std::size_t i) {
    EXPECT_EQ(std::this_thread::get_id(), self);
    calls.push_back(i);
  });
  EXPECT_THAT(calls, ::testing::ElementsAre(0, 1, 2, 3));
}

/// Each call waits for the other calls, so the test ends only if that many threads work at the same
/// time.
TEST(for_each_index, works_on_as_many_threads_as_are_allowed_including_the_calling_thread) {
  constexpr std::size_t threads = 4;
  std::latch all(threads);
  std::mutex mutex;
  std::set<std::thread::id> seen;
  for_each_index(threads, threads, [&](std::size_t) {
    all.arrive_and_wait();
    const std::lock_guard lock(mutex);
    seen.insert(std::this_thread::get_id());
  });
  EXPECT_EQ(seen.size(), threads);
  EXPECT_TRUE(seen.contains(std::this_thread::get_id()));
}

}  // namespace
}  // namespace inferbench::prompts
