// The draft inferbench.batch-engine: a plugin of it is loaded and called like any other.
#include "plugin/batch_engine.hpp"

#include <atomic>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/arena.hpp"
#include "folder.hpp"

namespace inferbench::plugin {
namespace {

/// Each reading of the clock is 10 ns later.
class ticking_clock final : public base::clock {
 public:
  std::uint64_t now() const noexcept override { return now_ += 10; }

 private:
  mutable std::atomic<std::uint64_t> now_ = 1000;
};

ifb_sample sample_of(const ifb_part& prompt, std::int64_t output_tokens) {
  ifb_sample out = IFB_SAMPLE_INIT;
  out.shape = IFB_PROMPT_TEXT;
  out.prompt = {&prompt, 1, sizeof prompt};
  out.output_tokens = output_tokens;
  return out;
}

ifb_part part_of(std::string_view text) {
  ifb_part out{};
  out.struct_size = sizeof out;
  out.kind = IFB_PART_TEXT;
  out.data = {text.data(), text.size()};
  return out;
}

class batch_engines : public testing::Test {
 protected:
  static loaded get(const char* name = "batch") {
    return load(IFB_BACKEND, (fs::path(BATCH_ENGINES) / (std::string(name) + ".so")).string(), {});
  }
  batch_engines() {
    sampling.struct_size = sizeof sampling;
    sampling.flags = IFB_SAMPLING_IGNORE_EOS;
    sampling.n = 1;
    sampling.temperature = sampling.top_p = 1;
    sampling.max_tokens = -1;
    for (const ifb_sample& sample : samples)
      items.push_back({sizeof(ifb_batch_item), 0, &sample, nullptr});
    batch.struct_size = sizeof batch;
    batch.mode = IFB_BATCH_GENERATE;
    batch.items = items.data();
    batch.item_count = static_cast<std::uint32_t>(items.size());
    batch.item_stride = sizeof(ifb_batch_item);
    batch.sampling = &sampling;
    report.struct_size = sizeof report;
  }
  ifb_status run() { return ops.run(made.get(), &batch, &arena, &report, &error); }
  [[nodiscard]] const ifb_batch_result& result(std::size_t i) const {
    return *reinterpret_cast<const ifb_batch_result*>(
        reinterpret_cast<const char*>(report.results) + i * report.result_stride);
  }

