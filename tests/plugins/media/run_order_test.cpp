#include "datasets/media/run_order.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/random.hpp>

namespace {

using ::testing::ElementsAre;

ifb_dataset_request request_for(std::int64_t wanted, std::uint32_t flags, std::uint64_t seed = 0) {
  ifb_dataset_request out{};
  out.struct_size = sizeof out;
  out.flags = flags;
  out.wanted = wanted;
  out.seed = seed;
  return out;
}

// The rows for which work is done, in the order of one thread.
std::vector<std::uint64_t> rows_of(const ifb_dataset_request& request, std::uint64_t rows) {
  std::vector<std::uint64_t> out;
  row_media::for_rows_of_run(request, rows, 1, [&](std::uint64_t row) {
    out.push_back(row);
    return true;
  });
  return out;
}

TEST(run_order, is_that_of_the_file_or_of_the_host_s_shuffle) {
  EXPECT_THAT(rows_of(request_for(0, IFB_DATASET_IN_ORDER), 4), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(rows_of(request_for(-1, IFB_DATASET_IN_ORDER), 2), ElementsAre(0, 1));
  EXPECT_THAT(rows_of(request_for(3, IFB_DATASET_IN_ORDER), 10), ElementsAre(0, 1, 2));
  EXPECT_THAT(rows_of(request_for(20, IFB_DATASET_IN_ORDER), 3), ElementsAre(0, 1, 2));
  EXPECT_THAT(rows_of(request_for(5, 0), 0), ElementsAre());
  // random.seed(7); x = list(range(10)); random.shuffle(x); x[:4]
  auto expected = ifb::ascending<std::uint64_t>(10);
  ifb::python_random(7).shuffle(expected);
  expected.resize(4);
  EXPECT_EQ(rows_of(request_for(4, 0, 7), 10), expected);
}

TEST(run_order, is_carried_out_by_several_threads_once_for_each_row) {
  std::mutex mutex;
  std::vector<std::uint64_t> seen;
  row_media::for_rows_of_run(request_for(0, 0, 3), 1000, 4, [&](std::uint64_t row) {
    const std::lock_guard lock(mutex);
    seen.push_back(row);
    return true;
  });
  std::ranges::sort(seen);
  EXPECT_EQ(seen, ifb::ascending<std::uint64_t>(1000));
}

TEST(run_order, ends_when_the_work_says_so) {
  for (const unsigned threads : {1U, 4U}) {
    std::atomic<int> calls = 0;
    row_media::for_rows_of_run(request_for(0, IFB_DATASET_IN_ORDER), 100'000, threads,
                               [&](std::uint64_t row) {
                                 ++calls;
                                 return row < 10;
                               });
    EXPECT_GE(calls, 11);
    EXPECT_LT(calls, 100'000);
  }
}

TEST(run_order, reports_the_failure_that_comes_first) {
  for (const unsigned threads : {1U, 2U, 8U}) {
    for (int i = 0; i < 20; ++i) {
      try {
        row_media::for_rows_of_run(request_for(0, IFB_DATASET_IN_ORDER), 500, threads,
                                   [&](std::uint64_t row) {
                                     if (row >= 100 && row % 3 == 1)
                                       throw std::runtime_error(std::to_string(row));
                                     return true;
                                   });
        ADD_FAILURE() << "no failure";
      } catch (const std::runtime_error& e) {
        EXPECT_STREQ(e.what(), "100");
      }
    }
  }
}

}  // namespace
