#include "simulator/connection.hpp"

#include <string>
#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/simulator/raw_client.hpp"

namespace inferbench::simulator {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

TEST(connection, a_refused_request_ends_the_connection_after_its_answer) {
  options settings;
  settings.max_body_bytes = 100;
  test_server server(settings);
  raw_client large(server.port());
  large.send(post_text("/v1/completions", std::string(1'000'000, 'x')));
  const std::string answer = large.until_closed();
  EXPECT_THAT(answer, StartsWith("HTTP/1.1 413 Content Too Large\r\n"));
  EXPECT_THAT(answer, HasSubstr("\r\nconnection: close\r\n"));
  EXPECT_THAT(answer,
              EndsWith("\"message\":\"The request's body is too long; the limit is 100 bytes, see "
                       "--max-body-bytes.\",\"type\":"
                       "\"RequestTooLargeError\",\"param\":null,\"code\":413}}"));
  raw_client noise(server.port());
  noise.send("\x16\x03\x01 this is TLS\r\n\r\n");
  EXPECT_THAT(noise.until_closed(), StartsWith("HTTP/1.1 400 Bad Request\r\n"));
}

TEST(connection, the_message_of_a_refused_request_begins_with_a_capital_letter) {
  test_server server;
  for (const auto& [field, why] :
       {std::pair{"Content-Length: -1", "Content-Length is malformed."},
        std::pair{"Content-Length: 1\r\nTransfer-Encoding: chunked",
                  "Transfer-Encoding together with"},
        std::pair{"A: 1\r\nHost: b", "The request does not have exactly one"}}) {
    raw_client client(server.port());
    client.send("POST / HTTP/1.1\r\nHost: a\r\n" + std::string(field) + "\r\n\r\n");
    EXPECT_THAT(client.until_closed(), HasSubstr("{\"message\":\"" + std::string(why)));
  }
}

TEST(connection, a_connection_is_kept_for_the_next_request) {
  test_server server;
  raw_client client(server.port());
  for (int i = 0; i < 3; ++i) {
    client.send(post_text("/v1/completions", three_tokens(R"(,"stream":true})")));
    EXPECT_THAT(client.stream(), HasSubstr("[DONE]"));
    client.send(get_text("/health"));
    EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 200"));
  }
  EXPECT_EQ(metric(server.port(), "inferbench_simulator_connections_total"), 2);
}

TEST(connection, requests_sent_ahead_are_answered_in_turn) {
  test_server server;
  raw_client client(server.port());
  const std::string stream = post_text("/v1/completions", three_tokens(R"(,"stream":true})"));
  client.send(stream + get_text("/version") + stream + get_text("/health"));
  EXPECT_THAT(client.stream(), HasSubstr("\"finish_reason\":\"length\""));
  EXPECT_THAT(client.answer(), HasSubstr("\"version\""));
  EXPECT_THAT(client.stream(), HasSubstr("\"finish_reason\":\"length\""));
  EXPECT_THAT(client.answer(), EndsWith("content-length: 0\r\n\r\n"));
}

TEST(connection, connection_close_and_http_1_0_end_the_connection) {
  test_server server;
  raw_client asked(server.port());
  asked.send(
      post_text("/v1/completions", three_tokens(R"(,"stream":true})"), "Connection: close\r\n"));
  EXPECT_THAT(asked.until_closed(), EndsWith("data: [DONE]\n\n\r\n0\r\n\r\n"));
  raw_client old(server.port());
  const std::string body = three_tokens(R"(,"stream":true})");
  old.send("POST /v1/completions HTTP/1.0\r\nContent-Length: " + std::to_string(body.size()) +
           "\r\n\r\n" + body);
  const std::string answer = old.until_closed();
  EXPECT_THAT(answer, EndsWith("\n\ndata: [DONE]\n\n"));
  EXPECT_EQ(answer.find("chunked"), std::string::npos);
}

TEST(connection, a_client_that_expects_it_is_told_to_continue) {
  test_server server;
  raw_client client(server.port());
  client.send(
      "POST /tokenize HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"
      "Content-Length: 14\r\n\r\n");
  EXPECT_EQ(client.until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send(R"({"prompt":"a"})");
  EXPECT_THAT(client.answer(), HasSubstr("\"count\":1"));
}

TEST(connection, a_head_request_gets_no_body) {
  test_server server;
  raw_client client(server.port());
  client.send("HEAD /v1/models HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
  EXPECT_THAT(client.until_closed(), EndsWith("\r\n\r\n"));
}

}  // namespace
}  // namespace inferbench::simulator