  const ticking_clock clock;
  std::atomic<bool> stopped = false;
  const services shared{.clock = &clock, .cancelled = &stopped};
  const instance made{get(), {}, shared};
  const batch_engine ops = batch_engine_of(made);
  const ifb_part prompts[2] = {part_of("one two three"), part_of("four")};
  const ifb_message message = {
      sizeof(ifb_message), 0, str("user"), {&prompts[0], 1, sizeof(ifb_part)}, {}, -1};
  const ifb_sample samples[2] = {sample_of(prompts[0], 3), sample_of(prompts[1], 2)};
  std::vector<ifb_batch_item> items;
  ifb_sampling sampling{};
  ifb_batch batch{};
  ifb_batch_report report{};
  ifb_arena arena;
  ifb_error error = empty_error();
};

TEST_F(batch_engines, are_loaded_with_the_figures_of_their_start) {
  ifb_loaded_engine engine{};
  engine.struct_size = sizeof engine;
  ASSERT_EQ(ops.load(made.get(), &engine, &error), IFB_OK);
  EXPECT_EQ(engine.max_model_len, 64);
  EXPECT_EQ(engine.max_adapters, 2);
  EXPECT_EQ(engine.load_ns, 10U);
  EXPECT_EQ(view(engine.profiler), "torch");
  ASSERT_EQ(engine.measures.count, 2U);
  EXPECT_EQ(view(engine.measures.first[0].name), "compilation");
  EXPECT_EQ(engine.measures.first[0].value, 3.5);
  EXPECT_EQ(engine.measures.first[1].ended_ns - engine.measures.first[1].began_ns, 250'000'000U);
}

TEST_F(batch_engines, answer_all_samples_of_a_batch_in_one_call) {
  sampling.n = 2;
  ASSERT_EQ(run(), IFB_OK) << error.message;
  ASSERT_EQ(report.result_count, 2U);
  EXPECT_GT(report.elapsed_ns, 0U);
  EXPECT_GT(report.began_ns, 1000U);
  EXPECT_EQ(result(0).prompt_tokens, 3);
  EXPECT_EQ(result(1).prompt_tokens, 1);
  ASSERT_EQ(result(0).output_count, 2U);
  EXPECT_EQ(result(0).outputs[0].tokens, 3);
  EXPECT_EQ(result(0).outputs[0].flags, unsigned{IFB_BATCH_FINISHED});
  EXPECT_EQ(view(result(1).outputs[1].text), "word word");
  EXPECT_GE(result(0).first_token_ns, result(0).arrived_ns);
  EXPECT_GE(report.began_ns + report.elapsed_ns, result(1).last_token_ns);
}

TEST_F(batch_engines, follow_the_sampling_and_the_flags_of_the_batch) {
  sampling.flags = 0;
  batch.flags = IFB_BATCH_NO_TEXT | IFB_BATCH_ASYNC | IFB_BATCH_PREQUEUE | IFB_BATCH_PROFILE;
  ASSERT_EQ(run(), IFB_OK);
  EXPECT_EQ(result(0).outputs[0].tokens, 1);
  EXPECT_EQ(result(0).outputs[0].text.size, 0U);
  EXPECT_EQ(ops.stop_profile(made.get(), &error), IFB_OK);

  sampling.flags = IFB_SAMPLING_IGNORE_EOS;
  sampling.max_tokens = 5;
  sampling.beam_width = 3;
  batch.mode = IFB_BATCH_BEAM_SEARCH;
  batch.flags = 0;
  ASSERT_EQ(run(), IFB_OK);
  EXPECT_EQ(result(1).output_count, 3U);
  EXPECT_EQ(result(1).outputs[2].tokens, 5);
}

TEST_F(batch_engines, measure_the_stages_of_a_chat) {
  ifb_sample chat = samples[0];
  chat.shape = IFB_PROMPT_CHAT;
  chat.messages = {&message, 1, sizeof message};
  items[0].sample = &chat;
  batch.item_count = 1;
  batch.mode = IFB_BATCH_CHAT;
  ASSERT_EQ(run(), IFB_OK);
  ASSERT_EQ(result(0).measures.count, 2U);
  EXPECT_EQ(view(result(0).measures.first[0].name), "encoder_forward_secs");
  EXPECT_EQ(view(result(0).measures.first[0].unit), "s");
  EXPECT_EQ(result(0).measures.first[1].value, 2);
}

TEST_F(batch_engines, fail_a_sample_and_not_the_batch) {
  const ifb_adapter first{sizeof(ifb_adapter), 1, str("1"), str("/adapters/a")};
  const ifb_adapter third{sizeof(ifb_adapter), 3, str("3"), str("/adapters/a")};
  items[0].adapter = &third;
  items[1].adapter = &first;
  ASSERT_EQ(run(), IFB_OK);
  EXPECT_EQ(result(0).status, IFB_E_UNSUPPORTED);
  EXPECT_EQ(view(result(0).error), "too many adapters");
  EXPECT_EQ(result(1).status, IFB_OK);
}

TEST_F(batch_engines, refuse_a_mode_that_they_do_not_know_and_can_be_cancelled) {
  batch.mode = 77;
  EXPECT_EQ(run(), IFB_E_UNSUPPORTED);
  EXPECT_EQ(text_of(error, IFB_E_UNSUPPORTED), "this mode is not known");
  batch.mode = IFB_BATCH_GENERATE;
  ops.cancel(made.get());
  EXPECT_EQ(run(), IFB_OK) << "a cancel between two runs has no effect";
  stopped = true;
  EXPECT_EQ(run(), IFB_E_CANCELLED);
}

TEST_F(batch_engines, need_no_profiler) {
  EXPECT_TRUE(ops.profiles);
  const instance plain(get("without_profiler"), {}, shared);
  const batch_engine without = batch_engine_of(plain);
  EXPECT_FALSE(without.profiles);
  EXPECT_EQ(without.start_profile(plain.get(), &error), IFB_E_UNSUPPORTED);
  EXPECT_STREQ(error.message, "the engine has no profiler");
}

TEST_F(batch_engines, are_neither_codecs_nor_engines_of_single_requests) {
  EXPECT_FALSE(is_engine(made.library()));
  EXPECT_EQ(
      error_of([&] { (void)codec_of(made); }),
      "backend batch offers " IFB_BATCH_ENGINE
      "; this host speaks inferbench.http-codec/1 and inferbench.engine/1; use a build of the "
      "plugin that offers it");
}

TEST(batch_engine_of, refuses_an_incomplete_table) {
  ifb_batch_engine table{};
  table.struct_size = sizeof table;
  table.load = [](ifb_instance*, ifb_loaded_engine*, ifb_error*) -> ifb_status { return IFB_OK; };
  const auto lacks = lack_of(IFB_BATCH_ENGINE, &table);
  ASSERT_TRUE(lacks.has_value());
  EXPECT_STREQ(lacks->member, "run");
}

}  // namespace
}  // namespace inferbench::plugin
