#include "dataset/feed.hpp"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/dataset/fake_dataset.hpp"

namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using namespace inferbench;
using dataset::feed;
using dataset::sample_ptr;

/// A feed with everything that it needs.
struct bench {
  explicit bench(std::vector<fake::row> rows, std::uint32_t flags = 0)
      : data(std::move(rows), flags) {
    settings.num_prompts = 0;
    settings.request_id_prefix = "q-";
  }
  feed& make() {
    instance = data.create();
    made.emplace(*instance, settings, book.log);
    return *made;
  }
  feed& prepared() {
    make().prepare();
    return *made;
  }

  fake::dataset data;
  fake::log_book book;
  dataset::settings settings;
  std::unique_ptr<plugin::instance> instance;
  std::optional<feed> made;
};

std::vector<std::string> prompts(feed& from) {
  std::vector<std::string> out;
  while (const sample_ptr next = from.next())
    out.push_back(fake::prompt(*next));
  return out;
}

std::string message_of(const auto& call) {
  try {
    call();
  } catch (const base::error& e) {
    return e.what();
  }
  return "nothing thrown";
}

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

TEST(feed, turns_of_conversations_that_are_too_long_are_left_out) {
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

TEST(feed, a_conversation_that_asks_nothing_is_refused) {
  bench b({{IFB_OK, "assistant 3 one"}}, IFB_DATASET_SESSIONS);
  EXPECT_THAT(message_of([&] { b.prepared(); }),
              HasSubstr("a conversation must be chat messages, one of the user among them"));
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

TEST(feed, a_dataset_without_usable_rows_reports_the_reasons) {
  bench b(fake::numbered(3), IFB_DATASET_OVERSAMPLE);
  b.data.rows = {
      {IFB_SKIP, "too short"}, {IFB_SKIP, "too long; record 9"}, {IFB_SKIP, "too short"}};
  EXPECT_EQ(message_of([&] { b.prepared(); }),
            "dataset fake yields no request: 2 rows skipped: too short (first: row 1); 1 row "
            "skipped: too long (first: record 9); check the file and its options");
  bench none({});
  EXPECT_THAT(message_of([&] { none.prepared(); }), HasSubstr("it has no rows"));
}

TEST(feed, a_refusal_of_the_plugin_keeps_its_option_and_code) {
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

TEST(feed, a_sample_that_is_not_what_its_shape_says_is_refused) {
  bench b(fake::numbered(2));
  b.data.shapeless = true;
  EXPECT_EQ(message_of([&] { b.prepared(); }),
            "dataset fake, row 1: it has no prompt: its shape is not set");
}

/// The status and the text with which the feed refuses the dataset.
std::pair<ifb_status, std::string> refusal_of(bench& b) {
  try {
    (void)prompts(b.prepared());
  } catch (const plugin::refused& e) {
    return {e.code(), e.what()};
  }
  return {IFB_OK, ""};
}

TEST(feed, a_shape_or_a_kind_of_a_later_contract_is_not_supported) {
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

TEST(feed, media_of_an_unknown_kind_are_left_out) {
  bench b(fake::numbered(1));
  b.data.medium_kind = 99;
  const sample_ptr next = b.prepared().next();
  ASSERT_EQ(next->c.media.count, 1U);
  EXPECT_EQ(next->c.media.first->kind, std::uint32_t{IFB_PART_IMAGE});
  EXPECT_EQ(fake::prompt(*next), "r0");
}

TEST(feed, a_status_that_a_call_does_not_have_is_an_internal_error) {
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

TEST(feed, static_flags_count_like_those_of_the_info) {
  bench b(fake::numbered(10));
  b.data.static_flags = IFB_DATASET_SHUFFLE;
  b.settings.seed = 42;
  feed& f = b.prepared();
  EXPECT_EQ(f.flags(), std::uint32_t{IFB_DATASET_SHUFFLE});
  EXPECT_EQ(prompts(f).front(), "r7");
}

TEST(feed, a_row_that_arrives_before_its_predecessor_is_refused) {
  bench b(fake::numbered(3), IFB_DATASET_ARRIVALS);
  b.data.arrivals = {500'000'000, 100'000'000, 300'000'000};
  EXPECT_EQ(
      refusal_of(b),
      std::pair(ifb_status{IFB_E_DATA},
                std::string("dataset fake, row 2: it arrives at 100ms, before row 1 at 500ms; "
                            "a dataset must yield its rows in the order of their times")));
}

TEST(feed, the_order_of_times_is_that_of_the_usable_rows) {
  bench b(fake::numbered(4), IFB_DATASET_ARRIVALS);
  b.data.arrivals = {5, 900, 5, 6};
  b.data.rows[1] = {IFB_SKIP, "unfit"};
  EXPECT_THAT(prompts(b.prepared()), ElementsAre("r0", "r2", "r3"));
}

TEST(feed, a_row_without_a_time_arrives_with_its_predecessor) {
  bench b(fake::numbered(3), IFB_DATASET_ARRIVALS);
  b.data.arrivals = {-1, 700, -1};
  feed& f = b.prepared();
  std::vector<std::int64_t> times;
  while (const sample_ptr next = f.next())
    times.push_back(next->c.arrival_ns);
  EXPECT_THAT(times, ElementsAre(0, 700, 700));
}

TEST(feed, times_that_the_run_does_not_use_may_be_in_any_order) {
  bench b(fake::numbered(3), IFB_DATASET_ARRIVALS);
  b.data.arrivals = {5, 1, 3};
  b.settings.own_times = false;
  EXPECT_THAT(prompts(b.prepared()), ElementsAre("r0", "r1", "r2"));
}

TEST(feed, rows_with_times_keep_their_order_and_are_not_repeated) {
  bench b(fake::numbered(4), IFB_DATASET_ARRIVALS | IFB_DATASET_SHUFFLE | IFB_DATASET_OVERSAMPLE);
  b.settings.num_prompts = 9;
  EXPECT_THAT(prompts(b.prepared()), ElementsAre("r0", "r1", "r2", "r3"));
}

TEST(feed, a_dataset_that_shrinks_after_it_was_counted_is_an_error) {
  bench b(fake::numbered(3));
  b.data.counted = false;
  feed& f = b.prepared();
  b.data.rows.pop_back();
  EXPECT_THAT(message_of([&] { (void)prompts(f); }),
              HasSubstr("dataset fake ended after 2 requests, but had 3 before"));
}

TEST(feed, a_row_made_to_order_that_is_skipped_is_an_error) {
  bench b(fake::numbered(3), IFB_DATASET_SYNTHETIC);
  b.data.rows[1] = {IFB_SKIP, "no luck"};
  feed& f = b.prepared();
  EXPECT_THAT(message_of([&] { (void)prompts(f); }), HasSubstr("row 2: made no sample: no luck"));
}

TEST(feed, rows_that_are_too_long_are_left_out_and_reported) {
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

TEST(feed, rows_made_to_order_may_be_too_long) {
  bench b(fake::numbered(3), IFB_DATASET_SYNTHETIC);
  b.data.change = [](std::uint64_t row, ifb_sample& sample) {
    sample.input_tokens = static_cast<std::int64_t>(row);
  };
  b.settings.max_tokens = 1;
  feed& f = b.prepared();
  EXPECT_EQ(f.total(), 2U);
  EXPECT_THAT(prompts(f), ElementsAre("r0", "r1"));
}

TEST(feed, a_dataset_without_end_whose_rows_are_all_too_long_is_an_error) {
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

TEST(feed, samples_are_used_again) {
  bench b(fake::numbered(50));
  feed& f = b.prepared();
  std::set<const dataset::sample*> seen;
  while (const sample_ptr next = f.next())
    seen.insert(next.get());
  EXPECT_EQ(seen.size(), 1U);
}

TEST(feed, the_thread_reads_ahead_no_further_than_it_may) {
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

TEST(feed, large_samples_are_ready_in_a_limited_amount_of_memory_and_not_in_full_number) {
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

TEST(feed, takers_share_the_samples_each_of_which_comes_once) {
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

TEST(feed, a_failure_in_the_middle_ends_the_samples_and_is_reported) {
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

TEST(feed, stop_ends_a_thread_that_waits_for_room) {
  bench b(fake::numbered(100));
  feed& f = b.prepared();
  f.start(1);
  f.wait_until_ready();
  f.stop();
  f.stop();
  EXPECT_EQ(f.take(), nullptr);
  EXPECT_EQ(f.trouble(), "");
}

TEST(feed, it_may_go_away_without_having_been_started_or_prepared) {
  bench b(fake::numbered(1));
  b.make();
  EXPECT_THAT(b.data.read_rows, IsEmpty());
}

TEST(feed, starts_again_at_its_first_sample_with_the_same_repetitions) {
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

TEST(feed, starts_again_after_it_was_stopped_in_the_middle) {
  bench b(fake::numbered(100));
  feed& f = b.prepared();
  f.start(4);
  EXPECT_EQ(f.take()->sequence, 0U);
  f.stop();
  f.start(4);
  EXPECT_EQ(f.take()->sequence, 0U);
}

TEST(feed, samples_pass_through_a_stage_together_and_stay_in_order) {
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

TEST(feed, large_samples_pass_through_a_stage_in_smaller_groups) {
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

TEST(feed, samples_before_a_failure_pass_through_the_stage) {
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

std::vector<std::string> first_prompts(feed& from, std::size_t count) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < count; ++i)
    out.push_back(fake::prompt(*from.next()));
  return out;
}

/// A dataset without an end, whose rows are r0, r1, r2, r0, ...
struct endless_bench : bench {
  explicit endless_bench(std::uint32_t flags = IFB_DATASET_ENDLESS)
      : bench(fake::numbered(3), flags) {
    data.counted = false;
    data.endless = true;
  }
};

TEST(feed, an_endless_dataset_has_as_many_samples_as_the_run_asks_for) {
  endless_bench b;
  b.settings.num_prompts = 5;
  feed& f = b.prepared();
  EXPECT_EQ(f.total(), 5U);
  EXPECT_FALSE(f.endless());
  EXPECT_THAT(b.data.read_rows, ElementsAre(0)) << "its rows need not be counted";
  EXPECT_THAT(prompts(f), ElementsAre("r0", "r1", "r2", "r0", "r1"));
}

TEST(feed, all_rows_of_an_endless_dataset_are_refused) {
  endless_bench b;
  EXPECT_EQ(message_of([&] { b.prepared(); }),
            "dataset fake has no end; give the number of requests with --num-prompts, or their "
            "time with --duration");
}

TEST(feed, an_endless_dataset_in_a_run_that_ends_at_a_time_has_no_end) {
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

TEST(feed, a_row_that_an_endless_dataset_does_not_have_is_an_error) {
  endless_bench b;
  b.data.endless = false;
  b.settings.num_prompts = 5;
  EXPECT_THAT(message_of([&] { (void)prompts(b.prepared()); }), HasSubstr("row 4: is missing"));
}

TEST(feed, rows_are_repeated_until_a_run_that_ends_at_a_time_is_over) {
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

TEST(feed, rows_that_may_not_be_repeated_end_before_the_time) {
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

TEST(feed, conversations_without_an_end_are_not_read_to_be_counted) {
  bench b({{IFB_OK, "user 3 one|assistant 4 two|user 5 three"}},
          IFB_DATASET_SESSIONS | IFB_DATASET_OVERSAMPLE);
  b.settings.num_prompts = std::nullopt;
  b.settings.timed = true;
  feed& f = b.prepared();
  EXPECT_EQ(f.requests(), feed::no_end);
  EXPECT_EQ(b.data.reads, 1U);
}

TEST(feed, a_feed_without_an_end_starts_and_stops) {
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

TEST(feed, several_threads_that_read_do_not_change_the_samples) {
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

TEST(feed, a_limit_of_the_memory_does_not_change_the_samples) {
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

TEST(feed, the_first_row_that_fails_in_the_order_decides) {
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

TEST(feed, a_row_after_the_limit_is_not_judged) {
  bench b(fake::numbered(100), IFB_DATASET_PARALLEL);
  b.data.rows[10] = {IFB_E_DATA, "garbage"};
  b.settings.readers = 4;
  b.settings.num_prompts = 10;
  EXPECT_EQ(prompts(b.prepared()).size(), 10U);
}

TEST(feed, several_threads_read_the_rows_of_a_run_in_advance) {
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

TEST(feed, rows_of_an_unknown_number_are_read_in_order_by_one_thread) {
  bench b(fake::numbered(40), IFB_DATASET_PARALLEL);
  b.data.counted = false;
  b.settings.readers = 4;
  EXPECT_EQ(b.prepared().total(), 40U);
  EXPECT_TRUE(std::ranges::is_sorted(b.data.read_rows));
  EXPECT_EQ(b.data.reads, 41U);
}

}  // namespace
