// Tests the thread of a feed: samples that are ready, their takers, the stage, and start and stop.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/dataset/feed_bench.hpp"

namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using namespace inferbench;
using dataset::feed;
using dataset::sample_ptr;
using dataset::feed_test::bench;
using dataset::feed_test::endless_bench;

TEST(feed_thread, the_thread_reads_ahead_no_further_than_it_may) {
  bench b(fake::numbered(100), IFB_DATASET_SYNTHETIC);
  b.settings.num_prompts = 100;
  feed& f = b.prepared();
  const std::size_t before = b.data.reads;
  f.start(5);
  f.wait_until_ready();
  EXPECT_GE(b.data.reads - before, 5U);
  EXPECT_LE(b.data.reads - before, 6U);  // one more sample may wait for room in the queue
  f.stop();
}

TEST(feed_thread, large_samples_are_ready_in_a_limited_amount_of_memory_and_not_in_full_number) {
  std::vector<fake::row> rows = fake::numbered(60);
  for (fake::row& row : rows)
    row.text.resize(10'000, 'x');
  bench b(std::move(rows), IFB_DATASET_SYNTHETIC);
  feed& f = b.prepared();
  const std::size_t before = b.data.reads;
  f.start(50, {.most = 45'000});
  EXPECT_TRUE(f.wait_until_ready());
  EXPECT_GE(b.data.reads - before, 5U);
  EXPECT_LE(b.data.reads - before, 6U);  // one more sample may wait for room in the queue
  std::uint64_t count = 0;
  while (const sample_ptr s = f.take())
    EXPECT_EQ(s->sequence, count++);
  EXPECT_EQ(count, 60U);
  f.stop();
}

TEST(feed_thread, takers_share_the_samples_each_of_which_comes_once) {
  bench b(fake::numbered(500));
  feed& f = b.prepared();
  f.start(8);
  std::vector<std::vector<std::uint64_t>> got(4);
  {
    std::vector<std::thread> takers;
    for (auto& mine : got)
      takers.emplace_back([&] {
        while (const sample_ptr next = f.take())
          mine.push_back(next->sequence);
      });
    for (auto& t : takers)
      t.join();
  }
  std::vector<std::uint64_t> all;
  for (const auto& mine : got) {
    EXPECT_TRUE(std::ranges::is_sorted(mine));
    all.insert(all.end(), mine.begin(), mine.end());
  }
  std::ranges::sort(all);
  ASSERT_EQ(all.size(), 500U);
  EXPECT_EQ(all.front(), 0U);
  EXPECT_EQ(all.back(), 499U);
  EXPECT_EQ(f.trouble(), "");
}

TEST(feed_thread, a_failure_in_the_middle_ends_the_samples_and_is_reported) {
  bench b(fake::numbered(5), IFB_DATASET_SYNTHETIC);
  b.data.rows[3] = {IFB_E_DATA, "rows.json:9:1: garbage"};
  feed& f = b.prepared();
  f.start(2);
  std::size_t count = 0;
  while (f.take())
    ++count;
  EXPECT_EQ(count, 3U);
  EXPECT_EQ(f.trouble(), "dataset fake, row 4: rows.json:9:1: garbage");
}

TEST(feed_thread, stop_ends_a_thread_that_waits_for_room) {
  bench b(fake::numbered(100));
  feed& f = b.prepared();
  f.start(1);
  f.wait_until_ready();
  f.stop();
  f.stop();
  EXPECT_EQ(f.take(), nullptr);
  EXPECT_EQ(f.trouble(), "");
}

TEST(feed_thread, it_may_go_away_without_having_been_started_or_prepared) {
  bench b(fake::numbered(1));
  b.make();
  EXPECT_THAT(b.data.read_rows, IsEmpty());
}

TEST(feed_thread, starts_again_at_its_first_sample_with_the_same_repetitions) {
  bench b(fake::numbered(3), IFB_DATASET_SHUFFLE | IFB_DATASET_OVERSAMPLE);
  b.settings.num_prompts = 20;
  feed& f = b.prepared();
  std::vector<std::vector<std::string>> runs;
  for (int run = 0; run < 2; ++run) {
    f.start(4);
    runs.emplace_back();
    while (const sample_ptr s = f.take())
      runs.back().push_back(fake::id(*s) + " " + fake::prompt(*s));
    f.stop();
  }
  EXPECT_EQ(runs[0].size(), 20U);
  EXPECT_EQ(runs[0], runs[1]);
}

TEST(feed_thread, starts_again_after_it_was_stopped_in_the_middle) {
  bench b(fake::numbered(100));
  feed& f = b.prepared();
  f.start(4);
  EXPECT_EQ(f.take()->sequence, 0U);
  f.stop();
  f.start(4);
  EXPECT_EQ(f.take()->sequence, 0U);
}

TEST(feed_thread, samples_pass_through_a_stage_together_and_stay_in_order) {
  bench b(fake::numbered(10), IFB_DATASET_SYNTHETIC);
  feed& f = b.prepared();
  std::vector<std::size_t> batches;
  f.pass_through(
      [&](std::span<const sample_ptr> some) {
        batches.push_back(some.size());
        for (const sample_ptr& each : some)
          each->c.input_tokens = 77;
      },
      4);
  EXPECT_EQ(f.first().c.input_tokens, 77);
  f.start(3);
  std::uint64_t count = 0;
  while (const sample_ptr s = f.take()) {
    EXPECT_EQ(s->sequence, count++);
    EXPECT_EQ(s->c.input_tokens, 77);
  }
  EXPECT_EQ(count, 10U);
  f.stop();
  EXPECT_THAT(batches, ElementsAre(1, 4, 4, 2));
}

TEST(feed_thread, large_samples_pass_through_a_stage_in_smaller_groups) {
  std::vector<fake::row> rows = fake::numbered(10);
  for (fake::row& row : rows)
    row.text.resize(std::size_t{3} << 20U, 'x');
  bench b(std::move(rows), IFB_DATASET_SYNTHETIC);
  feed& f = b.prepared();
  std::vector<std::size_t> batches;
  f.pass_through([&](std::span<const sample_ptr> some) { batches.push_back(some.size()); }, 64);
  f.start(3);
  std::uint64_t count = 0;
  while (const sample_ptr s = f.take())
    EXPECT_EQ(s->sequence, count++);
  EXPECT_EQ(count, 10U);
  f.stop();
  EXPECT_THAT(batches, ElementsAre(1, 3, 3, 3, 1));
}

TEST(feed_thread, samples_before_a_failure_pass_through_the_stage) {
  bench b(fake::numbered(5), IFB_DATASET_SYNTHETIC);
  b.data.rows[3] = {IFB_E_DATA, "rows.json:9:1: garbage"};
  feed& f = b.prepared();
  std::size_t seen = 0;
  f.pass_through([&](std::span<const sample_ptr> some) { seen += some.size(); }, 64);
  f.start(2);
  std::size_t count = 0;
  while (f.take())
    ++count;
  EXPECT_EQ(count, 3U);
  f.stop();
  EXPECT_EQ(seen, 1 + 3U);
  EXPECT_NE(f.trouble(), "");
}

TEST(feed_thread, a_feed_without_an_end_starts_and_stops) {
  endless_bench b;
  b.settings.num_prompts = std::nullopt;
  b.settings.timed = true;
  feed& f = b.prepared();
  for (int run = 0; run < 2; ++run) {
    f.start(4);
    for (std::uint64_t i = 0; i < 50; ++i)
      EXPECT_EQ(f.take()->sequence, i);
    f.stop();
  }
}

}  // namespace
