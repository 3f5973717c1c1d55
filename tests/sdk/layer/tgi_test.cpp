// Tests the example tgi-backend of sdk/examples through its entry function.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <inferbench/plugin.hpp>

#include "sdk/layer/fake_host.hpp"

namespace {

using sdk_test::fake_host;
using sdk_test::heard_events;
using sdk_test::made;
using sdk_test::stale_error;
using sdk_test::text_value;

TEST(entry, accepts_only_its_major_version_and_always_returns_the_same) {
  const ifb_library* library = inferbench_plugin_v1_rc2(IFB_ABI_MAJOR, 0);
  ASSERT_NE(library, nullptr);
  EXPECT_EQ(inferbench_plugin_v1_rc2(IFB_ABI_MAJOR, 99), library);
  EXPECT_EQ(inferbench_plugin_v1_rc2(IFB_ABI_MAJOR + 1, 0), nullptr);
  EXPECT_EQ(library->struct_size, sizeof(ifb_library));
  EXPECT_EQ(library->abi_major, IFB_ABI_MAJOR);
  EXPECT_EQ(library->abi_minor, IFB_ABI_MINOR);
  ASSERT_EQ(library->plugin_count, 1U);
  EXPECT_STREQ(library->plugins[0]->id, "tgi");
  EXPECT_EQ(std::string{library->sdk}.find("c++ " INFERBENCH_SDK_VERSION ", "), 0U);
}

class tgi : public testing::Test {
 protected:
  static const ifb_plugin& plugin() {
    return *inferbench_plugin_v1_rc2(IFB_ABI_MAJOR, 0)->plugins[0];
  }

  void open(std::string_view extra = "", std::string_view overrides = "") {
    self_ = std::make_unique<made>(
        plugin(), host_,
        std::vector{text_value(IFB_STRING, "/generate_stream"), text_value(IFB_JSON, extra)});
    ASSERT_EQ(self_->status, IFB_OK) << self_->error.message;
    sample_.overrides = ifb::str(overrides);
    const auto& codec = self_->table<ifb_http_codec>(IFB_HTTP_CODEC);
    ASSERT_EQ(codec.open(self_->get(), &sample_, host_.arena(), &exchange_, &error_), IFB_OK)
        << error_.message;
  }
  void TearDown() override {
    if (exchange_ != nullptr) self_->table<ifb_http_codec>(IFB_HTTP_CODEC).close(exchange_);
  }
  std::string body() {
    ifb_http_request request{};
    request.struct_size = sizeof request;
    EXPECT_EQ(self_->table<ifb_http_codec>(IFB_HTTP_CODEC).request(exchange_, &request, &error_),
              IFB_OK);
    EXPECT_EQ(ifb::view(request.target), "/generate_stream");
    EXPECT_EQ(request.header_count, 1U);
    EXPECT_EQ(request.body_count, 1U);
    return std::string{ifb::view(request.body[0])};
  }
  ifb_status hear(std::string_view data) {
    const ifb_http_message message = sdk_test::message_of("", data);
    return self_->table<ifb_http_codec>(IFB_HTTP_CODEC)
        .on_message(exchange_, &message, &events_.table, events_.handle(), &error_);
  }

  fake_host host_;
  std::string prompt_ = "Say \"hi\"";
  ifb_part part_ = ifb::text_part(prompt_);
  ifb_sample sample_ = [this] {
    ifb_sample sample = ifb::blank_sample();
    sample.shape = IFB_PROMPT_TEXT;
    sample.prompt = ifb::list_of({&part_, 1});
    sample.output_tokens = 16;
    return sample;
  }();
  std::unique_ptr<made> self_;
  ifb_exchange* exchange_ = nullptr;
  ifb_error error_ = stale_error();
  heard_events events_;
};

TEST_F(tgi, asks_for_the_length_of_the_sample) {
  open();
  EXPECT_EQ(body(),
            R"({"inputs": "Say \"hi\"", "parameters": {"details": true, "max_new_tokens": 16}})");
}

TEST_F(tgi, extra_members_replace_and_add_and_overrides_come_last) {
  open(R"({"max_new_tokens": 3, "stop": ["a,b", "}"], "seed": 1})", R"({"stream": true})");
  EXPECT_EQ(body(),
            R"({"inputs": "Say \"hi\"", "parameters": {"details": true, "max_new_tokens": 3, )"
            R"("stop": ["a,b", "}"], "seed": 1}, "stream": true})");
}

TEST_F(tgi, reads_a_stream_to_its_end) {
  open();
  EXPECT_EQ(hear(R"({"index":1,"token":{"id":5,"text":" a","logprob":-0.5,"special":false},)"
                 R"("generated_text":null,"details":null})"),
            IFB_OK);
  EXPECT_EQ(hear(R"({"token":{"id":2,"text":"</s>","special":true},"generated_text":" a",)"
                 R"("details":{"finish_reason":"eos_token","generated_tokens":2,)"
                 R"("input_length":7,"seed":null}})"),
            IFB_END);
  EXPECT_EQ(events_.lines, (std::vector<std::string>{"token ' a' 1 channel 0 choice 0 at 0",
                                                     "token '' 1 channel 0 choice 0 at 0",
                                                     "usage 7 -1 2 -1", "done eos_token"}));
}

TEST_F(tgi, an_error_in_the_stream_fails_the_request) {
  open();
  EXPECT_EQ(hear(R"({"error":"out of memory","error_type":"generation"})"), IFB_E_REMOTE);
  EXPECT_STREQ(error_.message, "out of memory");
}

TEST_F(tgi, an_event_that_is_not_a_json_object_is_a_protocol_error) {
  open();
  for (const std::string_view bad :
       {"", "[1]", "5", "null", "\"x\"", "{", "{\"token\":", "{} {}", "[DONE]", "\xFF\xFE"}) {
    error_ = stale_error();
    EXPECT_EQ(hear(bad), IFB_E_PROTOCOL) << bad;
    EXPECT_STREQ(error_.message, "an event of the stream is not a JSON object");
  }
  EXPECT_EQ(hear(std::string(100'000, '[')), IFB_E_PROTOCOL);
  EXPECT_EQ(hear("{\"a\":" + std::string(100'000, '[')), IFB_E_PROTOCOL);
  EXPECT_TRUE(events_.lines.empty());
}

TEST_F(tgi, refuses_options_that_it_cannot_use) {
  const made slash(plugin(), host_, std::vector{text_value(IFB_STRING, "generate"), ifb_value{}});
  EXPECT_EQ(slash.status, IFB_E_CONFIG);
  EXPECT_EQ(slash.error.option, 0);
  EXPECT_STREQ(slash.error.message, "expected a path that begins with /");
  const made list(plugin(), host_,
                  std::vector{text_value(IFB_STRING, "/x"), text_value(IFB_JSON, "[1]")});
  EXPECT_EQ(list.status, IFB_E_CONFIG);
  EXPECT_EQ(list.error.option, 1);
  EXPECT_STREQ(list.error.message, "expected a table");
}

TEST_F(tgi, refuses_prompts_that_are_not_text) {
  self_ = std::make_unique<made>(plugin(), host_,
                                 std::vector{text_value(IFB_STRING, "/x"), ifb_value{}});
  sample_.shape = IFB_PROMPT_CHAT;
  ifb_exchange* x = nullptr;
  EXPECT_EQ(self_->table<ifb_http_codec>(IFB_HTTP_CODEC)
                .open(self_->get(), &sample_, host_.arena(), &x, &error_),
            IFB_E_UNSUPPORTED);
}

}  // namespace
