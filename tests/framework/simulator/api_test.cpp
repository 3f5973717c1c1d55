#include "simulator/api.hpp"

#include <string>

#include <gtest/gtest.h>

namespace inferbench::simulator {
namespace {

generation_request accepted(api_kind kind, std::string_view body) {
  generation_request out;
  out.kind = kind;
  const auto no = read_generation(body, out);
  EXPECT_FALSE(no) << no->message;
  EXPECT_EQ(out.kind, kind);
  return out;
}

std::string refused(api_kind kind, std::string_view body) {
  generation_request out;
  out.kind = kind;
  const auto no = read_generation(body, out);
  if (!no) return "accepted";
  EXPECT_EQ(no->status, 400);
  return no->message;
}

TEST(api, media_of_a_large_body_are_not_copied) {
  const std::string url = "data:image/png;base64," + std::string(40'000, 'A');
  const std::string body =
      R"({"messages":[{"role":"user","content":[{"type":"image_url","image_url":")" + url +
      R"("},{"type":"image_url","image_url":"http://h/i"},{"type":"image_url","image_url":")" +
      R"(data:image\/png;base64,)" + std::string(40'000, 'B') + R"("}]}]})";
  generation_request out;
  out.kind = api_kind::chat;
  ASSERT_FALSE(read_generation(body, out));
  ASSERT_EQ(out.media.size(), 3U);
  EXPECT_EQ(out.media[0].content(), url);
  EXPECT_EQ(out.media[0].content().data(), body.data() + body.find(url));
  EXPECT_EQ(out.media[1].content(), "http://h/i") << "too short to be worth it";
  EXPECT_EQ(out.media[2].content(), "data:image/png;base64," + std::string(40'000, 'B'))
      << "with an escape";
  out = {};
  out.kind = api_kind::chat;
  ASSERT_FALSE(read_generation(R"({"messages":[{"role":"user","content":"abc"}]})", out));
  EXPECT_TRUE(out.media.empty());
}

TEST(api, a_large_body_is_refused_like_a_small_body) {
  const std::string text(40'000, 'x');
  EXPECT_EQ(accepted(api_kind::completion, R"({"prompt":")" + text + "\"}").prompt_tokens(),
            40'000U);
  EXPECT_EQ(refused(api_kind::completion, R"({"prompt":")" + text + R"(","max_tokens":0})"),
            "max_tokens must be a whole number of at least 1.");
  EXPECT_EQ(refused(api_kind::completion, R"({"prompt":")" + text + "\",}"),
            "The body is malformed JSON at byte 40013: Missing a name for object member.");
  EXPECT_EQ(refused(api_kind::completion, "[\"" + text + "\"]"), "The body must be a JSON object.");
}

TEST(api, a_completion_request_is_read) {
  const auto r = accepted(api_kind::completion,
                          R"({"model":"m","prompt":"h\u00e9","repetition_penalty":1.0,
                              "max_tokens":7,"logprobs":null,"stream":true,"ignore_eos":true,
                              "stream_options":{"include_usage":true},"unknown":[1]})");
  EXPECT_EQ(r.model, "m");
  EXPECT_EQ(r.prompt_tokens(), 3U) << "one token a byte";
  EXPECT_EQ(r.max_tokens, 7U);
  EXPECT_TRUE(r.ignore_eos);
  EXPECT_TRUE(r.stream);
  EXPECT_TRUE(r.include_usage);
}

TEST(api, a_completion_prompt_may_be_token_ids_or_a_list_of_one) {
  EXPECT_EQ(accepted(api_kind::completion, R"({"prompt":[1,70000,3]})").prompt_tokens(), 3U);
  EXPECT_EQ(accepted(api_kind::completion, R"({"prompt":[[1,2]]})").prompt_tokens(), 2U);
  EXPECT_EQ(accepted(api_kind::completion, R"({"prompt":["four"]})").prompt_tokens(), 4U);
  EXPECT_EQ(accepted(api_kind::completion, R"({"prompt":""})").prompt_tokens(), 0U);
}

TEST(api, a_chat_request_counts_the_text_of_its_messages) {
  const auto r = accepted(api_kind::chat, R"({"messages":[
      {"role":"system","content":"ab"},{"role":"assistant","content":null},
      {"role":"user","content":[{"type":"text","text":"cde"},
                                {"type":"image_url","image_url":{"url":"data:x"}}]}],
      "max_completion_tokens":9,"max_tokens":4})");
  EXPECT_EQ(r.prompt, "abcde");
  EXPECT_EQ(r.max_tokens, 9U);
  EXPECT_FALSE(r.stream);
}

TEST(api, a_response_request_counts_its_instructions_and_its_input) {
  const auto text = accepted(api_kind::response,
                             R"({"model":"m","input":"h\u00e9","max_output_tokens":7,
                                 "stream":true,"store":false,"ignore_eos":true})");
  EXPECT_EQ(text.prompt_tokens(), 3U);
  EXPECT_EQ(text.max_tokens, 7U);
  EXPECT_TRUE(text.stream);
  EXPECT_TRUE(text.ignore_eos);
  const auto items = accepted(api_kind::response, R"({"instructions":"be ","input":[
      {"role":"user","content":"ab"},
      {"type":"message","role":"user","content":[{"type":"input_text","text":"cd"},
          {"type":"input_image","image_url":"https://host/a.png"}]},
      {"type":"function_call","name":"f","call_id":"1","arguments":"{}"},
      {"type":"function_call_output","call_id":"1","output":"e"}]})");
  EXPECT_EQ(items.prompt, "be abcd{}e");
}

