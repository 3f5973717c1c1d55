// Batches of the reference engine: every time, count and text is known beforehand.
#include <algorithm>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference_batches.hpp"

namespace reference_engine {
namespace {

using engine_test::text_batch;
using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;

TEST_F(reference_batches, take_the_times_that_the_options_say) {
  text_batch what({"one", "two words"}, 3);
  what.batch.flags = IFB_BATCH_STAMPS;
  const ifb_batch_report report = run(what);
  ASSERT_EQ(report.result_count, 2U);
  EXPECT_EQ(report.elapsed_ns, 120 * ms);
  EXPECT_THAT(times_of(report, 1), ElementsAre(0, 100, 120));
  const ifb_batch_result& second = report.results[1];
  EXPECT_EQ(second.status, IFB_OK);
  EXPECT_EQ(second.prompt_tokens, 2);
  ASSERT_EQ(second.token_count, 3U);
  EXPECT_EQ(second.token_ns[1] - report.began_ns, 110 * ms);
  EXPECT_EQ(second.outputs[0].tokens, 3);
  EXPECT_EQ(second.outputs[0].flags, IFB_BATCH_FINISHED);
  EXPECT_EQ(reason_of(report, 1), "length");
  EXPECT_EQ(ifb::view(report.measures.first[0].name), "generated_tokens");
  EXPECT_EQ(report.measures.first[0].value, 6);
}

TEST_F(reference_batches, have_no_times_of_tokens_that_nobody_reads) {
  const ifb_batch_report report = run(text_batch({"one"}));
  EXPECT_EQ(report.results[0].token_ns, nullptr);
  EXPECT_EQ(report.results[0].token_count, 0U);
}

TEST_F(reference_batches, run_as_many_requests_at_once_as_the_option_says) {
  text_batch what({"a", "b", "c", "d"}, 3);
  what.sample(0).output_tokens = 1;
  const ifb_batch_report report = run(what);
  EXPECT_THAT(times_of(report, 0), ElementsAre(0, 100, 100));
  EXPECT_THAT(times_of(report, 1), ElementsAre(0, 100, 120));
  EXPECT_THAT(times_of(report, 2), ElementsAre(0, 200, 220)) << "in the place of request 0";
  EXPECT_THAT(times_of(report, 3), ElementsAre(0, 220, 240)) << "in the place of request 1";
  EXPECT_EQ(report.elapsed_ns, 240 * ms);
}

TEST_F(reference_batches, are_queued_one_after_the_other) {
  given_.enqueue_time = milliseconds(1);
  text_batch what({"a", "b"});
  EXPECT_THAT(times_of(run(what), 0), ElementsAre(1, 101, 111));
  EXPECT_THAT(times_of(run(what), 1), ElementsAre(2, 102, 112));
  what.batch.flags = IFB_BATCH_PREQUEUE;
  const ifb_batch_report report = run(what);
  EXPECT_THAT(times_of(report, 0), ElementsAre(1, 102, 112)) << "after all are in the queue";
  EXPECT_EQ(report.elapsed_ns, 112 * ms);
}

TEST_F(reference_batches, have_as_many_outputs_as_the_sampling_says) {
  text_batch what({"a"}, 4);
  what.batch.flags = IFB_BATCH_STAMPS;
  what.sampling.n = 3;
  ifb_batch_report report = run(what);
  ASSERT_EQ(report.results[0].output_count, 3U);
  EXPECT_EQ(report.results[0].token_count, 12U) << "one event for each output of each step";
  EXPECT_EQ(report.results[0].token_ns[2] - report.began_ns, 100 * ms);
  EXPECT_EQ(report.results[0].token_ns[3] - report.began_ns, 110 * ms);
  EXPECT_NE(text_of(report, 0, 0), text_of(report, 0, 2));
  what.batch.mode = IFB_BATCH_BEAM_SEARCH;
  what.sampling.beam_width = 2;
  report = run(what);
  ASSERT_EQ(report.results[0].output_count, 2U);
  EXPECT_EQ(report.results[0].outputs[1].tokens, 4);
}

TEST_F(reference_batches, take_the_length_of_the_sampling_or_of_the_sample) {
  text_batch what({"a"}, 4);
  what.sampling.max_tokens = 7;
  EXPECT_EQ(run(what).results[0].outputs[0].tokens, 7);
  what.sampling.max_tokens = -1;
  EXPECT_EQ(run(what).results[0].outputs[0].tokens, 4);
}

TEST_F(reference_batches, have_a_word_for_each_token) {
  const ifb_batch_report report = run(text_batch({"a"}, 900));
  EXPECT_EQ(std::ranges::count(text_of(report, 0), ' '), 899);
}

TEST_F(reference_batches, have_texts_that_depend_on_seed_request_and_adapter) {
  text_batch what({"a", "a"}, 20);
  const ifb_batch_report report = run(what);
  const std::string first = text_of(report, 0);
  EXPECT_NE(first, text_of(report, 1));
  EXPECT_EQ(first, text_of(run(what), 0));
  const ifb_adapter adapter{sizeof(ifb_adapter), 2, ifb::str("2"), ifb::str("/lora")};
  what.item(0).adapter = &adapter;
  EXPECT_NE(first, text_of(run(what), 0));
  what.item(0).adapter = nullptr;
  given_.seed = 2;
  EXPECT_NE(first, text_of(run(what), 0));
  given_.seed.reset();
  EXPECT_EQ(text_of(run(what), 0), text_of(run(what), 0)) << "the seed of the run";
}

TEST_F(reference_batches, have_no_text_if_none_is_wanted) {
  text_batch what({"a"});
  what.batch.flags = IFB_BATCH_NO_TEXT;
  const ifb_batch_report report = run(what);
  EXPECT_EQ(text_of(report, 0), "");
  EXPECT_EQ(report.results[0].outputs[0].tokens, 2);
}

TEST_F(reference_batches, stop_early_unless_the_end_is_ignored) {
  given_.stop_after = 3;
  text_batch what({"a", "b"}, 5);
  what.sample(1).output_tokens = 3;
  EXPECT_EQ(run(what).results[0].outputs[0].tokens, 5);
  what.sampling.flags = 0;
  const ifb_batch_report report = run(what);
  EXPECT_EQ(report.results[0].outputs[0].tokens, 3);
  EXPECT_EQ(reason_of(report, 0), "stop");
  EXPECT_EQ(reason_of(report, 1), "length");
  EXPECT_EQ(report.elapsed_ns, 120 * ms);
}

TEST_F(reference_batches, fail_as_often_as_the_option_says) {
  given_.fail_every = 2;
  given_.max_batch = 1;
  text_batch what({"a", "b", "c", "d"}, 1);
  ifb_batch_report report = run(what);
  EXPECT_EQ(report.results[0].status, IFB_OK);
  EXPECT_EQ(report.results[1].status, IFB_E_REMOTE);
  EXPECT_EQ(report.results[1].output_count, 0U);
  EXPECT_EQ(report.results[1].first_token_ns, 0U);
  EXPECT_EQ(error_of(report, 3), "request 3 fails, as the option fail-every wants");
  EXPECT_THAT(times_of(report, 2), ElementsAre(0, 300, 300)) << "a failure takes its place";
  what.batch.flags = IFB_BATCH_ASYNC;
  what.batch.request_id_prefix = ifb::str("test");
  EXPECT_THAT(error_of(run(what), 1), HasSubstr("request test1 fails"));
}

TEST_F(reference_batches, tell_the_stages_of_media) {
  given_.get_mm_hashes = milliseconds(1);
  given_.get_cache_missing_items = milliseconds(2);
  given_.apply_hf_processor = milliseconds(3);
  given_.merge_mm_kwargs = milliseconds(4);
  given_.apply_prompt_updates = milliseconds(5);
  given_.encoder_time = milliseconds(20);
  text_batch what({"a", "b"}, 1);
  const std::vector<ifb_part> images(
      2, {sizeof(ifb_part), IFB_PART_IMAGE, "image/png", ifb::bytes("x"), {}, {}});
  what.sample(1).media = ifb::list_of(images);
  const ifb_batch_report report = run(what);
  EXPECT_EQ(report.results[0].measures.count, 0U);
  EXPECT_THAT(times_of(report, 1), ElementsAre(0, 170, 170));
  const ifb_measure_list& list = report.results[1].measures;
  std::vector<std::string> seen;
  for (const ifb_measure& each : ifb::strided<ifb_measure>(list.first, list.count, list.stride))
    seen.push_back(std::string(ifb::view(each.name)) + " " +
                   std::to_string(std::lround(each.value * 1000)) + " at " +
                   std::to_string(each.began_ns == 0 ? 0 : (each.began_ns - report.began_ns) / ms));
  EXPECT_THAT(seen,
              ElementsAre("get_mm_hashes_secs 2 at 0", "get_cache_missing_items_secs 4 at 2",
                          "apply_hf_processor_secs 6 at 6", "merge_mm_kwargs_secs 8 at 12",
                          "apply_prompt_updates_secs 10 at 20", "preprocessor_total_secs 30 at 0",
                          "encoder_forward_secs 40 at 30", "num_encoder_calls 2000 at 0"));
}

TEST_F(reference_batches, count_the_tokens_of_all_shapes) {
  const std::vector<std::uint32_t> ids{11, 12, 13};
  ifb_part list{sizeof(ifb_part), IFB_PART_TOKENS, nullptr, {}, {}, {}};
  list.data = {ids.data(), ids.size() * sizeof(std::uint32_t)};
  const ifb_part text = ifb::text_part(" four words\tof text\n");
  const ifb_message said = ifb::message("user", ifb::list_of({&text, 1}));
  const ifb_message json = ifb::json_message("user", R"({"role": "user"})");
  const ifb_message both[2] = {said, json};
  text_batch what({"one two", "ids", "counted", "chat"}, 1);
  what.sample(1).shape = IFB_PROMPT_TOKENS;
  what.sample(1).prompt = ifb::list_of({&list, 1});
  what.sample(1).input_tokens = 99;
  what.sample(2).input_tokens = 42;
  what.sample(3).shape = IFB_PROMPT_CHAT;
  what.sample(3).messages = ifb::list_of(both);
  what.batch.mode = IFB_BATCH_CHAT;
  const ifb_batch_report report = run(what);
  std::vector<std::int64_t> seen;
  for (std::size_t i = 0; i < 4; ++i)
    seen.push_back(report.results[i].prompt_tokens);
  EXPECT_THAT(seen, ElementsAre(2, 3, 42, 6));
}

}  // namespace
}  // namespace reference_engine
