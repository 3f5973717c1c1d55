// Tests for every backend of the family: the table of section 2.1 of the specification, and invalid
// answers.
#include <random>
#include <string>
#include <string_view>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/backends/codec_box.hpp"

namespace backends {
namespace {

struct row {
  const char* id;
  const char* endpoint;
  const char* ending;  // required end of an endpoint, as named in the message of the refusal
  const char* other;   // another endpoint that is accepted
  std::uint32_t flags;
  const char* answer;  // a message of an answer
};

constexpr const char* embedding =
    R"({"object":"list","data":[{"index":0,"embedding":[0.5,-1e-05,null],"x":"\u00e9\ud83d\ude00"}],"usage":{"prompt_tokens":3,"total_tokens":3}})";
constexpr const char* delta =
    R"({"id":"t","choices":[{"index":0,"delta":{"content":"h\u00e9\ud83d\ude00"},"finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":1e1}})";

constexpr row rows[] = {
    {"openai", "/v1/completions", "completions", "/v1/chat/completions", IFB_CODEC_SAMPLING,
     R"({"choices":[{"index":0,"text":"h\u00e9\ud83d\ude00","finish_reason":null}],"usage":null})"},
    {"openai-chat", "/v1/chat/completions", "chat/completions", "/x/chat/completions",
     IFB_CODEC_SAMPLING | IFB_CODEC_CHAT, delta},
    {"openai-responses", "/v1/responses", "responses", "/responses",
     IFB_CODEC_SAMPLING | IFB_CODEC_CHAT,
     R"({"type":"response.output_text.delta","delta":"h\u00e9\ud83d\ude00","logprobs":[{"a":[1,-2.5e3]}],"response":{"usage":{"input_tokens":5,"output_tokens":1e1,"input_tokens_details":{"cached_tokens":1}}}})"},
    {"openai-audio", "/v1/audio/transcriptions", "transcriptions or translations",
     "/v1/audio/translations", 0, delta},
    {"openai-embeddings", "/v1/embeddings", "embeddings", "/embeddings", IFB_CODEC_POOLING,
     embedding},
    {"openai-embeddings-chat", "/v1/embeddings", "embeddings", "/embeddings", IFB_CODEC_POOLING,
     embedding},
    {"openai-embeddings-clip", "/v1/embeddings", "embeddings", "/embeddings", IFB_CODEC_POOLING,
     embedding},
    {"openai-embeddings-vlm2vec", "/v1/embeddings", "embeddings", "/embeddings", IFB_CODEC_POOLING,
     embedding},
    {"infinity-embeddings", "/v1/embeddings", "embeddings", "/embeddings", IFB_CODEC_POOLING,
     embedding},
    {"infinity-embeddings-clip", "/v1/embeddings", "embeddings", "/embeddings", IFB_CODEC_POOLING,
     embedding},
    {"vllm-pooling", "/pooling", "pooling", "/v1/pooling", IFB_CODEC_POOLING, embedding},
    {"vllm-rerank", "/v1/rerank", "rerank", "/v2/rerank", IFB_CODEC_POOLING, embedding},
};

class every_backend : public testing::TestWithParam<row> {
 protected:
  /// The reports of an answer with one message. The last report must be an end.
  static std::vector<std::string> heard_of(codec_box& box, std::string_view data) {
    box.open_any();
    transcript heard;
    if (box.message(heard, data)) box.end(heard);
    EXPECT_TRUE(heard.finished());
    return heard.lines;
  }
};

INSTANTIATE_TEST_SUITE_P(of_the_family, every_backend, testing::ValuesIn(rows),
                         [](const auto& each) {
                           std::string name = each.param.id;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST_P(every_backend, describes_itself) {
  const codec_box box(GetParam().id);
  EXPECT_EQ(box.fallback("endpoint"), GetParam().endpoint);
  EXPECT_EQ(box.fallback("ignore-eos"), "false");
  EXPECT_EQ(box.codec.flags, GetParam().flags);
  EXPECT_STREQ(box.plugin.plugin().license, "Apache-2.0");
  for (const auto& option : ifb::options_of(box.plugin.plugin()))
    if (std::string_view(option.name) != "enable-vad") {  // an option of speech alone
      EXPECT_NE(option.flags & IFB_OPT_GENERAL, 0U) << option.name;
    }
}

TEST_P(every_backend, takes_the_endpoints_that_end_as_they_should) {
  for (const char* endpoint : {GetParam().endpoint, GetParam().other}) {
    codec_box box(GetParam().id);
    EXPECT_EQ(box.plugin.create({{"model", "m"}, {"endpoint", endpoint}}), IFB_OK)
        << box.plugin.error.message;
  }
}

TEST_P(every_backend, refuses_another_endpoint_with_a_remedy) {
  codec_box box(GetParam().id);
  EXPECT_EQ(box.plugin.create({{"model", "m"}, {"endpoint", "/v1/none"}}), IFB_E_CONFIG);
  EXPECT_EQ(box.plugin.option_at_fault(), "endpoint");
  EXPECT_EQ(std::string(box.plugin.error.message),
            "\"/v1/none\" does not end in " + std::string(GetParam().ending) +
                "; give the path of that endpoint, for example " + GetParam().endpoint +
                ", or a backend other than " + GetParam().id);
}

TEST_P(every_backend, refuses_an_extra_body_that_is_not_an_object) {
  codec_box box(GetParam().id);
  EXPECT_EQ(
      box.plugin.create({{"model", "m"}, {"endpoint", GetParam().endpoint}, {"extra-body", "[1]"}}),
      IFB_E_CONFIG);
  EXPECT_EQ(box.plugin.option_at_fault(), "extra-body");
}

TEST_P(every_backend, asked_twice_for_its_request_says_the_same) {
  codec_box box(GetParam().id, {});
  box.open_any();
  const std::string first = box.body();
  EXPECT_FALSE(first.empty());
  EXPECT_EQ(box.body(), first);
  EXPECT_EQ(ifb::view(box.last.target), GetParam().endpoint);
  EXPECT_EQ(ifb::view(box.last.method), "POST");
}

TEST_P(every_backend, asks_for_no_length_if_the_sample_leaves_it_open) {
  codec_box box(GetParam().id, {});
  box.open_any();
  const std::string body = box.body();
  for (const char* member : {"max_tokens", "max_completion_tokens", "max_output_tokens"})
    EXPECT_THAT(body, testing::Not(testing::HasSubstr(member)));
}

TEST_P(every_backend, may_open_a_request_on_one_thread_and_read_its_answer_on_another) {
  codec_box box(GetParam().id, {});
  std::thread([&] {
    box.open_any();
    EXPECT_FALSE(box.body().empty());
  }).join();
  transcript heard;
  EXPECT_TRUE(box.head(heard, {}));
  EXPECT_TRUE(box.message(heard, GetParam().answer));
  box.end(heard);
  box.close();
  EXPECT_TRUE(heard.finished());
}

TEST_P(every_backend, leaves_the_body_of_an_error_to_the_host) {
  codec_box box(GetParam().id, {});
  box.open_any();
  for (const std::uint32_t status : {400U, 404U, 500U, 503U})
    EXPECT_EQ(box.head(status, {}), IFB_FRAMING_AUTO);
}

TEST_P(every_backend, sends_a_prompt_or_names_the_supported_shapes) {
  codec_box box(GetParam().id, {});
  const std::uint32_t ids[] = {1, 2};
  ifb_part tokens = ifb::text_part({});
  tokens.kind = IFB_PART_TOKENS;
  tokens.data = {ids, sizeof ids};
  ifb_part object = ifb::text_part(R"({"a":1})");
  object.kind = IFB_PART_JSON;
  const ifb_part texts[] = {ifb::text_part("a"), ifb::text_part("b")};
  ifb_message message{};
  message.struct_size = sizeof message;
  message.role = ifb::str("user");
  message.parts = ifb::list_of(texts);
  std::size_t carried = 0;
  // The last value is not a valid shape.
  for (std::uint32_t shape = IFB_PROMPT_TEXT; shape <= IFB_PROMPT_JSON + 1; ++shape) {
    ifb_sample sample = ifb::blank_sample();
    sample.shape = shape;
    switch (shape) {
      case IFB_PROMPT_CHAT: sample.messages = ifb::list_of({&message, 1}); break;
      case IFB_PROMPT_TOKENS:
      case IFB_PROMPT_TOKEN_LISTS: sample.prompt = ifb::list_of({&tokens, 1}); break;
      case IFB_PROMPT_JSON: sample.prompt = ifb::list_of({&object, 1}); break;
      default:
        sample.prompt =
            ifb::list_of({texts, shape == IFB_PROMPT_TEXTS || shape == IFB_PROMPT_PARTS ? 2U : 1U});
    }
    const ifb_status status = box.open(sample);
    if (status == IFB_OK) {
      EXPECT_FALSE(box.body().empty());
      ++carried;
    } else {
      EXPECT_EQ(status, IFB_E_UNSUPPORTED) << shape << ": " << box.error.message;
      EXPECT_GT(std::string_view(box.error.message).size(), 20U);
    }
  }
  // A transcription needs a sound, and none of these samples has a sound.
  EXPECT_EQ(carried != 0, std::string_view(GetParam().id) != "openai-audio");
  EXPECT_LT(carried, 6U);
}

TEST_P(every_backend, reads_an_answer_of_megabytes) {
  codec_box box(GetParam().id, {});
  std::string numbers = "0.5";
  for (int i = 0; i < 300'000; ++i)
    numbers += ",-0.25e-3";
  const std::string answer = GetParam().answer;
  EXPECT_EQ(heard_of(box, R"({"x":[)" + numbers + "]," + answer.substr(1)), heard_of(box, answer));
}

TEST_P(every_backend, fails_clearly_for_an_answer_cut_at_any_byte) {
  codec_box box(GetParam().id, {});
  const std::string_view answer = GetParam().answer;
  for (std::size_t size = 1; size < answer.size(); ++size)
    EXPECT_THAT(heard_of(box, answer.substr(0, size)).back(), testing::StartsWith("failed -4 "))
        << size;
}

TEST_P(every_backend, survives_an_answer_with_any_byte_changed) {
  codec_box box(GetParam().id, {});
  std::mt19937 random(1);
  for (std::size_t at = 0; at < std::string_view(GetParam().answer).size(); ++at) {
    std::string data(GetParam().answer);
    data[at] = static_cast<char>(random());
    heard_of(box, data);
  }
}

TEST_P(every_backend, survives_random_bytes_and_random_json) {
  codec_box box(GetParam().id, {});
  std::mt19937 random(2);
  constexpr std::string_view pieces[] = {
      "{",         "}",         "[",         "]",
      ",",         ":",         "\"",        "\"choices\"",
      "\"type\"",  "\"delta\"", "\"usage\"", "\"response\"",
      "\"error\"", "null",      "1",         "-",
      "1e999",     "\\ud83d",   "\xF0",      "\"response.output_text.delta\""};
  for (int i = 0; i < 2000; ++i) {
    std::string data;
    for (std::size_t k = random() % 60; k != 0; --k) {
      if (i % 2 == 0)
        data += static_cast<char>(random());
      else
        data += pieces[random() % std::size(pieces)];
    }
    heard_of(box, data);
  }
}

TEST_P(every_backend, reads_or_refuses_nesting_of_any_depth) {
  codec_box box(GetParam().id, {});
  constexpr std::size_t depth = 100'000;
  for (const auto& [open, close] : {std::pair<std::string_view, std::string_view>{"[", "]"},
                                    {"{\"usage\":", "}"},
                                    {"{\"response\":", "}"}}) {
    std::string value;
    for (std::size_t i = 0; i < depth; ++i)
      value += open;
    value += "1";
    const std::string half = value;
    for (std::size_t i = 0; i < depth; ++i)
      value += close;
    heard_of(box, R"({"x":)" + value + "}");
    heard_of(box, value);
    EXPECT_THAT(heard_of(box, R"({"error":)" + value + "}").back(),
                testing::StartsWith("failed -5 "));
    EXPECT_THAT(heard_of(box, half).back(), testing::StartsWith("failed -4 "));
  }
}

TEST_P(every_backend, ignores_invalid_counts) {
  codec_box box(GetParam().id, {});
  for (const char* count : {"-1", "1e300", "-1e300", "18446744073709551615", "\"5\"", "true", "[5]",
                            "{\"prompt_tokens\":5}", "null", "9223372036854775808"}) {
    const std::string n = count;
    const auto lines =
        heard_of(box, R"({"usage":{"prompt_tokens":)" + n + R"(,"input_tokens":)" + n +
                          R"(,"completion_tokens":)" + n + R"(,"output_tokens":)" + n + "}}");
    for (const auto& line : lines)
      EXPECT_TRUE(!line.starts_with("usage") || line == "usage - - - -") << count << ": " << line;
  }
}

TEST_P(every_backend, takes_a_zero_byte_for_no_end) {
  codec_box box(GetParam().id, {});
  const std::string answer = GetParam().answer;
  for (const std::string& data : {answer + std::string("\0x", 2), std::string(1, '\0'),
                                  std::string("{\0}", 3), std::string("{\"a\":\"\0\"}", 9)})
    EXPECT_THAT(heard_of(box, data).back(), testing::StartsWith("failed -4 "));
}

TEST_P(every_backend, reports_a_host_without_memory) {
  codec_box box(GetParam().id, {});
  const std::string text(10'000, '"');
  const ifb_part texts[] = {ifb::text_part(text), ifb::text_part(text)};
  ifb_part sound = ifb::text_part(text);
  sound.kind = IFB_PART_AUDIO;
  sound.mime = "audio/pcm;rate=8000";
  const bool list = std::string_view(GetParam().id) == "vllm-rerank";
  ifb_sample sample = ifb::blank_sample();
  sample.shape = list ? IFB_PROMPT_TEXTS : IFB_PROMPT_TEXT;
  sample.prompt = ifb::list_of({texts, list ? 2U : 1U});
  if (GetParam().flags == 0) sample.media = ifb::list_of({&sound, 1});
  std::size_t enough = 0;
  for (std::size_t n = 0; enough == 0; ++n) {
    ASSERT_LT(n, 100U);
    support::arena memory(n);
    const ifb_status status = box.open(sample, memory);
    if (status == IFB_OK)
      enough = n;
    else
      EXPECT_EQ(status, IFB_E_MEMORY);
    box.close();
  }
  EXPECT_GT(enough, 1U);
}

}  // namespace
}  // namespace backends
