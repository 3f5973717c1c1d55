// Tests the checks of rows: rows that break the contract or that the plugin refuses, their times,
// and rows that are too long.
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/dataset/feed_bench.hpp"

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using namespace inferbench;
using dataset::feed;
using dataset::sample_ptr;
using dataset::feed_test::bench;
using dataset::feed_test::message_of;
using dataset::feed_test::prompts;
using dataset::feed_test::refusal_of;

TEST(feed_rows, turns_of_conversations_that_are_too_long_are_left_out) {
  bench b({{IFB_OK, "user 3 one|assistant 4 two|user 5 three|assistant 6 four|user 90 five"},
           {IFB_OK, "user 3 one|assistant 4 two|user 90 three"}},
          IFB_DATASET_SESSIONS);
  b.settings.max_tokens = 20;
  feed& f = b.prepared();
  EXPECT_EQ(f.total(), 1U);
  EXPECT_EQ(f.requests(), 2U);
  EXPECT_EQ(fake::talk_of(f.next()->c), "user:one|assistant:two|user:three|assistant:four");
  EXPECT_FALSE(f.next());
  EXPECT_THAT(
      b.book.lines(),
      testing::Contains(HasSubstr("fewer than two turns of the conversation fit into 20 tokens")));
  EXPECT_THAT(b.book.lines(),
              testing::Contains(HasSubstr("1 turn of a conversation is left out: prompt and output "
                                          "have more than 20 tokens")));
}

TEST(feed_rows, a_conversation_that_asks_nothing_is_refused) {
  bench b({{IFB_OK, "assistant 3 one"}}, IFB_DATASET_SESSIONS);
  EXPECT_THAT(message_of([&] { b.prepared(); }),
              HasSubstr("a conversation must be chat messages, one of the user among them"));
}

TEST(feed_rows, a_dataset_without_usable_rows_reports_the_reasons) {
  bench b(fake::numbered(3), IFB_DATASET_OVERSAMPLE);
  b.data.rows = {
      {IFB_SKIP, "too short"}, {IFB_SKIP, "too long; record 9"}, {IFB_SKIP, "too short"}};
  EXPECT_EQ(message_of([&] { b.prepared(); }),
            "dataset fake yields no request: 2 rows skipped: too short (first: row 1); 1 row "
            "skipped: too long (first: record 9); check the file and its options");
  bench none({});
  EXPECT_THAT(message_of([&] { none.prepared(); }), HasSubstr("it has no rows"));
}

TEST(feed_rows, a_refusal_of_the_plugin_keeps_its_option_and_code) {
  bench b({});
  b.data.refusal.code = IFB_E_DATA;
  b.data.refusal.option = 4;
  std::strcpy(b.data.refusal.message, "rows.json:3:1: malformed JSON");
  try {
    b.prepared();
    FAIL() << "not refused";
  } catch (const plugin::refused& e) {
    EXPECT_EQ(e.option(), 4);
    EXPECT_EQ(e.code(), IFB_E_DATA);
    EXPECT_STREQ(e.what(), "dataset fake: rows.json:3:1: malformed JSON");
  }
}

TEST(feed_rows, a_sample_that_is_not_what_its_shape_says_is_refused) {
  bench b(fake::numbered(2));
  b.data.shapeless = true;
  EXPECT_EQ(message_of([&] { b.prepared(); }),
            "dataset fake, row 1: it has no prompt: its shape is not set");
}

TEST(feed_rows, a_shape_or_a_kind_of_a_later_contract_is_not_supported) {
  bench shape(fake::numbered(2));
  shape.data.shape = 77;
  EXPECT_EQ(refusal_of(shape),
            std::pair(ifb_status{IFB_E_UNSUPPORTED},
                      std::string("dataset fake, row 1: its prompt has a shape that this version "
                                  "of inferbench does not know")));
  bench kind(fake::numbered(2));
  kind.data.shape = IFB_PROMPT_PARTS;
  kind.data.part_kind = 99;
  EXPECT_EQ(refusal_of(kind),
            std::pair(ifb_status{IFB_E_UNSUPPORTED},
                      std::string("dataset fake, row 1: a part of its prompt has a kind that this "
                                  "version of inferbench does not know")));
  bench wrong(fake::numbered(2));
  wrong.data.part_kind = IFB_PART_IMAGE;
  EXPECT_EQ(refusal_of(wrong).first, IFB_E_DATA);
}

