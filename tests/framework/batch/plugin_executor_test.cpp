// The engine of a plugin: tests/fixtures/plugins/batch_engine, which numbers its times from a clock
// that the test provides.
#include "batch/plugin_executor.hpp"

#include <atomic>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/batch/scripted_executor.hpp"
#include "framework/offline/lines.hpp"

namespace inferbench::batch {
namespace {

using offline::refusal_of;
using ::testing::ElementsAre;

/// Each reading of the clock is 10 ns later.
class clock_of_readings final : public base::clock {
 public:
  std::uint64_t now() const noexcept override { return now_ += 10; }

 private:
  mutable std::atomic<std::uint64_t> now_ = 1000;
};

class plugin_executors : public ::testing::Test {
 protected:
  static engine_choice choice_of(const std::string& library) {
    engine_choice out;
    out.plugin.use = library;
    out.plugin.library =
        plugin::load(IFB_BACKEND, std::string(BATCH_ENGINES) + "/" + library + ".so", {});
    return out;
  }
  batch_order order_of(const prompt_samples& from) {
    items_.clear();
    for (const auto& each : from.all())
      items_.push_back({sizeof(ifb_batch_item), 0, &each->c, nullptr});
    batch_order out;
    out.items = items_;
    out.sampling = full_length_sampling(2, -1);
    out.keep_texts = true;
    return out;
  }