TEST(api, null_is_as_good_as_absent) {
  const auto r = accepted(api_kind::completion,
                          R"({"prompt":"a","model":null,"max_tokens":null,"stream":null,"n":null,
                              "stream_options":null,"ignore_eos":null,"min_tokens":null})");
  EXPECT_FALSE(r.max_tokens);
  EXPECT_FALSE(r.stream);
}

TEST(api, an_unsupported_request_is_refused_with_a_reason) {
  const auto completion = [](std::string_view body) { return refused(api_kind::completion, body); };
  const auto chat = [](std::string_view body) { return refused(api_kind::chat, body); };
  EXPECT_EQ(completion(""), "The body is malformed JSON at byte 0: The document is empty.");
  EXPECT_EQ(completion("{\"prompt\":"), "The body is malformed JSON at byte 10: Invalid value.");
  EXPECT_EQ(completion("[]"), "The body must be a JSON object.");
  EXPECT_EQ(completion("{}"), "prompt is missing.");
  EXPECT_EQ(completion(R"({"prompt":3})"), "prompt must be a text or a list of token ids.");
  EXPECT_EQ(completion(R"({"prompt":[]})"), "prompt must be a text or a list of token ids.");
  EXPECT_EQ(completion(R"({"prompt":[-1]})"), "prompt must be a text or a list of token ids.");
  EXPECT_EQ(completion(R"({"prompt":["a","b"]})"), "Only one prompt a request is supported.");
  EXPECT_EQ(completion(R"({"prompt":"a","max_tokens":0})"),
            "max_tokens must be a whole number of at least 1.");
  EXPECT_EQ(completion(R"({"prompt":"a","max_tokens":1.5})"),
            "max_tokens must be a whole number of at least 1.");
  EXPECT_EQ(completion(R"({"prompt":"a","n":2})"),
            "n must be 1: this server makes one choice a request.");
  EXPECT_EQ(completion(R"({"prompt":"a","stream":1})"), "stream must be true or false.");
  EXPECT_EQ(completion(R"({"prompt":"a","stream_options":[]})"),
            "stream_options must be an object.");
  EXPECT_EQ(completion(R"({"prompt":"a","model":1})"), "model must be a text.");
  EXPECT_EQ(chat(R"({"prompt":"a"})"), "messages is missing.");
  EXPECT_EQ(chat(R"({"messages":[]})"), "messages must be a list, not empty.");
  EXPECT_EQ(chat(R"({"messages":["a"]})"), "Each of messages must be an object with a role.");
  EXPECT_EQ(chat(R"({"messages":[{"role":"user","content":3}]})"),
            "The content of a message must be a text or a list of parts.");
  EXPECT_EQ(chat(R"({"messages":[{"role":"user","content":[{"type":"text"}]}]})"),
            "messages.0.content.0 needs a text.");
}

TEST(api, a_response_request_is_refused_with_the_member_at_fault) {
  const auto fault = [](std::string_view body) {
    generation_request out;
    out.kind = api_kind::response;
    const auto no = read_generation(body, out);
    return no ? std::to_string(no->status) + " " + no->param + ": " + no->message : "accepted";
  };
  EXPECT_EQ(fault("{}"), "400 input: input is missing.");
  EXPECT_EQ(fault(R"({"input":3})"), "400 input: input must be a text or a list of items.");
  EXPECT_EQ(fault(R"({"input":[]})"), "400 input: input must not be empty.");
  EXPECT_EQ(fault(R"({"input":[1]})"), "400 input.0: input.0 must be an object.");
  EXPECT_EQ(fault(R"({"input":[{"role":"user"}]})"),
            "400 input.0.content: input.0.content is missing.");
  EXPECT_EQ(fault(R"({"input":[{"type":"poem"}]})"),
            "400 input.0.type: input.0.type is not known.");
  EXPECT_EQ(fault(R"({"input":"a","max_output_tokens":0})"),
            "400 max_output_tokens: max_output_tokens must be a whole number of at least 1.");
  EXPECT_EQ(fault(R"({"input":"a","stream":"yes"})"), "400 stream: stream must be true or false.");
  EXPECT_EQ(fault(R"({"input":"a","temperature":-1})"),
            "400 temperature: temperature must be a number from 0.0 to inf.");
  EXPECT_EQ(fault(R"({"input":"a","truncation":"some"})"),
            "400 truncation: truncation must be auto or disabled.");
  EXPECT_EQ(fault(R"({"input":"a","tools":{}})"), "400 tools: tools must be a list.");
  EXPECT_EQ(fault(R"({"input":"a","text":"json"})"), "400 text: text must be an object.");
  EXPECT_EQ(fault(R"({"input":"a","prompt":{"id":"p"}})"),
            "400 prompt: prompt template is not supported");
  EXPECT_EQ(fault(R"({"input":"a","background":true})"),
            "400 background: This server stores no responses, so it has no background mode.");
  EXPECT_EQ(fault(R"({"input":"a","previous_response_id":"resp_1"})"),
            "404 previous_response_id: Response with id 'resp_1' not found.");
}