TEST(feed_rows, media_of_an_unknown_kind_are_left_out) {
  bench b(fake::numbered(1));
  b.data.medium_kind = 99;
  const sample_ptr next = b.prepared().next();
  ASSERT_EQ(next->c.media.count, 1U);
  EXPECT_EQ(next->c.media.first->kind, std::uint32_t{IFB_PART_IMAGE});
  EXPECT_EQ(fake::prompt(*next), "r0");
}

TEST(feed_rows, a_status_that_a_call_does_not_have_is_an_internal_error) {
  bench reading(fake::numbered(3));
  reading.data.rows[1] = {IFB_MORE, "more"};
  EXPECT_EQ(refusal_of(reading),
            std::pair(ifb_status{IFB_E_INTERNAL},
                      std::string("dataset fake, row 2: read returned the status 2, which this "
                                  "call does not have")));
  bench preparing(fake::numbered(3));
  preparing.data.prepared = IFB_SKIP;
  EXPECT_EQ(refusal_of(preparing),
            std::pair(ifb_status{IFB_E_INTERNAL},
                      std::string("dataset fake: prepare returned the status 3, which this call "
                                  "does not have")));
}

TEST(feed_rows, a_row_that_arrives_before_its_predecessor_is_refused) {
  bench b(fake::numbered(3), IFB_DATASET_ARRIVALS);
  b.data.arrivals = {500'000'000, 100'000'000, 300'000'000};
  EXPECT_EQ(
      refusal_of(b),
      std::pair(ifb_status{IFB_E_DATA},
                std::string("dataset fake, row 2: it arrives at 100ms, before row 1 at 500ms; "
                            "a dataset must yield its rows in the order of their times")));
}

TEST(feed_rows, the_order_of_times_is_that_of_the_usable_rows) {
  bench b(fake::numbered(4), IFB_DATASET_ARRIVALS);
  b.data.arrivals = {5, 900, 5, 6};
  b.data.rows[1] = {IFB_SKIP, "unfit"};
  EXPECT_THAT(prompts(b.prepared()), ElementsAre("r0", "r2", "r3"));
}

TEST(feed_rows, a_row_without_a_time_arrives_with_its_predecessor) {
  bench b(fake::numbered(3), IFB_DATASET_ARRIVALS);
  b.data.arrivals = {-1, 700, -1};
  feed& f = b.prepared();
  std::vector<std::int64_t> times;
  while (const sample_ptr next = f.next())
    times.push_back(next->c.arrival_ns);
  EXPECT_THAT(times, ElementsAre(0, 700, 700));
}

TEST(feed_rows, times_that_the_run_does_not_use_may_be_in_any_order) {
  bench b(fake::numbered(3), IFB_DATASET_ARRIVALS);
  b.data.arrivals = {5, 1, 3};
  b.settings.own_times = false;
  EXPECT_THAT(prompts(b.prepared()), ElementsAre("r0", "r1", "r2"));
}

TEST(feed_rows, a_dataset_that_shrinks_after_it_was_counted_is_an_error) {
  bench b(fake::numbered(3));
  b.data.counted = false;
  feed& f = b.prepared();
  b.data.rows.pop_back();
  EXPECT_THAT(message_of([&] { (void)prompts(f); }),
              HasSubstr("dataset fake ended after 2 requests, but had 3 before"));
}

TEST(feed_rows, a_dataset_with_fewer_rows_than_announced_is_reported_once) {
  bench b(fake::numbered(2));
  b.data.too_many = 4;
  feed& f = b.prepared();
  EXPECT_EQ(f.total(), 2U);
  EXPECT_THAT(prompts(f), ElementsAre("r0", "r1"));
  EXPECT_THAT(b.book.lines(), ElementsAre("dataset fake announced 6 rows and has 2"));
}

