// Batches of the reference engine that it refuses or ends, its clock, and its memory.
#include <algorithm>
#include <future>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "reference_batches.hpp"

namespace reference_engine {
namespace {

using engine_test::failure_of;
using engine_test::message_of;
using engine_test::text_batch;
using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using testing::HasSubstr;

TEST_F(reference_batches, refuse_single_samples_and_run_the_others) {
  text_batch what({"json", "chat", "no length", "empty", "long", "part", "adapter", "good"}, 2);
  what.sample(0).shape = IFB_PROMPT_JSON;
  what.sample(1).shape = IFB_PROMPT_CHAT;
  what.sample(2).output_tokens = -1;
  what.sample(3).output_tokens = 0;
  what.sample(4).output_tokens = 1000;
  const ifb_part file{sizeof(ifb_part), IFB_PART_FILE, "text/plain", ifb::bytes("x"), {}, {}};
  what.sample(5).shape = IFB_PROMPT_PARTS;
  what.sample(5).prompt = ifb::list_of({&file, 1});
  const ifb_adapter nameless{sizeof(ifb_adapter), 0, {}, {}};
  what.item(6).adapter = &nameless;
  const ifb_batch_report report = run(what);
  EXPECT_EQ(report.results[0].status, IFB_E_UNSUPPORTED);
  EXPECT_EQ(error_of(report, 1), "messages are for a chat, and this is no chat");
  EXPECT_EQ(error_of(report, 2), "no length of the output is known");
  EXPECT_EQ(error_of(report, 3), "an output has no token");
  EXPECT_EQ(error_of(report, 4),
            "a prompt of 1 tokens and an output of 1000 are more than the 1000 tokens of "
            "max-model-len");
  EXPECT_THAT(error_of(report, 5), HasSubstr("no part of kind 5"));
  EXPECT_THAT(error_of(report, 6), HasSubstr("adapters have numbers from 1 on"));
  EXPECT_EQ(report.results[7].status, IFB_OK);
  EXPECT_EQ(report.elapsed_ns, 110 * ms);
  what.sample(4).output_tokens = INT64_MAX;
  EXPECT_EQ(run(what).results[4].status, IFB_E_REMOTE);
}

TEST_F(reference_batches, refuse_batches_that_nobody_can_run) {
  text_batch what({"a", "b"});
  what.batch.item_count = 0;
  EXPECT_EQ(failure_of([&] { run(what); }).code(), IFB_E_CONFIG);
  what.batch.item_count = 2;
  what.batch.mode = 9;
  EXPECT_THAT(message_of([&] { run(what); }), HasSubstr("no mode 9"));
  what.batch.mode = IFB_BATCH_GENERATE;
  what.sampling.n = UINT32_MAX;
  EXPECT_EQ(failure_of([&] { run(what); }).code(), IFB_E_UNSUPPORTED);
  what.sampling.n = 1U << 29U;
  what.sampling.max_tokens = 900;
  what.batch.flags = IFB_BATCH_STAMPS;
  EXPECT_THAT(message_of([&] { run(what); }), HasSubstr("1073741824 different times"));
  reference_plugin unloaded(host_.host(), given_);
  EXPECT_THAT(message_of([&] { static_cast<void>(unloaded.run(what.batch, host_.arena())); }),
              HasSubstr("is not loaded"));
}

TEST_F(reference_batches, refuse_times_that_are_too_long) {
  given_.itl = hours(11 * 24);
  EXPECT_THAT(message_of([&] { run(text_batch({"a"}, 900)); }), HasSubstr("longer than 366 days"));
  given_.max_model_len = 10'000'000;
  EXPECT_THAT(message_of([&] { run(text_batch({"a"}, 9'000'000)); }),
              HasSubstr("longer than 366 days"));
  given_.enqueue_time = given_.itl;
  EXPECT_THAT(message_of([&] { run(text_batch(std::vector<std::string>(40, "a"), 1)); }),
              HasSubstr("longer than 366 days"));
}

TEST_F(reference_batches, follow_each_other_without_overlap_on_a_clock_that_runs_ahead) {
  given_.itl = hours(24);
  const text_batch what({"a"}, 100);
  const ifb_batch_report first = run(what);
  EXPECT_GE(loaded_.clock_bound_ns, first.elapsed_ns);
  for (std::uint64_t i = 1; i < 3; ++i)
    EXPECT_EQ(engine_->run(what.batch, host_.arena()).began_ns,
              first.began_ns + i * first.elapsed_ns);
  EXPECT_THAT(message_of([&] { static_cast<void>(engine_->run(what.batch, host_.arena())); }),
              HasSubstr("more than 366 days ahead of the clock"));
}

TEST_F(reference_batches, lie_in_the_call_of_run_in_real_time) {
  given_.real_time = true;
  given_.ttft = given_.itl = nanoseconds(1000);
  const std::uint64_t before = engine_test::monotonic_ns();
  const ifb_batch_report report = run(text_batch({"a"}, 2));
  EXPECT_EQ(report.elapsed_ns, 2000U);
  EXPECT_EQ(loaded_.clock_bound_ns, 0U);
  EXPECT_GE(report.began_ns, before);
  EXPECT_LE(report.began_ns + report.elapsed_ns, engine_test::monotonic_ns());
}

TEST_F(reference_batches, end_when_they_are_cancelled) {
  given_.real_time = true;
  given_.ttft = hours(1);
  engine_.emplace(host_.host(), given_);
  loaded_ = engine_->load();
  const text_batch what({"a"});
  auto ended = std::async(std::launch::async, [&] {
    return failure_of([&] { static_cast<void>(engine_->run(what.batch, host_.arena())); }).code();
  });
  // A cancel before the run has no effect, so it is repeated.
  while (ended.wait_for(milliseconds(1)) != std::future_status::ready)
    engine_->cancel();
  EXPECT_EQ(ended.get(), IFB_E_CANCELLED);
  host_.stopping = true;
  EXPECT_EQ(failure_of([&] { static_cast<void>(engine_->run(what.batch, host_.arena())); }).code(),
            IFB_E_CANCELLED);
  given_.load = hours(1);
  EXPECT_EQ(failure_of([&] { run(what); }).code(), IFB_E_CANCELLED);
}

TEST_F(reference_batches, take_little_memory_of_their_own) {
  given_.max_batch = 100;
  text_batch what(std::vector<std::string>(200, "a"), 500);
  what.batch.flags = IFB_BATCH_STAMPS;
  const ifb_batch_report report = run(what);
  EXPECT_EQ(report.results[0].token_ns, report.results[99].token_ns) << "they started together";
  EXPECT_NE(report.results[0].token_ns, report.results[100].token_ns);
  const auto [low, high] = std::minmax_element(
      report.results, report.results + report.result_count,
      [](const auto& a, const auto& b) { return a.outputs[0].text.data < b.outputs[0].text.data; });
  EXPECT_LT(high->outputs[0].text.data - low->outputs[0].text.data, 5 * 4096 * 2)
      << "all texts are parts of one";
}

}  // namespace
}  // namespace reference_engine
