// Tests a feed with several threads that read rows: the samples are those of one thread.
#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "framework/dataset/feed_bench.hpp"

namespace {

using namespace inferbench;
using dataset::feed;
using dataset::sample_ptr;
using dataset::feed_test::bench;
using dataset::feed_test::prompts;
using dataset::feed_test::refusal_of;

/// The prompts and ids of all samples, followed by the lines of the log.
std::vector<std::string> all_of(bench& b) {
  feed& f = b.prepared();
  std::vector<std::string> out;
  while (const sample_ptr next = f.next())
    out.push_back(fake::id(*next) + " " + fake::prompt(*next));
  for (const std::string& line : b.book.lines())
    out.push_back(line);
  return out;
}

TEST(feed_readers, a_dataset_with_fewer_rows_than_announced_is_reported_once) {
  bench b(fake::numbered(2), IFB_DATASET_PARALLEL);
  b.data.too_many = 4;
  b.settings.readers = 4;
  EXPECT_EQ(prompts(b.prepared()), (std::vector<std::string>{"r0", "r1"}));
  EXPECT_EQ(b.book.lines(), std::vector<std::string>{"dataset fake announced 6 rows and has 2"});
}

TEST(feed_readers, several_threads_that_read_do_not_change_the_samples) {
  const auto samples = [](unsigned readers, std::uint32_t flags, std::int64_t number) {
    bench b(fake::numbered(300), flags | IFB_DATASET_PARALLEL);
    for (std::size_t i = 0; i < b.data.rows.size(); i += 7)
      b.data.rows[i] = {IFB_SKIP, i % 2 == 0 ? "too short; record " + std::to_string(i) : "odd"};
    b.settings.readers = readers;
    b.settings.num_prompts = number;
    b.settings.seed = 5;
    return all_of(b);
  };
  for (const std::uint32_t flags : {0U, std::uint32_t{IFB_DATASET_SHUFFLE},
                                    std::uint32_t{IFB_DATASET_SHUFFLE | IFB_DATASET_OVERSAMPLE}})
    for (const std::int64_t number : {0, 1, 40, 900}) {
      const auto expected = samples(1, flags, number);
      for (const unsigned readers : {2U, 5U})
        EXPECT_EQ(samples(readers, flags, number), expected) << flags << " " << number;
    }
}

TEST(feed_readers, a_limit_of_the_memory_does_not_change_the_samples) {
  const auto samples = [](unsigned readers, std::size_t bytes) {
    std::vector<fake::row> rows = fake::numbered(120);
    for (std::size_t i = 0; i < rows.size(); ++i)
      rows[i].text.resize(i % 11 == 0 ? 100'000 : 10 * i + 5, 'x');
    bench b(std::move(rows), IFB_DATASET_PARALLEL | IFB_DATASET_SHUFFLE | IFB_DATASET_OVERSAMPLE);
    b.settings.readers = readers;
    b.settings.bytes_ahead = bytes;
    b.settings.num_prompts = 200;
    return all_of(b);
  };
  const auto expected = samples(1, SIZE_MAX);
  for (const unsigned readers : {2U, 5U})
    for (const std::size_t bytes : {std::size_t{1}, std::size_t{150'000}, SIZE_MAX})
      EXPECT_EQ(samples(readers, bytes), expected) << readers << " " << bytes;
}

TEST(feed_readers, the_first_row_that_fails_in_the_order_decides) {
  // The threads of the feed use these objects until the end of the feed.
  std::mutex mutex;
  std::condition_variable changed;
  bool later_row_failed = false;
  bench b(fake::numbered(100), IFB_DATASET_PARALLEL | IFB_DATASET_SYNTHETIC);
  b.data.rows[3] = {IFB_E_DATA, "the first"};
  b.data.rows[7] = {IFB_E_IO, "read before it"};
  b.data.reading = [&](std::uint64_t row) {
    std::unique_lock lock(mutex);
    if (row == 3) changed.wait(lock, [&] { return later_row_failed; });
    if (row == 7) later_row_failed = true;
    changed.notify_all();
  };
  b.settings.readers = 4;
  EXPECT_EQ(refusal_of(b),
            std::pair(ifb_status{IFB_E_DATA}, std::string("dataset fake, row 4: the first")));
}

TEST(feed_readers, a_row_after_the_limit_is_not_judged) {
  bench b(fake::numbered(100), IFB_DATASET_PARALLEL);
  b.data.rows[10] = {IFB_E_DATA, "garbage"};
  b.settings.readers = 4;
  b.settings.num_prompts = 10;
  EXPECT_EQ(prompts(b.prepared()).size(), 10U);
}

TEST(feed_readers, several_threads_read_the_rows_of_a_run_in_advance) {
  bench b(fake::numbered(200), IFB_DATASET_PARALLEL | IFB_DATASET_SYNTHETIC);
  b.settings.readers = 3;
  feed& f = b.prepared();
  EXPECT_EQ(b.data.reads, 1U) << "the first sample needs no threads";
  for (int run = 0; run < 2; ++run) {
    f.start(4);
    for (std::uint64_t i = 0; i < 200; ++i)
      EXPECT_EQ(fake::prompt(*f.take()), "r" + std::to_string(i));
    EXPECT_EQ(f.take(), nullptr);
    f.stop();
  }
  EXPECT_EQ(b.data.reads, 1U + 2 * 200);
  f.start(4);
  EXPECT_EQ(f.take()->sequence, 0U);
  f.stop();
}

TEST(feed_readers, rows_of_an_unknown_number_are_read_in_order_by_one_thread) {
  bench b(fake::numbered(40), IFB_DATASET_PARALLEL);
  b.data.counted = false;
  b.settings.readers = 4;
  EXPECT_EQ(b.prepared().total(), 40U);
  EXPECT_TRUE(std::ranges::is_sorted(b.data.read_rows));
  EXPECT_EQ(b.data.reads, 41U);
}

}  // namespace