TEST(api, deeply_nested_json_does_not_exhaust_the_stack) {
  EXPECT_EQ(
      refused(api_kind::completion, std::string(1'000'000, '[')).find("The body is malformed"), 0U);
  const std::string nested =
      R"({"prompt":"a","x":)" + std::string(500'000, '[') + std::string(500'000, ']') + "}";
  EXPECT_EQ(accepted(api_kind::completion, nested).prompt, "a");
}

TEST(api, bad_utf8_is_refused) {
  EXPECT_EQ(refused(api_kind::completion, "{\"prompt\":\"\xFF\"}").find("The body is malformed"),
            0U);
}

TEST(api, tokens_are_bytes) {
  std::string text;
  EXPECT_FALSE(read_tokenize(R"({"model":"m","prompt":"ab","add_special_tokens":false})", text));
  EXPECT_EQ(text, "ab");
  EXPECT_FALSE(read_tokenize(R"({"messages":[{"role":"user","content":"xyz"}]})", text));
  EXPECT_EQ(text, "xyz");
  EXPECT_FALSE(read_detokenize(R"({"tokens":[104,105]})", text));
  EXPECT_EQ(text, "hi");
  EXPECT_TRUE(read_detokenize(R"({"tokens":[256]})", text));
  EXPECT_TRUE(read_detokenize(R"({"tokens":"x"})", text));
  EXPECT_TRUE(read_detokenize("{}", text));
  EXPECT_TRUE(read_tokenize("{}", text));
}

answer_length planned(const generation_request& request, double drawn,
                      std::uint64_t context = 100) {
  answer_length out{};
  const auto no = plan_length(request, context, drawn, out);
  EXPECT_FALSE(no) << no->message;
  return out;
}

TEST(api, an_answer_is_as_long_as_asked_or_ends_by_itself) {
  generation_request r;
  r.max_tokens = 20;
  EXPECT_EQ(planned(r, 7.6).tokens, 8U);
  EXPECT_FALSE(planned(r, 7.6).cut);
  EXPECT_EQ(planned(r, 500).tokens, 20U);
  EXPECT_TRUE(planned(r, 500).cut);
  EXPECT_EQ(planned(r, 0.1).tokens, 1U);
  r.min_tokens = 12;
  EXPECT_EQ(planned(r, 7).tokens, 12U);
  r.min_tokens = 90;
  EXPECT_EQ(planned(r, 7).tokens, 20U);
  r.ignore_eos = true;
  EXPECT_EQ(planned(r, 7).tokens, 20U);
  EXPECT_TRUE(planned(r, 7).cut);
}

TEST(api, the_limit_of_a_response_is_reduced_to_the_context) {
  generation_request r;
  r.kind = api_kind::response;
  r.prompt = "0123456789";
  r.max_tokens = 200;
  r.ignore_eos = true;
  EXPECT_EQ(planned(r, 1).tokens, 90U);
  EXPECT_EQ(planned(r, 1).limit, 90U);
  answer_length out{};
  EXPECT_TRUE(plan_length(r, 10, 1, out)) << "no room";
}

TEST(api, a_sound_takes_no_place_in_the_context) {
  generation_request r;
  r.kind = api_kind::transcription;
  r.prompt = "spoken by";
  r.sound_tokens = 5000;
  r.ignore_eos = true;
  EXPECT_EQ(r.prompt_tokens(), 5009U);
  EXPECT_EQ(planned(r, 1).tokens, 100U);
  r.max_tokens = 7;
  EXPECT_EQ(planned(r, 1).tokens, 7U);
}

TEST(api, without_a_limit_completions_get_16_tokens_and_chats_the_context) {
  generation_request r;
  r.ignore_eos = true;
  r.prompt = "0123456789";
  EXPECT_EQ(planned(r, 1).tokens, 16U);
  EXPECT_EQ(planned(r, 1, 13).tokens, 3U);
  r.kind = api_kind::chat;
  EXPECT_EQ(planned(r, 1).tokens, 90U);
}

TEST(api, a_request_that_exceeds_the_context_is_refused) {
  generation_request r;
  r.prompt = "0123456789";
  r.max_tokens = 91;
  answer_length out{};
  const auto no = plan_length(r, 100, 1, out);
  ASSERT_TRUE(no);
  EXPECT_EQ(no->status, 400);
  EXPECT_EQ(no->message,
            "The prompt of 10 tokens and 91 to be generated exceed the context of 100 tokens.");
  r.max_tokens.reset();
  EXPECT_TRUE(plan_length(r, 10, 1, out));
  r.max_tokens = UINT64_MAX;
  EXPECT_TRUE(plan_length(r, 100, 1, out));
}

}  // namespace
}  // namespace inferbench::simulator
