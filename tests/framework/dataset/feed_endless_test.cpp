// Tests endless datasets, and repetitions until a run that ends at a time is over.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/dataset/feed_bench.hpp"

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace inferbench;
using dataset::feed;
using dataset::feed_test::bench;
using dataset::feed_test::endless_bench;
using dataset::feed_test::message_of;
using dataset::feed_test::prompts;

std::vector<std::string> first_prompts(feed& from, std::size_t count) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back(fake::prompt(*from.next()));
  return out;
}

TEST(endless_feed, an_endless_dataset_has_as_many_samples_as_the_run_asks_for) {
  endless_bench b;
  b.settings.num_prompts = 5;
  feed& f = b.prepared();
  EXPECT_EQ(f.total(), 5U);
  EXPECT_FALSE(f.endless());
  EXPECT_THAT(b.data.read_rows, ElementsAre(0)) << "its rows need not be counted";
  EXPECT_THAT(prompts(f), ElementsAre("r0", "r1", "r2", "r0", "r1"));
}

TEST(endless_feed, all_rows_of_an_endless_dataset_are_refused) {
  endless_bench b;
  EXPECT_EQ(message_of([&] { b.prepared(); }),
            "dataset fake has no end; give the number of requests with --num-prompts, or their "
            "time with --duration");
}

TEST(endless_feed, an_endless_dataset_in_a_run_that_ends_at_a_time_has_no_end) {
  for (const std::optional<std::int64_t> number :
       {std::optional<std::int64_t>(), std::optional<std::int64_t>(-1)}) {
    endless_bench b;
    b.settings.num_prompts = number;
    b.settings.timed = true;
    feed& f = b.prepared();
    EXPECT_TRUE(f.endless());
    EXPECT_EQ(f.total(), feed::no_end);
    EXPECT_EQ(f.requests(), feed::no_end);
    EXPECT_LE(b.data.asked.wanted, 0);
    EXPECT_EQ(first_prompts(f, 100).back(), "r0");
  }
}

TEST(endless_feed, a_row_that_an_endless_dataset_does_not_have_is_an_error) {
  endless_bench b;
  b.data.endless = false;
  b.settings.num_prompts = 5;
  EXPECT_THAT(message_of([&] { (void)prompts(b.prepared()); }), HasSubstr("row 4: is missing"));
}

TEST(endless_feed, rows_are_repeated_until_a_run_that_ends_at_a_time_is_over) {
  bench b(fake::numbered(3), IFB_DATASET_OVERSAMPLE);
  b.settings.num_prompts = std::nullopt;
  b.settings.timed = true;
  feed& f = b.prepared();
  EXPECT_TRUE(f.endless());
  // The repetitions are those of a run that is filled up.
  EXPECT_THAT(first_prompts(f, 7), ElementsAre("r0", "r1", "r2", "r1", "r1", "r0", "r1"));
  EXPECT_THAT(b.book.lines(),
              ElementsAre("dataset fake has 3 requests; they are repeated until the end of the "
                          "run"));
}

TEST(endless_feed, rows_that_may_not_be_repeated_end_before_the_time) {
  for (const std::uint32_t flags : {0U, std::uint32_t{IFB_DATASET_OVERSAMPLE}}) {
    bench b(fake::numbered(3), flags);
    b.settings.num_prompts = std::nullopt;
    b.settings.timed = true;
    b.settings.oversample = false;
    EXPECT_EQ(b.prepared().total(), 3U);
  }
  bench all(fake::numbered(3), IFB_DATASET_OVERSAMPLE);
  all.settings.num_prompts = -1;
  all.settings.timed = true;
  EXPECT_EQ(all.prepared().total(), 3U) << "the whole data set, once";
}

TEST(endless_feed, conversations_without_an_end_are_not_read_to_be_counted) {
  bench b({{IFB_OK, "user 3 one|assistant 4 two|user 5 three"}},
          IFB_DATASET_SESSIONS | IFB_DATASET_OVERSAMPLE);
  b.settings.num_prompts = std::nullopt;
  b.settings.timed = true;
  feed& f = b.prepared();
  EXPECT_EQ(f.requests(), feed::no_end);
  EXPECT_EQ(b.data.reads, 1U);
}

}  // namespace
