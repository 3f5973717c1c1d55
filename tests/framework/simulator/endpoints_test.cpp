#include "simulator/endpoints.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/simulator/raw_client.hpp"

namespace inferbench::simulator {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

TEST(endpoints, the_plain_endpoints_answer_as_vllm_does) {
  options settings;
  settings.model = "org/model";
  settings.max_model_len = 4096;
  test_server server(settings);
  const auto port = server.port();
  EXPECT_EQ(body_of(exchanged(port, get_text("/v1/models"))),
            R"({"object":"list","data":[{"id":"org/model","object":"model","created":0,)"
            R"("owned_by":"inferbench","root":"org/model","parent":null,"max_model_len":4096,)"
            R"("permission":[]}]})");
  for (const char* path : {"/health", "/health?x=1"})
    EXPECT_THAT(exchanged(port, get_text(path)), StartsWith("HTTP/1.1 200 OK\r\n"));
  EXPECT_EQ(body_of(exchanged(port, get_text("/version"))), R"({"version":"simulator"})");
  EXPECT_EQ(
      body_of(exchanged(port, post_text("/tokenize", R"({"model":"m","prompt":"hi\u00e9"})"))),
      R"({"count":4,"max_model_len":4096,"tokens":[104,105,195,169],"token_strs":null})");
  EXPECT_EQ(body_of(exchanged(port, post_text("/tokenize", R"({"prompt":""})"))),
            R"({"count":0,"max_model_len":4096,"tokens":[],"token_strs":null})");
  EXPECT_EQ(body_of(exchanged(port, post_text("/detokenize", R"({"tokens":[104,105]})"))),
            R"({"prompt":"hi"})");
  for (const char* path : {"/start_profile", "/stop_profile", "/reset_prefix_cache"})
    EXPECT_THAT(exchanged(port, post_text(path, "")), StartsWith("HTTP/1.1 200 OK\r\n")) << path;
}

TEST(endpoints, a_rerank_is_answered_at_once) {
  test_server server;
  for (const char* path : {"/rerank", "/v1/rerank"})
    EXPECT_EQ(
        body_of(exchanged(server.port(),
                          post_text(path, R"({"query":"hi","documents":["abc","de"]})"))),
        R"({"id":"rerank","model":"simulated","usage":{"prompt_tokens":9,"total_tokens":9},)"
        R"("results":[{"index":0,"relevance_score":0.5},{"index":1,"relevance_score":0.5}]})");
  for (const char* body :
       {R"({"documents":["a"]})", R"({"query":"q"})", R"({"query":1,"documents":["a"]})",
        R"({"query":"q","documents":[]})", R"({"query":"q","documents":[1]})", "{"})
    EXPECT_THAT(exchanged(server.port(), post_text("/rerank", body)),
                StartsWith("HTTP/1.1 400 Bad Request\r\n"))
        << body;
}

TEST(endpoints, errors_are_json_as_openai_writes_it) {
  test_server server;
  const auto port = server.port();
  const std::string missing = exchanged(port, get_text("/v2/\"x"));
  EXPECT_THAT(missing, StartsWith("HTTP/1.1 404 Not Found\r\n"));
  EXPECT_EQ(body_of(missing), R"({"error":{"message":"There is no /v2/\"x here.","type":)"
                              R"("NotFoundError","param":null,"code":404}})");
  const std::string method = exchanged(port, get_text("/v1/completions"));
  EXPECT_THAT(method, StartsWith("HTTP/1.1 405 Method Not Allowed\r\n"));
  EXPECT_THAT(method, HasSubstr("\r\nallow: POST\r\n"));
  const std::string json = exchanged(port, post_text("/v1/completions", "{\"prompt\""));
  EXPECT_THAT(json, StartsWith("HTTP/1.1 400 Bad Request\r\n"));
  EXPECT_THAT(json, HasSubstr("malformed JSON at byte 9"));
  EXPECT_EQ(metric(port, "inferbench_simulator_refused_requests_total"), 3);
}

}  // namespace
}  // namespace inferbench::simulator
