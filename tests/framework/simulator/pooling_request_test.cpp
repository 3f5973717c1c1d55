#include "simulator/pooling_request.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace inferbench::simulator {
namespace {

using testing::ElementsAre;

constexpr pooling_model model{100, 8};

pooling_request accepted_pooling(api_kind kind, std::string_view body) {
  pooling_request out;
  out.kind = kind;
  const auto no = read_pooling(body, model, out);
  EXPECT_FALSE(no) << no->message;
  EXPECT_EQ(out.kind, kind);
  return out;
}

std::string pooling_fault(api_kind kind, std::string_view body) {
  pooling_request out;
  out.kind = kind;
  const auto no = read_pooling(body, model, out);
  if (!no) return "accepted";
  EXPECT_EQ(no->status, 400);
  return no->param + ": " + no->message;
}

TEST(pooling_request, an_input_is_a_text_or_token_ids_or_a_list_of_either) {
  const auto read = [](std::string_view input) {
    return accepted_pooling(
        api_kind::embedding,
        R"({"model":"m","truncate_prompt_tokens":-1,"input":)" + std::string(input) + "}");
  };
  EXPECT_THAT(read(R"("abc")").inputs, ElementsAre("abc"));
  EXPECT_EQ(read(R"("abc")").model, "m");
  EXPECT_EQ(read(R"("abc")").dimensions, 8U) << "as many as the model has";
  EXPECT_THAT(read(R"(["abc",""])").inputs, ElementsAre("abc", ""));
  EXPECT_EQ(read(R"(["abc","de"])").prompt_tokens(), 5U);
  EXPECT_EQ(read("[1,70000,3]").inputs.size(), 1U);
  EXPECT_EQ(read("[1,70000,3]").prompt_tokens(), 3U);
  EXPECT_EQ(read("[[1],[2,3]]").inputs.size(), 2U);
  EXPECT_EQ(read("[[1],[2,3]]").prompt_tokens(), 3U);
}

TEST(pooling_request, messages_are_an_input_whose_media_have_no_tokens) {
  const auto r = accepted_pooling(api_kind::embedding, R"({"messages":[{"role":"user","content":[
      {"type":"image_url","image_url":{"url":"data:image/png;base64,YWJj"}},
      {"type":"text","text":"ab"}]}],"encoding_format":"base64","dimensions":4,"normalize":true})");
  EXPECT_THAT(r.inputs, ElementsAre("ab"));
  EXPECT_EQ(r.form, vector_form::base64);
  EXPECT_EQ(r.dimensions, 4U);
  EXPECT_EQ(accepted_pooling(api_kind::pooling, R"({"messages":[{"role":"user","content":"abc"}]})")
                .prompt_tokens(),
            3U);
}

