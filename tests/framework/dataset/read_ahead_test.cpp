#include "dataset/read_ahead.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <new>
#include <tuple>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inferbench::dataset {
namespace {

using ::testing::Each;
using ::testing::IsEmpty;

/// The rows 0, 2, 4, ... up to 2 * (count - 1).
read_ahead::numbers even(std::uint64_t count) {
  return [count, at = std::uint64_t{0}]() mutable {
    return at == count ? std::nullopt : std::optional(2 * at++);
  };
}

std::vector<std::uint64_t> rows_of(read_ahead& from) {
  std::vector<std::uint64_t> out;
  while (const auto next = from.next())
    out.push_back(next->row);
  return out;
}

std::vector<std::uint64_t> first_even(std::size_t count) {
  std::vector<std::uint64_t> out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back(2 * i);
  return out;
}

constexpr std::uint64_t any_number = UINT64_MAX;

TEST(read_ahead, rows_come_in_their_order_for_any_number_of_threads) {
  for (const unsigned threads : {0U, 1U, 2U, 7U}) {
    std::atomic<std::size_t> reads = 0;
    read_ahead rows(even(500), [&](read_row&) { ++reads; }, threads, any_number);
    EXPECT_EQ(rows_of(rows), first_even(500)) << threads;
    EXPECT_EQ(reads, 500U);
    EXPECT_FALSE(rows.next());
  }
}

TEST(read_ahead, a_row_that_takes_long_is_waited_for) {
  std::mutex mutex;
  std::condition_variable later;
  bool later_row_was_read = false;
  read_ahead rows(
      even(100),
      [&](read_row& row) {
        std::unique_lock lock(mutex);
        if (row.row == 0) later.wait(lock, [&] { return later_row_was_read; });
        if (row.row == 2 * 9) later_row_was_read = true;
        later.notify_all();
      },
      4, any_number);
  EXPECT_EQ(rows_of(rows), first_even(100));
}

TEST(read_ahead, each_row_keeps_its_own_result) {
  read_ahead rows(
      even(40),
      [](read_row& row) {
        row.status = row.row % 6 == 0 ? IFB_SKIP : IFB_OK;
        row.error.option = static_cast<std::int32_t>(row.row);
      },
      3, any_number);
  while (const auto next = rows.next()) {
    EXPECT_EQ(next->status, next->row % 6 == 0 ? IFB_SKIP : IFB_OK);
    EXPECT_EQ(next->error.option, static_cast<std::int32_t>(next->row));
  }
}

TEST(read_ahead, no_more_rows_are_read_than_the_limit) {
  for (const unsigned threads : {0U, 3U}) {
    std::atomic<std::size_t> reads = 0;
    read_ahead rows(even(500), [&](read_row&) { ++reads; }, threads, 17);
    EXPECT_EQ(rows_of(rows), first_even(17));
    EXPECT_EQ(reads, 17U);
  }
}

TEST(read_ahead, of_no_rows_ends_at_once) {
  for (const unsigned threads : {0U, 2U}) {
    read_ahead rows(even(0), [](read_row&) {}, threads, any_number);
    EXPECT_THAT(rows_of(rows), IsEmpty());
  }
}

TEST(read_ahead, only_a_few_rows_wait_to_be_taken) {
  constexpr std::uint64_t room = 16;  // 8 rows for each thread
  std::mutex mutex;
  std::condition_variable changed;
  std::uint64_t reads = 0;
  std::uint64_t taken = 0;  // counted before the call, so a thread never sees too small a number
  bool too_far = false;
  read_ahead rows(
      even(300),
      [&](read_row& row) {
        const std::lock_guard lock(mutex);
        ++reads;
        too_far |= row.row / 2 >= taken + room;
        changed.notify_all();
      },
      2, any_number);
  for (std::uint64_t i = 0; i < 300; ++i) {
    {
      std::unique_lock lock(mutex);
      if (i == 0) changed.wait(lock, [&] { return reads >= room; });
      ++taken;
    }
    EXPECT_TRUE(rows.next());
  }
  EXPECT_FALSE(too_far);
}

/// Reads rows into samples of a given size, and knows how many bytes are held.
class sized_rows {
 public:
  using size_of = std::function<std::size_t(std::uint64_t row)>;
  explicit sized_rows(size_of size) : size_(std::move(size)) {}

  [[nodiscard]] read_ahead::reader reader() {
    return [this](read_row& row) {
      row.data = pool_.take();
      const std::size_t bytes = size_(row.row);
      std::ignore = row.data->arena.alloc(bytes);
      const std::lock_guard lock(mutex_);
      held_ += static_cast<std::int64_t>(row.data->arena.used());
      most_ = std::max(most_, held_);
    };
  }

