#include "engines/python-engine/orders.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine_host.hpp"
#include "engines/python-engine/settings.hpp"

namespace python_engine {
namespace {

using engine_test::engine_host;
using engine_test::message_of;
using engine_test::text_batch;
using testing::HasSubstr;

class orders : public testing::Test {
 protected:
  std::vector<std::string> items(const ifb_batch& batch) {
    std::vector<std::string> out;
    send_items(batch, host_.arena(), [&](std::string_view bytes) { out.emplace_back(bytes); });
    return out;
  }
  /// The JSON of a frame with blobs.
  static std::string json_of(const std::string& frame) {
    return frame.substr(12, read_number(frame, 8, 4));
  }
  static std::string blobs_of(const std::string& frame) {
    return frame.substr(12 + read_number(frame, 8, 4));
  }

  engine_host host_;
};

TEST_F(orders, of_a_batch_have_the_words_of_the_protocol) {
  text_batch what({"a"});
  what.sampling.n = 2;
  what.sampling.max_tokens = 7;
  what.batch.flags = IFB_BATCH_ASYNC | IFB_BATCH_NO_TEXT;
  what.batch.request_id_prefix = ifb::str("warmup");
  const std::string frame = run_frame(what.batch, 3);
  EXPECT_EQ(frame.substr(8),
            R"({"run": 3, "mode": "generate", "count": 1, "async": true, "prequeue": false, )"
            R"("profile": false, "detokenize": false, "request_id_prefix": "warmup", )"
            R"("sampling": {"n": 2, "temperature": 1.0, "top_p": 1.0, "ignore_eos": true, )"
            R"("max_tokens": 7, "beam_width": 1}})");
  EXPECT_EQ(read_number(frame, 0, 4), frame.size() - 8);
  EXPECT_EQ(frame[4], 4);
  what.batch.mode = 9;
  EXPECT_EQ(message_of([&] { static_cast<void>(run_frame(what.batch, 1)); }),
            "this version of the plugin has no mode 9");
}

TEST_F(orders, carry_text_ids_media_and_adapters) {
  text_batch what({"hi \"you\"", "b", "c"});
  const std::vector<std::uint32_t> ids = {7, 300};
  ifb_part tokens{};
  tokens.struct_size = sizeof tokens;
  tokens.kind = IFB_PART_TOKENS;
  tokens.data = {ids.data(), 8};
  what.sample(1).shape = IFB_PROMPT_TOKENS;
  what.sample(1).prompt = {&tokens, 1, sizeof tokens};
  what.sample(1).input_tokens = 2;
  const ifb_adapter adapter{sizeof(ifb_adapter), 3, ifb::str("3"), ifb::str("/lora")};
  what.item(1).adapter = &adapter;
  ifb_part image{};
  image.struct_size = sizeof image;
  image.kind = IFB_PART_IMAGE;
  image.mime = "image/png";
  image.data = ifb::bytes("PNG");
  what.sample(2).media = {&image, 1, sizeof image};
  what.sample(2).overrides = ifb::str(R"({"seed": 1})");
  const auto frames = items(what.batch);
  ASSERT_EQ(frames.size(), 1U);
  EXPECT_EQ(json_of(frames[0]),
            R"({"first": 0, "items": [{"prompt": "hi \"you\"", "output_tokens": 2}, )"
            R"({"tokens": [0, 8], "adapter": {"number": 3, "name": "3", "path": "/lora"}, )"
            R"("input_tokens": 2, "output_tokens": 2}, )"
            R"({"prompt": "c", "media": [{"kind": "image", "mime": "image/png", "data": [8, 3]}], )"
            R"("output_tokens": 2, "overrides": {"seed": 1}}]})");
  EXPECT_EQ(blobs_of(frames[0]), std::string("\7\0\0\0\x2c\1\0\0PNG", 11));
}

TEST_F(orders, of_a_chat_carry_the_messages) {
  text_batch what({"hello"});
  const ifb_part part = ifb::text_part("hello");
  const ifb_message message = ifb::message("user", ifb::list_of({&part, 1}));
  what.sample(0).messages = ifb::list_of({&message, 1});
  EXPECT_THAT(json_of(items(what.batch)[0]), HasSubstr("{\"prompt\": \"hello\""));
  what.batch.mode = IFB_BATCH_CHAT;
  EXPECT_THAT(json_of(items(what.batch)[0]),
              HasSubstr("\"messages\": [{\"role\":\"user\",\"content\":\"hello\"}]"));
}

TEST_F(orders, of_many_items_are_cut_into_frames) {
  const text_batch many(std::vector<std::string>(2049, "x"));
  const auto frames = items(many.batch);
  ASSERT_EQ(frames.size(), 3U);
  EXPECT_THAT(json_of(frames[1]), testing::StartsWith("{\"first\": 1024, "));
  EXPECT_THAT(json_of(frames[2]), testing::StartsWith("{\"first\": 2048, "));
  const text_batch large(std::vector<std::string>(5, std::string(3U << 20U, 'x')));
  EXPECT_EQ(items(large.batch).size(), 3U);
}

TEST(engine_options_of_a_worker, are_laid_over_each_other) {
  EXPECT_EQ(merged_options(R"({"max-model-len": 1, "a": {"b-c": 2}})",
                           R"({"max_model_len": 4096, "dtype": "auto"})", "engine"),
            R"({"max_model_len": 4096, "a": {"b-c": 2}, "dtype": "auto"})");
  EXPECT_EQ(merged_options("", "", "engine"), "{}");
  EXPECT_EQ(message_of([] { static_cast<void>(merged_options("[1]", "", "engine")); }),
            "the options of the engine are not a JSON object, such as {\"max-model-len\": 4096}");
  std::string options = R"({"adapter": "hf", "dtype": "auto"})";
  EXPECT_EQ(taken_option(options, "adapter"), "hf");
  EXPECT_EQ(options, R"({"dtype": "auto"})");
  EXPECT_EQ(taken_option(options, "adapter"), "");
}

}  // namespace
}  // namespace python_engine
