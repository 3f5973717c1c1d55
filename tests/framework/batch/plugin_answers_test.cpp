// Answers of a plugin in every form that its structs may have: longer, shorter, without times.
#include <array>
#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "batch/plugin_executor.hpp"
#include "framework/batch/batch_plugin.hpp"
#include "framework/batch/scripted_executor.hpp"
#include "framework/offline/lines.hpp"

namespace inferbench::batch {
namespace {

using offline::refusal_of;
using ::testing::ElementsAre;

/// Structs of a later version of the interface.
struct later_result {
  ifb_batch_result now;
  std::uint64_t more[3];
};
struct later_output {
  ifb_batch_output now;
  std::uint64_t more;
};
struct later_measure {
  ifb_measure now;
  std::uint64_t more;
};

class plugin_answers : public ::testing::Test {
 protected:
  plugin_answers() {
    engine_script::now() = {};
    prompts.text("one", 3, 4).text("two", 1, 2);
    for (const auto& each : prompts.all())
      items.push_back({sizeof(ifb_batch_item), 0, &each->c, nullptr});
    order.items = items;
    order.sampling = full_length_sampling(1, -1);
    order.keep_texts = true;
    for (std::size_t i = 0; i < results.size(); ++i) {
      outputs[i].now = {sizeof(later_output), IFB_BATCH_FINISHED, 5, plugin::str("text"),
                        plugin::str("stop")};
      measures[i].now = {
          sizeof(later_measure), 0, plugin::str("stage"), plugin::str("s"), 0.5, 0, 0};
      ifb_batch_result& result = results[i].now;
      result.struct_size = sizeof(later_result);
      result.prompt_tokens = 7;
      result.outputs = &outputs[i].now;
      result.output_count = 1;
      result.output_stride = sizeof(later_output);
      result.measures = {&measures[i].now, 1, sizeof(later_measure)};
      for (std::uint64_t& each : results[i].more)
        each = UINT64_MAX;
    }
    engine_script::now().run = [this](const ifb_batch&, ifb_batch_report* out, ifb_error*) {
      out->began_ns = 1000;
      out->elapsed_ns = 500;
      out->results = &results[0].now;
      out->result_count = static_cast<std::uint32_t>(results.size());
      out->result_stride = sizeof(later_result);
      return ifb_status{IFB_OK};
    };
  }
  ~plugin_answers() override { engine_script::now() = {}; }
  batch_outcome run() {
    engine_choice choice;
    choice.plugin.use = "later";
    choice.plugin.library.plugin = &described_;
    return plugin_executor(choice, shared_).run(order);
  }
  std::string refusal() {
    return refusal_of([&] { return run(); });
  }

  prompt_samples prompts;
  std::vector<ifb_batch_item> items;
  batch_order order;
  std::array<later_result, 2> results{};
  std::array<later_output, 2> outputs{};
  std::array<later_measure, 2> measures{};