  /// Takes the next row. Counts its bytes as free before the call, so the largest sum may be too
  /// low, but is never too high.
  [[nodiscard]] bool take(read_ahead& from, std::uint64_t expected) {
    {
      const std::lock_guard lock(mutex_);
      held_ -= static_cast<std::int64_t>(size_(expected));
    }
    const auto next = from.next();
    return next && next->row == expected;
  }

  [[nodiscard]] std::int64_t most() {
    const std::lock_guard lock(mutex_);
    return most_;
  }

 private:
  size_of size_;
  pool pool_;
  std::mutex mutex_;
  std::int64_t held_ = 0;
  std::int64_t most_ = 0;
};

constexpr std::size_t kibibyte = 1024;

TEST(read_ahead, rows_wait_only_in_a_limited_amount_of_memory) {
  for (const unsigned threads : {1U, 4U}) {
    sized_rows rows([](std::uint64_t) { return 100 * kibibyte; });
    read_ahead subject(even(200), rows.reader(), threads, any_number,
                       {.most = 500 * kibibyte, .expected = 100 * kibibyte});
    for (std::uint64_t i = 0; i < 200; ++i)
      ASSERT_TRUE(rows.take(subject, 2 * i)) << i;
    EXPECT_FALSE(subject.next());
    EXPECT_LE(rows.most(), std::int64_t{500 * kibibyte}) << threads;
  }
}

TEST(read_ahead, a_row_larger_than_the_memory_is_read_alone) {
  for (const unsigned threads : {1U, 4U}) {
    sized_rows rows([](std::uint64_t) { return 900 * kibibyte; });
    read_ahead subject(even(50), rows.reader(), threads, any_number,
                       {.most = 500 * kibibyte, .expected = 900 * kibibyte});
    for (std::uint64_t i = 0; i < 50; ++i)
      ASSERT_TRUE(rows.take(subject, 2 * i)) << i;
    EXPECT_FALSE(subject.next());
    EXPECT_LE(rows.most(), std::int64_t{900 * kibibyte}) << threads;
  }
}

TEST(read_ahead, rows_of_very_different_sizes_all_come_in_their_order) {
  const auto size = [](std::uint64_t row) {
    return row % 26 == 0 ? 2000 * kibibyte : row % 6 == 0 ? 90 * kibibyte : row % 300;
  };
  for (const unsigned threads : {1U, 3U, 7U}) {
    sized_rows rows(size);
    read_ahead subject(even(400), rows.reader(), threads, any_number, {.most = 300 * kibibyte});
    EXPECT_EQ(rows_of(subject), first_even(400)) << threads;
  }
}

TEST(read_ahead, small_rows_after_a_large_row_are_read_ahead_again) {
  std::mutex mutex;
  std::condition_variable changed;
  std::size_t reads = 0;
  sized_rows rows([](std::uint64_t row) { return row == 0 ? 5000 * kibibyte : 16; });
  read_ahead subject(even(200),
                     [&, read = rows.reader()](read_row& row) {
                       read(row);
                       const std::lock_guard lock(mutex);
                       ++reads;
                       changed.notify_all();
                     },
                     2, any_number, {.most = 400 * kibibyte});
  for (std::uint64_t i = 0; i < 60; ++i)
    ASSERT_TRUE(subject.next());
  // Half of the sixteen places are filled although nobody takes a row any more.
  std::unique_lock lock(mutex);
  changed.wait(lock, [&] { return reads >= 60 + 8; });
}

TEST(read_ahead, may_go_away_before_its_rows_are_taken) {
  std::atomic<std::size_t> reads = 0;
  {
    read_ahead rows(even(10'000), [&](read_row&) { ++reads; }, 4, any_number);
    EXPECT_TRUE(rows.next());
  }
  EXPECT_LT(reads, 10'000U);
}

TEST(read_ahead, a_row_without_memory_fails_alone) {
  read_ahead rows(
      even(8),
      [](read_row& row) {
        if (row.row == 4) throw std::bad_alloc();
      },
      2, any_number);
  std::vector<ifb_status> statuses;
  while (const auto next = rows.next())
    if (next->row != 4)
      statuses.push_back(next->status);
    else
      EXPECT_EQ(next->status, IFB_E_MEMORY);
  EXPECT_EQ(statuses.size(), 7U);
  EXPECT_THAT(statuses, Each(IFB_OK));
}

TEST(usual_readers, are_at_least_one_and_at_most_eight) {
  EXPECT_GE(usual_readers(), 1U);
  EXPECT_LE(usual_readers(), 8U);
}

}  // namespace
}  // namespace inferbench::dataset
