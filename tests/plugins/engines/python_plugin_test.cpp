// Tests the plugin through the tables of its two interfaces, as the host calls it.
#include "engines/python-engine/python_plugin.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "python_plugin_bench.hpp"

namespace python_engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST_F(python_plugins, offer_both_interfaces) {
  EXPECT_THAT((std::vector<std::string>{described.interfaces[0], described.interfaces[1]}),
              ElementsAre(IFB_BATCH_ENGINE, IFB_ENGINE));
  EXPECT_EQ(described.interfaces[2], nullptr);
  EXPECT_EQ(described.query(&described, IFB_HTTP_CODEC), nullptr);
}

TEST_F(python_plugins, replace_a_variable_of_the_command_by_its_later_value) {
  create(SCRIPTED_WORKER, "options");
  for (const char* value : {"first", "second"}) {
    const ifb_field variable = ifb::field("SCRIPTED_ENGINE", value);
    const ifb_engine_setup setup{sizeof(ifb_engine_setup), 0, ifb::str("{}"), &variable, 1};
    ASSERT_EQ(batches().configure(self_, &setup, &error_), IFB_OK) << error_.message;
  }
  ASSERT_EQ(load(), IFB_OK) << error_.message;
  EXPECT_EQ(ifb::view(loaded_.description), "second, Python 3.0");
}

TEST_F(python_plugins, load_and_run) {
  create(SCRIPTED_WORKER, "options");
  ASSERT_EQ(status_, IFB_OK);
  const ifb_field variable = ifb::field("SCRIPTED_ENGINE", "named 2.0");
  const ifb_engine_setup setup{sizeof(ifb_engine_setup), 0, ifb::str(R"({"max-model-len": 4096})"),
                               &variable, 1};
  ASSERT_EQ(batches().configure(self_, &setup, &error_), IFB_OK);
  ASSERT_EQ(load(), IFB_OK) << error_.message;
  EXPECT_EQ(loaded_.max_model_len, 4096);
  EXPECT_EQ(loaded_.max_adapters, -1);
  EXPECT_EQ(loaded_.load_ns, 2000U);
  EXPECT_EQ(ifb::view(loaded_.description), "named 2.0, Python 3.0");
  EXPECT_EQ(ifb::view(loaded_.measures.first[0].name), "compilation");
  EXPECT_GT(loaded_.clock_bound_ns, 0U);
  ASSERT_EQ(run(what_.batch), IFB_OK) << error_.message;
  EXPECT_EQ(report_.result_count, 2U);
}

TEST_F(python_plugins, refuse_a_batch_that_the_adapter_cannot_run) {
  create(SCRIPTED_WORKER, "good");
  what_.batch.mode = IFB_BATCH_BEAM_SEARCH;
  EXPECT_EQ(run(what_.batch), IFB_E_UNSUPPORTED);
  EXPECT_STREQ(error_.message,
               "the adapter good does not have the capability beam_search; choose another with "
               "--engine-adapter");
  what_.batch.item_count = 0;
  EXPECT_EQ(run(what_.batch), IFB_E_CONFIG);
}

TEST_F(python_plugins, start_once_and_keep_the_reason_of_a_failure) {
  create("no-such-python", "good");
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(load(), IFB_E_CONFIG);
    EXPECT_EQ(error_.option, 0) << "python";
    EXPECT_THAT(error_.message, HasSubstr("cannot start no-such-python: No such file"));
  }
}

TEST_F(python_plugins, refuse_options_that_are_no_object) {
  create(SCRIPTED_WORKER, "good", "[1]");
  EXPECT_EQ(status_, IFB_E_CONFIG);
  EXPECT_THAT(error_.message, HasSubstr("are not a JSON object"));
}

TEST_F(python_plugins, refuse_a_batch_of_messages_that_would_end_the_worker_and_go_on) {
  create(SCRIPTED_WORKER, "good");
  const ifb_sample good = what_.sample(0);
  const auto refused = [&] {
    EXPECT_NE(run(what_.batch), IFB_OK);
    return std::string(error_.message);
  };
  ifb_message message{};
  message.struct_size = sizeof message;
  what_.sample(0).shape = IFB_PROMPT_CHAT;
  what_.sample(0).messages = ifb::list_of({&message, 1});
  for (const char* json : {"{}", R"({"role": 1})"}) {
    message.json = ifb::str(json);
    EXPECT_EQ(refused(),
              "item 0: the messages of the sample: a message has no role that is a string");
  }
  message.json = ifb::str("[1]");
  EXPECT_EQ(refused(), "item 0: the messages of the sample: a message is not a JSON object");
  message.json = {};
  message.role = ifb::str("user");
  ifb_part part = blank_part(IFB_PART_JSON);
  part.data = ifb::bytes("{");
  message.parts = ifb::list_of({&part, 1});
  EXPECT_THAT(refused(), HasSubstr("item 0: the messages of the sample: malformed JSON"));
  part.kind = IFB_PART_TOKENS;
  EXPECT_THAT(refused(), HasSubstr("item 0: "));
  what_.sample(0).messages.count = 0;
  EXPECT_EQ(refused(), "item 0: the sample has no chat messages");

  part.data = ifb::bytes("12345678");
  what_.sample(0) = good;
  what_.sample(0).shape = IFB_PROMPT_TOKENS;
  what_.sample(0).prompt = ifb::list_of({&part, 1});
  what_.sample(0).messages = ifb::list_of({&message, 1});
  what_.batch.mode = IFB_BATCH_CHAT;
  EXPECT_THAT(refused(), HasSubstr("item 0: chat takes text, not token ids"));

  // A part may be any JSON value.
  part.kind = IFB_PART_JSON;
  part.data = ifb::bytes("\"text\"");
  what_.sample(0).shape = IFB_PROMPT_CHAT;
  EXPECT_EQ(run(what_.batch), IFB_OK) << error_.message;
}

}  // namespace
}  // namespace python_engine
