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
  for (const char* path : {"/start_profile", "/stop_profile"})
    EXPECT_THAT(exchanged(port, post_text(path, "")), StartsWith("HTTP/1.1 200 OK\r\n")) << path;
}

TEST(endpoints, resets_of_caches_are_counted) {
  test_server server;
  const auto port = server.port();
  for (const char* path :
       {"/reset_prefix_cache", "/reset_mm_cache", "/reset_mm_cache", "/reset_encoder_cache?x=1"}) {
    const std::string answer = exchanged(port, post_text(path, ""));
    EXPECT_THAT(answer, StartsWith("HTTP/1.1 200 OK\r\n")) << path;
    EXPECT_EQ(body_of(answer), "");
  }
  const std::string page = exchanged(port, get_text("/metrics"));
  EXPECT_THAT(page, HasSubstr(R"(,cache="prefix"} 1.0)"));
  EXPECT_THAT(page, HasSubstr(R"(,cache="mm"} 2.0)"));
  EXPECT_THAT(page, HasSubstr(R"(,cache="encoder"} 1.0)"));
  EXPECT_THAT(exchanged(port, get_text("/reset_mm_cache")), HasSubstr("\r\nallow: POST\r\n"));
}

TEST(endpoints, every_path_that_needs_the_model_refuses_an_empty_request) {
  test_server server;
  for (const char* path : {"/v1/completions", "/v1/chat/completions", "/v1/responses",
                           "/v1/audio/transcriptions", "/v1/audio/translations", "/v1/embeddings",
                           "/embeddings", "/pooling", "/rerank", "/v1/rerank", "/v2/rerank"}) {
    ASSERT_NE(find_endpoint(path), nullptr) << path;
    EXPECT_EQ(find_endpoint(path)->reply, nullptr) << path;
    EXPECT_THAT(exchanged(server.port(), post_text(path, "{}")),
                StartsWith("HTTP/1.1 400 Bad Request\r\n"))
        << path;
    EXPECT_THAT(exchanged(server.port(), get_text(path)),
                StartsWith("HTTP/1.1 405 Method Not Allowed\r\n"))
        << path;
  }
  EXPECT_EQ(metric(server.port(), "inferbench_simulator_refused_requests_total"), 22);
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
  EXPECT_EQ(body_of(exchanged(port, post_text("/v1/embeddings", R"({"input":3})"))),
            R"({"error":{"message":"input must be a text, a list of texts, token ids, or a list )"
            R"(of lists of token ids.","type":"BadRequestError","param":"input","code":400}})");
  EXPECT_THAT(exchanged(port, post_text("/v1/responses", R"({"input":"a"})",
                                        "Content-Type: text/plain\r\n")),
              HasSubstr("Unsupported Media Type: Only 'application/json' is allowed"));
  EXPECT_EQ(metric(port, "inferbench_simulator_refused_requests_total"), 5);
}

}  // namespace
}  // namespace inferbench::simulator