TEST(feed_rows, a_shuffled_dataset_with_fewer_rows_than_announced_has_at_most_the_known_rows) {
  // shuffle of 0..9 with seed 0: 7 8 1 5 3 4 2 0 9 6
  bench b(fake::numbered(8), IFB_DATASET_SHUFFLE);
  b.data.too_many = 2;
  EXPECT_THAT(prompts(b.prepared()), ElementsAre("r7"));
  EXPECT_THAT(b.book.lines(), ElementsAre("dataset fake announced 10 rows and has at most 8"));
}

TEST(feed_rows, a_dataset_with_as_many_rows_as_announced_or_of_unknown_number_is_not_reported) {
  for (const bool counted : {true, false}) {
    bench b(fake::numbered(2));
    b.data.counted = counted;
    EXPECT_THAT(prompts(b.prepared()), ElementsAre("r0", "r1"));
    EXPECT_THAT(b.book.lines(), testing::IsEmpty());
  }
}

TEST(feed_rows, the_place_of_a_sample_is_its_row_in_the_dataset) {
  bench b(fake::numbered(3), IFB_DATASET_SHUFFLE);
  b.data.rows[1] = {IFB_SKIP, "unfit"};
  b.settings.shuffle = false;
  feed& f = b.prepared();
  (void)f.next();
  EXPECT_EQ(f.place_of(f.next()->row), "dataset fake, row 3");
}

TEST(feed_rows, a_row_made_to_order_that_is_skipped_is_an_error) {
  bench b(fake::numbered(3), IFB_DATASET_SYNTHETIC);
  b.data.rows[1] = {IFB_SKIP, "no luck"};
  feed& f = b.prepared();
  EXPECT_THAT(message_of([&] { (void)prompts(f); }), HasSubstr("row 2: made no sample: no luck"));
}

TEST(feed_rows, rows_that_are_too_long_are_left_out_and_reported) {
  bench b(fake::numbered(4));
  b.data.change = [](std::uint64_t row, ifb_sample& sample) {
    sample.input_tokens = row == 3 ? -1 : 10 * static_cast<std::int64_t>(row);
    sample.output_tokens = row == 0 ? -1 : 5;
  };
  b.settings.max_tokens = 15;
  EXPECT_THAT(prompts(b.prepared()), ElementsAre("r0", "r1", "r3"))
      << "15 tokens fit, and a length that is not known cannot be too long";
  EXPECT_THAT(b.book.lines(),
              ElementsAre("dataset fake: 1 row skipped: prompt and output have more than 15 tokens "
                          "(first: row 3)"));
}

TEST(feed_rows, a_row_whose_lengths_have_no_sum_in_the_type_is_too_long) {
  bench b(fake::numbered(3));
  b.data.change = [](std::uint64_t row, ifb_sample& sample) {
    sample.input_tokens = row == 1 ? INT64_MAX : 10;
    sample.output_tokens = row == 2 ? INT64_MAX : 5;
  };
  b.settings.max_tokens = 15;
  EXPECT_THAT(prompts(b.prepared()), ElementsAre("r0"));
}

TEST(feed_rows, rows_made_to_order_may_be_too_long) {
  bench b(fake::numbered(3), IFB_DATASET_SYNTHETIC);
  b.data.change = [](std::uint64_t row, ifb_sample& sample) {
    sample.input_tokens = static_cast<std::int64_t>(row);
  };
  b.settings.max_tokens = 1;
  feed& f = b.prepared();
  EXPECT_EQ(f.total(), 2U);
  EXPECT_THAT(prompts(f), ElementsAre("r0", "r1"));
}

TEST(feed_rows, a_dataset_without_end_whose_rows_are_all_too_long_is_an_error) {
  bench b(fake::numbered(1), IFB_DATASET_ENDLESS | IFB_DATASET_SYNTHETIC);
  b.data.counted = false;
  b.data.endless = true;
  b.data.change = [](std::uint64_t, ifb_sample& sample) { sample.input_tokens = 2; };
  b.settings.num_prompts = 5;
  b.settings.max_tokens = 1;
  EXPECT_THAT(message_of([&] { b.prepared(); }),
              HasSubstr("made 10000 requests in a row whose prompt and output have more than 1 "
                        "tokens; make its lengths shorter, or raise --max-model-len"));
}

}  // namespace