 private:
  const ifb_plugin described_ = scripted_plugin("later");
  const plugin::services shared_;
};

TEST_F(plugin_answers, may_have_longer_structs) {
  const batch_outcome found = run();
  ASSERT_EQ(found.answers.size(), 2U);
  for (const batch_answer& each : found.answers) {
    EXPECT_EQ(each.record.prompt_tokens, 7);
    EXPECT_EQ(each.record.output_tokens, 5);
    EXPECT_EQ(each.record.text, "text");
    ASSERT_EQ(each.measures.size(), 1U);
    EXPECT_EQ(each.measures[0].name, "stage");
  }
}

TEST_F(plugin_answers, may_have_shorter_structs_whose_other_members_are_0) {
  const std::uint64_t stamps[] = {1100};
  results[0].now.token_ns = stamps;
  results[0].now.token_count = 1;
  results[0].now.struct_size = offsetof(ifb_batch_result, token_ns);
  outputs[1].now.struct_size = offsetof(ifb_batch_output, finish_reason);
  measures[1].now.began_ns = 1100;
  measures[1].now.struct_size = offsetof(ifb_measure, began_ns);
  const batch_outcome found = run();
  EXPECT_THAT(found.answers[0].record.tokens.absolute(), ElementsAre(1500))
      << "the stamp is not a member of this plugin's struct";
  EXPECT_EQ(found.answers[0].record.text, "text");
  EXPECT_EQ(found.answers[1].record.finish_reason, "");
  EXPECT_EQ(found.answers[1].measures[0].began_ns, 0U);
  EXPECT_EQ(found.answers[1].measures[0].value, 0.5);
}

TEST_F(plugin_answers, end_with_the_section_if_the_engine_knows_no_times) {
  const batch_outcome found = run();
  EXPECT_EQ(found.detail, time_detail::end);
  const client::record& record = found.answers[0].record;
  EXPECT_EQ(record.start_ns, 1000U);
  EXPECT_EQ(record.first_text_ns, 0U);
  EXPECT_EQ(record.end_ns, 1500U);
  EXPECT_THAT(record.tokens.absolute(), ElementsAre(1500));
  EXPECT_EQ(found.answers[0].arrived_ns, 0U);
}

TEST_F(plugin_answers, have_the_least_detail_of_all_that_succeeded) {
  const std::uint64_t stamps[] = {1100, 1200, 1300};
  for (auto& each : results) {
    each.now.arrived_ns = 1050;
    each.now.first_token_ns = 1100;
    each.now.last_token_ns = 1300;
    each.now.token_ns = stamps;
    each.now.token_count = 3;
  }
  batch_outcome found = run();
  EXPECT_EQ(found.detail, time_detail::events);
  EXPECT_THAT(found.answers[1].record.tokens.absolute(), ElementsAre(1100, 1200, 1300));
  results[1].now.token_count = 0;
  found = run();
  EXPECT_EQ(found.detail, time_detail::first_and_last);
  EXPECT_THAT(found.answers[1].record.tokens.absolute(), ElementsAre(1100, 1300));
  results[1].now.first_token_ns = 0;
  EXPECT_EQ(run().detail, time_detail::end);
  results[1].now.status = IFB_E_REMOTE;
  EXPECT_EQ(run().detail, time_detail::events);
}

TEST_F(plugin_answers, have_first_and_last_times_if_the_engine_tells_those_of_its_events) {
  const std::uint64_t stamps[] = {1100, 1200, 1300};
  results[0].now.token_ns = stamps;
  results[0].now.token_count = 3;
  const client::record record = run().answers[0].record;
  EXPECT_EQ(record.first_text_ns, 1100U);
  EXPECT_EQ(record.last_text_ns, 1300U);
  EXPECT_EQ(record.end_ns, 1300U);
  EXPECT_THAT(record.tokens.absolute(), ElementsAre(1100, 1200, 1300));
}

TEST_F(plugin_answers, are_not_asked_for_with_more_outputs_than_can_be_counted) {
  const auto refusal_for = [](std::int64_t n) {
    return refusal_of([&] { return full_length_sampling(n, -1); });
  };
  EXPECT_EQ(refusal_for(65535), "accepted");
  EXPECT_EQ(refusal_for(65536), "1: --n: more than 65535 outputs of a prompt are not possible");
}

TEST_F(plugin_answers, of_one_token_have_one_stamp) {
  results[0].now.first_token_ns = results[0].now.last_token_ns = 1100;
  EXPECT_THAT(run().answers[0].record.tokens.absolute(), ElementsAre(1100));
}

TEST_F(plugin_answers, have_unknown_counts_if_the_engine_does_not_count) {
  outputs[0].now.tokens = -1;
  results[0].now.prompt_tokens = -1;
  results[1].now.output_count = 0;
  outputs[0].now.flags = 0;
  const batch_outcome found = run();
  EXPECT_EQ(found.answers[0].record.output_tokens, -1);
  EXPECT_EQ(found.answers[0].record.prompt_tokens, -1);
  EXPECT_EQ(found.answers[0].finished, 0U);
  EXPECT_EQ(found.answers[1].record.output_tokens, -1);
  EXPECT_EQ(found.answers[1].outputs, 0U);
}

TEST_F(plugin_answers, follow_an_order_that_the_engine_can_carry_out) {
  const ifb_adapter adapter{sizeof(ifb_adapter), 1, {}, {}};
  const auto refusal_with = [&](std::uint32_t mode, std::uint32_t flags) {
    order.mode = mode;
    order.flags = flags;
    return refusal();
  };
  const std::string remedy = "; choose another with --backend";
  EXPECT_EQ(refusal_with(IFB_BATCH_CHAT, 0), "1: engine later takes no chats" + remedy);
  EXPECT_EQ(refusal_with(IFB_BATCH_BEAM_SEARCH, 0), "1: engine later has no beam search" + remedy);
  EXPECT_EQ(refusal_with(IFB_BATCH_GENERATE, IFB_BATCH_ASYNC),
            "1: engine later takes no asynchronous requests" + remedy);
  EXPECT_EQ(refusal_with(IFB_BATCH_GENERATE, IFB_BATCH_PREQUEUE),
            "1: engine later cannot queue requests before they are scheduled" + remedy);
  EXPECT_EQ(refusal_with(IFB_BATCH_GENERATE, IFB_BATCH_NO_TEXT | IFB_BATCH_STAMPS), "accepted");
  items[1].adapter = &adapter;
  EXPECT_EQ(refusal(), "1: engine later has no adapters (LoRA)" + remedy);
}

TEST_F(plugin_answers, are_asked_for_with_the_members_of_the_order) {
  order.mode = IFB_BATCH_GENERATE;
  order.flags = IFB_BATCH_NO_TEXT;
  order.request_id_prefix = "test";
  std::string heard;
  const auto answer = engine_script::now().run;
  engine_script::now().run = [&](const ifb_batch& batch, ifb_batch_report* out, ifb_error* error) {
    heard = std::to_string(batch.mode) + " " + std::to_string(batch.flags) + " " +
            std::to_string(batch.item_count) + " " +
            std::string(plugin::view(batch.request_id_prefix)) + " " +
            std::to_string(batch.sampling->n);
    return answer(batch, out, error);
  };
  (void)run();
  EXPECT_EQ(heard, "1 8 2 test 1");
}

TEST_F(plugin_answers, are_refused_if_there_are_more_than_samples) {
  order.items = order.items.first(1);
  EXPECT_EQ(refusal(), "1: engine later returned 2 results for 1 samples");
}

}  // namespace
}  // namespace inferbench::batch