TEST(pooling_request, a_medium_of_infinity_is_a_url_without_tokens) {
  const auto r = accepted_pooling(api_kind::embedding,
                                  R"({"input":"data:image/jpeg;base64,YWJj","modality":"image"})");
  EXPECT_THAT(r.inputs, ElementsAre(""));
  ASSERT_EQ(r.media.size(), 1U);
  EXPECT_EQ(r.media[0].kind, media::kind::image);
  EXPECT_EQ(r.media[0].place, "input");
  EXPECT_EQ(r.media[0].content(), "data:image/jpeg;base64,YWJj");
  const auto several = accepted_pooling(api_kind::embedding,
                                        R"({"modality":"video","input":["http://a","file:///b"]})");
  EXPECT_THAT(several.inputs, ElementsAre("", ""));
  ASSERT_EQ(several.media.size(), 2U);
  EXPECT_EQ(several.media[1].kind, media::kind::video);
  EXPECT_EQ(several.media[1].place, "input.1");
  EXPECT_EQ(several.media[1].content(), "file:///b");
  EXPECT_EQ(pooling_fault(api_kind::embedding, R"({"input":[],"modality":"image"})"),
            "input: input must not be empty.");
  EXPECT_EQ(pooling_fault(api_kind::embedding, R"({"modality":"image"})"),
            "input: input is missing.");
  EXPECT_EQ(
      accepted_pooling(api_kind::embedding, R"({"input":"abc","modality":"text"})").prompt_tokens(),
      3U);
  EXPECT_EQ(pooling_fault(api_kind::embedding, R"({"input":"abc","modality":"image"})"),
            "input: input must have URLs that begin with http, https, data or file.");
  EXPECT_EQ(pooling_fault(api_kind::embedding, R"({"input":[1],"modality":"audio"})"),
            "input: input must be a URL or a list of URLs.");
  EXPECT_EQ(pooling_fault(api_kind::embedding, R"({"input":"http://a","modality":"smell"})"),
            "modality: modality must be text, image, audio or video.");
}

TEST(pooling_request, data_is_for_an_io_plugin_and_only_pooling_takes_it) {
  const auto r =
      accepted_pooling(api_kind::pooling, R"({"data":{"x":[1.0]},"truncate_prompt_tokens":-1})");
  EXPECT_TRUE(r.for_plugin);
  EXPECT_EQ(r.prompt_tokens(), 0U);
  EXPECT_EQ(pooling_fault(api_kind::embedding, R"({"data":{"x":[1.0]}})"),
            "input: input is missing.");
}

TEST(pooling_request, inputs_are_cut_if_the_request_says_so_and_else_refused) {
  const std::string text(150, 'a');
  const std::string input = R"({"input":")" + text + '"';
  EXPECT_EQ(accepted_pooling(api_kind::embedding, input + R"(,"truncate_prompt_tokens":-1})")
                .prompt_tokens(),
            100U);
  EXPECT_EQ(accepted_pooling(api_kind::embedding, input + R"(,"truncate_prompt_tokens":7})")
                .prompt_tokens(),
            7U);
  EXPECT_EQ(accepted_pooling(api_kind::embedding, R"({"input":[1,2,3],"truncate_prompt_tokens":2})")
                .prompt_tokens(),
            2U);
  EXPECT_EQ(pooling_fault(api_kind::embedding, input + "}"),
            "input: This model's maximum context length is 100 tokens. However, you requested 150 "
            "tokens in the input. Please reduce the length of the input.");
  EXPECT_EQ(pooling_fault(api_kind::embedding, input + R"(,"truncate_prompt_tokens":101})"),
            "truncate_prompt_tokens: truncate_prompt_tokens value is greater than max_model_len. "
            "Please request a smaller truncation size.");
  EXPECT_EQ(
      pooling_fault(api_kind::embedding, input + R"(,"truncate_prompt_tokens":-2})"),
      "truncate_prompt_tokens: truncate_prompt_tokens must be a whole number of at least -1.");
}

TEST(pooling_request, a_rerank_has_a_query_and_documents) {
  const auto r =
      accepted_pooling(api_kind::rerank, R"({"model":"m","query":"hi","documents":["abc","de"],
                                                "top_n":1,"truncate_prompt_tokens":4})");
  EXPECT_THAT(r.inputs, ElementsAre("hiab", "hide"));
  EXPECT_THAT(r.documents, ElementsAre("abc", "de"));
  EXPECT_EQ(r.top, 1U);
  const auto parts = accepted_pooling(api_kind::rerank, R"({"query":"q","top_n":0,"documents":[
      {"content":[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"http://i"}}]}]})");
  EXPECT_THAT(parts.inputs, ElementsAre("qa"));
  EXPECT_EQ(parts.top, UINT64_MAX) << "0: all";
}