  std::vector<ifb_batch_item> items_;
  const clock_of_readings clock;
  std::atomic<bool> stopped = false;
  const plugin::services shared{.clock = &clock, .cancelled = &stopped};
  prompt_samples prompts =
      std::move(prompt_samples().text("one two three", 3, 4).text("four", 1, 2));
  batch_order order = order_of(prompts);
};

TEST_F(plugin_executors, load_the_engine_with_the_facts_of_its_start) {
  plugin_executor engine(choice_of("batch"), shared);
  const engine_facts found = engine.load();
  EXPECT_EQ(found.max_model_len, 64);
  EXPECT_EQ(found.load_ns, 10U);
  EXPECT_EQ(found.profiler, "torch");
  EXPECT_EQ(found.profile_path, "/tmp/traces");
  EXPECT_EQ(found.description, "");
  EXPECT_EQ(found.clock_bound_ns, 0U);
  ASSERT_EQ(found.measures.size(), 2U);
  EXPECT_EQ(found.measures[0].name, "compilation");
  EXPECT_EQ(found.measures[0].unit, "s");
  EXPECT_EQ(found.measures[0].value, 3.5);
  EXPECT_EQ(found.measures[0].began_ns, 0U);
  EXPECT_EQ(found.measures[1].ended_ns - found.measures[1].began_ns, 250'000'000U);
}

TEST_F(plugin_executors, make_a_record_of_each_answer) {
  plugin_executor engine(choice_of("batch"), shared);
  order.flags = IFB_BATCH_STAMPS;
  const batch_outcome found = engine.run(order);
  // Begin, then for each sample its arrival, first and last token, then the end.
  EXPECT_EQ(found.elapsed_ns, 70U);
  EXPECT_EQ(found.detail, time_detail::events);
  ASSERT_EQ(found.answers.size(), 2U);
  const batch_answer& second = found.answers[1];
  EXPECT_EQ(second.outputs, 2U);
  EXPECT_EQ(second.finished, 2U);
  EXPECT_EQ(second.arrived_ns, found.began_ns + 40);
  const client::record& record = second.record;
  EXPECT_EQ(record.sequence, 1U);
  EXPECT_EQ(record.status, IFB_OK);
  EXPECT_EQ(record.due_ns, found.began_ns);
  EXPECT_EQ(record.start_ns, found.began_ns + 40);
  EXPECT_EQ(record.first_text_ns, found.began_ns + 50);
  EXPECT_EQ(record.last_text_ns, found.began_ns + 60);
  EXPECT_EQ(record.end_ns, found.began_ns + 60);
  EXPECT_THAT(record.tokens.absolute(), ElementsAre(found.began_ns + 50, found.began_ns + 60));
  EXPECT_EQ(record.sample_tokens, 1);
  EXPECT_EQ(record.wanted_tokens, 2);
  EXPECT_EQ(record.prompt_tokens, 1);
  EXPECT_EQ(record.output_tokens, 4) << "of two outputs";
  EXPECT_EQ(record.text, "word word");
  EXPECT_EQ(record.finish_reason, "length");
  EXPECT_TRUE(record.late.unknown);
}

TEST_F(plugin_executors, keep_no_texts_that_are_not_wanted) {
  plugin_executor engine(choice_of("batch"), shared);
  order.keep_texts = false;
  const client::record found = engine.run(order).answers[0].record;
  EXPECT_EQ(found.text, "");
  EXPECT_EQ(found.finish_reason, "length");
}

TEST_F(plugin_executors, know_the_first_and_the_last_token_of_an_engine_without_events) {
  plugin_executor engine(choice_of("batch"), shared);
  const batch_outcome found = engine.run(order);
  EXPECT_EQ(found.detail, time_detail::first_and_last);
  EXPECT_EQ(found.answers[0].record.tokens.size(), 2U);
}

TEST_F(plugin_executors, measure_the_stages_of_chats) {
  plugin_executor engine(choice_of("batch"), shared);
  prompt_samples chats;
  chats.chat("look at this", 3, 4);
  batch_order asked = order_of(chats);
  asked.mode = IFB_BATCH_CHAT;
  const batch_outcome found = engine.run(asked);
  ASSERT_EQ(found.answers[0].measures.size(), 2U);
  EXPECT_EQ(found.answers[0].measures[0].name, "encoder_forward_secs");
  EXPECT_EQ(found.answers[0].measures[0].value, 0.125);
  EXPECT_EQ(found.answers[0].measures[1].unit, "1");
  EXPECT_EQ(found.answers[0].record.prompt_tokens, 3);
}

TEST_F(plugin_executors, run_batch_after_batch) {
  plugin_executor engine(choice_of("batch"), shared);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(engine.run(order).answers[0].record.text, "word word word word");
}

TEST_F(plugin_executors, keep_the_answers_of_the_other_requests_if_one_fails) {
  plugin_executor engine(choice_of("batch_sample"), shared);
  const batch_outcome found = engine.run(order);
  EXPECT_EQ(found.answers[0].record.status, IFB_E_DATA);
  EXPECT_EQ(found.answers[0].record.error, "too long");
  EXPECT_TRUE(found.answers[0].record.tokens.empty());
  EXPECT_TRUE(found.answers[1].record.ok());
}

TEST_F(plugin_executors, say_so_if_a_failed_request_has_no_reason) {
  plugin_executor engine(choice_of("batch_silent"), shared);
  EXPECT_EQ(engine.run(order).answers[0].record.error, "the engine gives no reason");
}

TEST_F(plugin_executors, pass_adapters_on) {
  plugin_executor engine(choice_of("batch"), shared);
  const ifb_adapter third{sizeof(ifb_adapter), 3, plugin::str("3"), plugin::str("/adapters/a")};
  std::vector<ifb_batch_item> items(order.items.begin(), order.items.end());
  items[1].adapter = &third;
  order.items = items;
  const batch_outcome found = engine.run(order);
  EXPECT_EQ(found.answers[1].record.error, "too many adapters");
}

TEST_F(plugin_executors, refuse_fewer_answers_than_samples) {
  plugin_executor engine(choice_of("batch_fewer"), shared);
  EXPECT_EQ(refusal_of([&] { return engine.run(order); }),
            "1: engine batch_fewer returned 1 results for 2 samples");
}

TEST_F(plugin_executors, name_engine_and_call_in_the_errors_of_the_engine) {
  plugin_executor broken(choice_of("batch_load-fails"), shared);
  EXPECT_EQ(refusal_of([&] { return broken.load(); }),
            "1: engine batch_load-fails: load: the disk is gone");
  plugin_executor engine(choice_of("batch"), shared);
  order.mode = 77;
  EXPECT_EQ(refusal_of([&] { return engine.run(order); }),
            "1: engine batch: run: this mode is not known");
}

TEST_F(plugin_executors, end_with_an_error_if_they_are_cancelled) {
  plugin_executor engine(choice_of("batch_sticky"), shared);
  engine.cancel();
  EXPECT_EQ(refusal_of([&] { return engine.run(order); }),
            "1: engine batch_sticky: run: the run was stopped");
}

TEST_F(plugin_executors, end_with_an_error_if_the_host_stops) {
  plugin_executor engine(choice_of("batch"), shared);
  stopped = true;
  EXPECT_EQ(refusal_of([&] { return engine.run(order); }),
            "1: engine batch: run: the run was stopped");
}

TEST_F(plugin_executors, give_the_options_of_the_engine_to_the_plugin_before_it_loads) {
  engine_choice choice = choice_of("configured");
  choice.engine.set("words", options::node::of(std::int64_t{3}));
  EXPECT_EQ(plugin_executor(choice, shared).load().max_model_len, 64);
  choice.engine = options::node::table();
  choice.engine.set("speed", options::node::of(std::int64_t{3}));
  plugin_executor refused(choice, shared);
  EXPECT_EQ(refusal_of([&] { return refused.load(); }),
            "1: engine configured: load: there is no option speed");
}

TEST_F(plugin_executors, refuse_options_that_the_plugin_cannot_take) {
  engine_choice choice = choice_of("batch");
  choice.engine.set("model", options::node::of(std::string("m")));
  EXPECT_EQ(plugin_executor(choice, shared).load().max_model_len, 64)
      << "a model is no option of its own";
  choice.engine.set("speed", options::node::of(std::int64_t{3}));
  EXPECT_THAT(refusal_of([&] { return plugin_executor(choice, shared).load(); }),
              ::testing::StartsWith("1: engine batch: options: "));
}

TEST_F(plugin_executors, refuse_variables_for_an_engine_that_has_no_process) {
  EXPECT_THAT(refusal_of([&] {
                return plugin_executor(choice_of("batch"), shared, {{"CACHE", "/tmp/a"}}).load();
              }),
              ::testing::StartsWith("1: engine batch: options: "));
}

}  // namespace
}  // namespace inferbench::batch
