#include "simulator/pooled_answer.hpp"

#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/json.hpp"

namespace inferbench::simulator {
namespace {

std::string body_with(api_kind kind, const pooled_answer& what) {
  std::string out;
  append_pooled(out, {kind, "r", "m", 17}, what, {5, 0, 0});
  return out;
}

std::vector<float> floats_of(const std::string& bytes) {
  std::vector<float> out(bytes.size() / sizeof(float));
  std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

pooled_answer vectors(std::uint64_t count, std::uint64_t dimensions, vector_form form) {
  pooled_answer out;
  out.vectors = count;
  out.dimensions = dimensions;
  out.first_value = 62;
  out.form = form;
  return out;
}

TEST(pooled_answer, embeddings_are_lists_of_numbers) {
  EXPECT_EQ(body_with(api_kind::embedding, vectors(2, 2, vector_form::numbers)),
            R"({"id":"embd-r","object":"list","created":17,"model":"m","data":[)"
            R"({"index":0,"object":"embedding","embedding":[0.02197265625,-0.00439453125]},)"
            R"({"index":1,"object":"embedding","embedding":[-0.03076171875,0.00537109375]}],)"
            R"("usage":{"prompt_tokens":5,"total_tokens":5,"completion_tokens":0,)"
            R"("prompt_tokens_details":null}})");
}

TEST(pooled_answer, every_form_has_the_same_values) {
  const rapidjson::Document numbers = base::parse_json(
      body_with(api_kind::embedding, vectors(2, 100, vector_form::numbers)), "body");
  const std::vector<float> bytes =
      floats_of(body_with(api_kind::embedding, vectors(2, 100, vector_form::bytes)));
  ASSERT_EQ(bytes.size(), 200U);
  for (unsigned i = 0; i < 200; ++i)
    EXPECT_EQ(numbers["data"][i / 100]["embedding"][i % 100].GetFloat(), bytes[i]) << i;
  EXPECT_EQ(body_with(api_kind::pooling, vectors(1, 3, vector_form::base64)),
            R"({"id":"pool-r","object":"list","created":17,"model":"m","data":[)"
            R"({"index":0,"object":"pooling","data":"AAC0PAAAkLsAAPy8"}],)"
            R"("usage":{"prompt_tokens":5,"total_tokens":5,"completion_tokens":0,)"
            R"("prompt_tokens_details":null}})");
}

TEST(pooled_answer, bytes_have_their_usage_in_a_header_field) {
  const identity who{api_kind::embedding, "r", "m\r\n", 17};
  EXPECT_EQ(metadata_field(who, vectors(2, 3, vector_form::bytes), {5, 0, 0}),
            R"(metadata: {"id":"embd-r","created":17,"model":"m\r\n","data":[)"
            R"({"index":0,"embed_dtype":"float32","endianness":"native","start":0,"end":12,)"
            R"("shape":[3]},)"
            R"({"index":1,"embed_dtype":"float32","endianness":"native","start":12,"end":24,)"
            R"("shape":[3]}],"usage":{"prompt_tokens":5,"total_tokens":5}})"
            "\r\n");
  EXPECT_EQ(metadata_field(who, vectors(2, 3, vector_form::bytes_only), {5, 0, 0}), "");
  EXPECT_EQ(type_of(vectors(2, 3, vector_form::bytes)), "application/octet-stream");
  EXPECT_EQ(type_of(vectors(2, 3, vector_form::bytes_only)), "application/octet-stream");
  EXPECT_EQ(type_of(vectors(2, 3, vector_form::base64)), "application/json");
}

TEST(pooled_answer, documents_come_back_with_a_score) {
  pooled_answer what;
  what.documents = {"a \"b\"", "c", "d"};
  what.top = 2;
  EXPECT_EQ(body_with(api_kind::rerank, what),
            R"({"id":"rerank-r","model":"m","usage":{"prompt_tokens":5,"total_tokens":5},)"
            R"("results":[{"index":0,"document":{"text":"a \"b\"","multi_modal":null},)"
            R"("relevance_score":0.5},{"index":1,"document":{"text":"c","multi_modal":null},)"
            R"("relevance_score":0.5}]})");
}

TEST(pooled_answer, a_plugin_answers_in_a_form_of_its_own) {
  pooled_answer what = vectors(1, 2, vector_form::bytes);
  what.from_plugin = true;
  EXPECT_EQ(body_with(api_kind::pooling, what),
            R"({"request_id":"r","created_at":17,"data":[0.02197265625,-0.00439453125]})");
  EXPECT_EQ(type_of(what), "application/json");
}

}  // namespace
}  // namespace inferbench::simulator