TEST(pooling_request, an_unsupported_request_is_refused_with_the_member_at_fault) {
  const auto embedding = [](std::string_view body) {
    return pooling_fault(api_kind::embedding, body);
  };
  const auto rerank = [](std::string_view body) { return pooling_fault(api_kind::rerank, body); };
  const std::string input =
      "input: input must be a text, a list of texts, token ids, or a list of lists of token ids.";
  EXPECT_EQ(embedding("{").find(": The body is malformed JSON at byte 1"), 0U);
  EXPECT_EQ(embedding("{}"), "input: input is missing.");
  EXPECT_EQ(embedding(R"({"input":null})"), "input: input is missing.");
  EXPECT_EQ(embedding(R"({"input":[]})"), "input: input must not be empty.");
  for (const char* bad : {"3", "{}", R"(["a",1])", R"([1,"a"])", "[-1]", "[1.5]", "[[]]",
                          "[[1],[]]", R"([["a"]])", "[true]"})
    EXPECT_EQ(embedding(std::string(R"({"input":)") + bad + "}"), input) << bad;
  EXPECT_EQ(embedding(R"({"input":"a","model":1})"), "model: model must be a text.");
  EXPECT_EQ(embedding(R"({"input":"a","encoding_format":"hex"})"),
            "encoding_format: encoding_format must be float, base64, bytes or bytes_only.");
  EXPECT_EQ(embedding(R"({"input":"a","dimensions":0})"),
            "dimensions: dimensions must be a whole number of at least 1.");
  EXPECT_EQ(embedding(R"({"input":"a","embed_dtype":"float16"})"),
            "embed_dtype: embed_dtype must be float32.");
  EXPECT_EQ(embedding(R"({"messages":[]})"), "messages: messages must be a list, not empty.");
  EXPECT_EQ(pooling_fault(api_kind::pooling, R"({"input":"a","task":"guess"})")
                .find("task: task must be "),
            0U);
  EXPECT_EQ(rerank(R"({"documents":["a"]})"), "query: query is missing.");
  EXPECT_EQ(rerank(R"({"query":1,"documents":["a"]})"), "query: query must be a text.");
  EXPECT_EQ(rerank(R"({"query":"q"})"), "documents: documents is missing.");
  EXPECT_EQ(rerank(R"({"query":"q","documents":[]})"),
            "documents: documents must be a list of texts, not empty.");
  EXPECT_EQ(rerank(R"({"query":"q","documents":[1]})"),
            "documents: documents must be a list of texts.");
  EXPECT_EQ(rerank(R"({"query":"q","documents":["a"],"top_n":-1})"),
            "top_n: top_n must be a whole number of at least 0.");
}

TEST(pooling_request, a_short_body_cannot_ask_for_an_answer_that_fills_the_memory) {
  const auto texts = [](std::size_t count, const std::string& text) {
    std::string out = "[";
    for (std::size_t i = 0; i < count; ++i)
      out += (i == 0 ? "\"" : ",\"") + text + '"';
    return out + "]";
  };
  EXPECT_EQ(pooling_fault(api_kind::embedding, R"({"input":"a","dimensions":8388609})"),
            "dimensions: dimensions times the number of inputs must be 8388608 or less.");
  EXPECT_EQ(
      pooling_fault(api_kind::embedding, R"({"dimensions":4096,"input":)" + texts(2049, "") + "}"),
      "dimensions: dimensions times the number of inputs must be 8388608 or less.");
  EXPECT_EQ(accepted_pooling(api_kind::embedding,
                             R"({"dimensions":4096,"input":)" + texts(2048, "") + "}")
                .inputs.size(),
            2048U);
  EXPECT_EQ(pooling_fault(api_kind::embedding, R"({"input":)" + texts(65537, "") + "}"),
            "input: input must have 65536 inputs or fewer.");
  EXPECT_EQ(
      pooling_fault(api_kind::rerank, R"({"query":"q","documents":)" + texts(65537, "") + "}"),
      "documents: documents must be 65536 texts or fewer.");
  EXPECT_EQ(
      pooling_fault(api_kind::rerank, R"({"query":")" + std::string(1'000'000, 'q') +
                                          R"(","documents":)" + texts(68, "") + "}"),
      "documents: documents must have, each with the query, 67108864 tokens or fewer in all.");
}

}  // namespace
}  // namespace inferbench::simulator
