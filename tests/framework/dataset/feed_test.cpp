#include "dataset/feed.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/dataset/feed_bench.hpp"

namespace {

using ::testing::ElementsAre;
using namespace inferbench;
using dataset::feed;
using dataset::sample_ptr;
using dataset::feed_test::bench;
using dataset::feed_test::prompts;

TEST(feed, rows_come_in_their_order_with_ids_and_sequence) {
  bench b(fake::numbered(3));
  feed& f = b.prepared();
  EXPECT_EQ(f.total(), 3U);
  for (std::uint64_t i = 0; i < 3; ++i) {
    const sample_ptr next = f.next();
    ASSERT_NE(next, nullptr);
    EXPECT_EQ(next->sequence, i);
    EXPECT_EQ(fake::id(*next), "q-" + std::to_string(i));
    EXPECT_EQ(fake::prompt(*next), "r" + std::to_string(i));
    EXPECT_EQ(next->c.arrival_ns, -1);
    EXPECT_EQ(next->c.output_tokens, -1);
  }
  EXPECT_EQ(f.next(), nullptr);
  EXPECT_EQ(f.next(), nullptr);
}

TEST(feed, the_plugin_gets_the_wishes_of_the_run) {
  bench b(fake::numbered(3));
  b.settings.num_prompts = 2;
  b.settings.seed = 77;
  EXPECT_THAT(prompts(b.prepared()), ElementsAre("r0", "r1"));
  EXPECT_EQ(b.data.asked.wanted, 2);
  EXPECT_EQ(b.data.asked.seed, 77U);
  EXPECT_EQ(b.data.asked.flags, 0U);
  bench in_order(fake::numbered(3));
  in_order.settings.shuffle = false;
  (void)in_order.prepared();
  EXPECT_EQ(in_order.data.asked.flags, std::uint32_t{IFB_DATASET_IN_ORDER});
}

TEST(feed, a_conversation_makes_as_many_requests_as_it_has_turns) {
  bench b({{IFB_OK, "user 3 one|assistant 4 two|user 5 three"}, {IFB_OK, "user 1 alone"}},
          IFB_DATASET_SESSIONS);
  feed& f = b.prepared();
  EXPECT_EQ(f.total(), 2U);
  EXPECT_EQ(f.requests(), 3U);
  EXPECT_EQ(fake::talk_of(f.first().c), "user:one");
  EXPECT_EQ(f.first().c.input_tokens, 3);
  EXPECT_EQ(f.first().c.output_tokens, 4);
  EXPECT_EQ(fake::talk_of(f.next()->c), "user:one|assistant:two|user:three");
}

TEST(feed, repeated_conversations_count_with_their_turns) {
  bench b({{IFB_OK, "user 3 one|assistant 4 two|user 5 three"}},
          IFB_DATASET_SESSIONS | IFB_DATASET_OVERSAMPLE);
  b.settings.num_prompts = 5;
  EXPECT_EQ(b.prepared().total(), 5U);
  EXPECT_EQ(b.prepared().requests(), 10U);
}

TEST(feed, the_shuffle_is_that_of_python_over_the_rows) {
  bench b(fake::numbered(10), IFB_DATASET_SHUFFLE);
  b.settings.seed = 42;
  EXPECT_THAT(prompts(b.prepared()),
              ElementsAre("r7", "r3", "r2", "r8", "r5", "r6", "r9", "r4", "r0", "r1"));
}

TEST(feed, rows_are_not_shuffled_if_the_user_or_the_dataset_forbids_it) {
  bench user(fake::numbered(5), IFB_DATASET_SHUFFLE);
  user.settings.shuffle = false;
  EXPECT_THAT(prompts(user.prepared()), ElementsAre("r0", "r1", "r2", "r3", "r4"));
  bench plugin(fake::numbered(5));
  EXPECT_THAT(prompts(plugin.prepared()), ElementsAre("r0", "r1", "r2", "r3", "r4"));
}

TEST(feed, a_limit_takes_the_first_accepted_rows_of_the_order) {
  bench b(fake::numbered(10), IFB_DATASET_SHUFFLE);
  b.data.rows[7] = {IFB_SKIP, "too short"};
  b.settings.num_prompts = 3;
  feed& f = b.prepared();
  EXPECT_EQ(f.total(), 3U);
  EXPECT_THAT(prompts(f), ElementsAre("r8", "r1", "r5"));  // seed 0: 7 8 1 5 ...
}

TEST(feed, unusable_rows_are_reported_once_for_each_reason) {
  bench b(fake::numbered(6));
  b.data.rows[1] = {IFB_SKIP, "too short; record 12"};
  b.data.rows[2] = {IFB_SKIP, "too long"};
  b.data.rows[4] = {IFB_SKIP, "too short; record 15"};
  feed& f = b.prepared();
  EXPECT_EQ(f.total(), 3U);
  EXPECT_THAT(prompts(f), ElementsAre("r0", "r3", "r5"));
  EXPECT_THAT(b.book.lines(),
              ElementsAre("dataset fake: 2 rows skipped: too short (first: record 12)",
                          "dataset fake: 1 row skipped: too long (first: row 3)"));
}

TEST(feed, a_run_is_filled_up_as_upstream_does) {
  bench b(fake::numbered(3), IFB_DATASET_OVERSAMPLE);
  b.settings.num_prompts = 7;
  feed& f = b.prepared();
  EXPECT_EQ(f.total(), 7U);
  std::vector<std::string> seen;
  std::vector<std::string> ids;
  while (const sample_ptr next = f.next()) {
    seen.push_back(fake::prompt(*next));
    ids.push_back(fake::id(*next));
  }
  EXPECT_THAT(seen, ElementsAre("r0", "r1", "r2", "r1", "r1", "r0", "r1"));
  EXPECT_THAT(ids, ElementsAre("q-0", "q-1", "q-2", "q-3", "q-4", "q-5", "q-6"));
  EXPECT_THAT(b.book.lines(),
              ElementsAre("dataset fake has 3 requests; 4 repetitions fill the run up to 7"));
}

TEST(feed, one_request_and_one_repetition_are_said_in_the_singular) {
  bench b(fake::numbered(1), IFB_DATASET_OVERSAMPLE);
  b.settings.num_prompts = 2;
  feed& f = b.prepared();
  while (f.next()) {
  }
  EXPECT_THAT(b.book.lines(),
              ElementsAre("dataset fake has 1 request; 1 repetition fills the run up to 2"));
}

TEST(feed, repeated_rows_are_chosen_from_the_accepted_rows_in_shuffled_order) {
  // shuffle of 0..9 with seed 0: 7 8 1 5 3 4 2 0 9 6
  bench b(fake::numbered(10), IFB_DATASET_OVERSAMPLE | IFB_DATASET_SHUFFLE);
  for (const std::size_t row : {8U, 1U, 3U, 4U, 0U, 9U, 6U})
    b.data.rows[row] = {IFB_SKIP, "unfit"};
  b.settings.num_prompts = 7;
  EXPECT_THAT(prompts(b.prepared()), ElementsAre("r7", "r5", "r2", "r5", "r5", "r7", "r5"));
}

TEST(feed, a_run_stays_short_without_oversampling) {
  bench b(fake::numbered(3), IFB_DATASET_OVERSAMPLE);
  b.settings.num_prompts = 7;
  b.settings.oversample = false;
  feed& f = b.prepared();
  EXPECT_EQ(f.total(), 3U);
  EXPECT_THAT(prompts(f), ElementsAre("r0", "r1", "r2"));
  EXPECT_THAT(b.book.lines(),
              ElementsAre("dataset fake has 3 requests for this run, not the 7 asked for"));
}

TEST(feed, anonymous_samples_have_no_id) {
  bench b(fake::numbered(2), IFB_DATASET_ANONYMOUS);
  const sample_ptr next = b.prepared().next();
  EXPECT_EQ(fake::id(*next), "");
}

TEST(feed, rows_without_a_count_are_read_from_the_first_to_the_last) {
  bench b(fake::numbered(4), IFB_DATASET_SHUFFLE);
  b.data.counted = false;
  feed& f = b.prepared();
  EXPECT_EQ(f.total(), 4U);
  EXPECT_THAT(b.data.read_rows, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(prompts(f), ElementsAre("r0", "r1", "r2", "r3"));
}

TEST(feed, rows_made_to_order_are_not_all_made_to_be_counted) {
  bench b(fake::numbered(100), IFB_DATASET_SYNTHETIC);
  b.settings.num_prompts = 60;
  feed& f = b.prepared();
  EXPECT_EQ(f.total(), 60U);
  EXPECT_THAT(b.data.read_rows, ElementsAre(0));
  EXPECT_EQ(prompts(f).size(), 60U);
}

TEST(feed, a_run_that_is_filled_up_is_not_read_to_be_counted) {
  bench b(fake::numbered(100), IFB_DATASET_OVERSAMPLE);
  b.data.rows[0] = {IFB_SKIP, "unfit"};
  b.settings.num_prompts = 1000;
  EXPECT_EQ(b.prepared().total(), 1000U);
  EXPECT_THAT(b.data.read_rows, ElementsAre(0, 1));
}

TEST(feed, the_first_sample_has_no_id_and_stays) {
  bench b(fake::numbered(2));
  b.data.rows[0] = {IFB_SKIP, "unfit"};
  feed& f = b.prepared();
  EXPECT_EQ(fake::prompt(f.first()), "r1");
  EXPECT_EQ(fake::id(f.first()), "");
  (void)prompts(f);
  EXPECT_EQ(fake::prompt(f.first()), "r1");
}

TEST(feed, static_flags_count_like_those_of_the_info) {
  bench b(fake::numbered(10));
  b.data.static_flags = IFB_DATASET_SHUFFLE;
  b.settings.seed = 42;
  feed& f = b.prepared();
  EXPECT_EQ(f.flags(), std::uint32_t{IFB_DATASET_SHUFFLE});
  EXPECT_EQ(prompts(f).front(), "r7");
}

TEST(feed, rows_with_times_keep_their_order_and_are_not_repeated) {
  bench b(fake::numbered(4), IFB_DATASET_ARRIVALS | IFB_DATASET_SHUFFLE | IFB_DATASET_OVERSAMPLE);
  b.settings.num_prompts = 9;
  EXPECT_THAT(prompts(b.prepared()), ElementsAre("r0", "r1", "r2", "r3"));
}

TEST(feed, samples_are_used_again) {
  bench b(fake::numbered(50));
  feed& f = b.prepared();
  std::set<const dataset::sample*> seen;
  while (const sample_ptr next = f.next())
    seen.insert(next.get());
  EXPECT_EQ(seen.size(), 1U);
}

}  // namespace
