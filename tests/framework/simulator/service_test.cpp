#include "simulator/service.hpp"

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"
#include "base/text.hpp"
#include "framework/simulator/raw_client.hpp"
#include "framework/simulator/sound_form.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::simulator {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// The recorded files contain \r instead of a carriage return, which an editor could remove.
std::string recorded(const std::string& name) {
  std::string out;
  const std::string text = base::read_file(INFERBENCH_FIXTURES "/simulator/" + name);
  for (const auto line : base::split(text, '\n')) {
    if (!out.empty()) out += '\n';
    const bool marked = line.ends_with("\\r");
    out.append(line.substr(0, line.size() - (marked ? 2 : 0)));
    if (marked) out += '\r';
  }
  return out;
}

class ground_truth_file {
 public:
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::vector<rapidjson::Document> lines() const {
    std::vector<rapidjson::Document> out;
    const std::string text = base::read_file(path_);
    for (const auto line : base::split(text, '\n'))
      if (!line.empty()) out.push_back(base::parse_json(line, path_));
    return out;
  }

 private:
  support::temporary_folder files_;
  std::string path_ = files_.path("truth.jsonl");
};

TEST(service, a_completion_stream_is_as_recorded) {
  test_server server;
  EXPECT_EQ(
      exchanged(
          server.port(),
          post_text("/v1/completions",
                    three_tokens(R"(,"stream":true,"stream_options":{"include_usage":true}})"),
                    "X-Request-Id: bench-1\r\n"),
          true),
      recorded("completion_stream.txt"));
}

TEST(service, a_chat_stream_is_as_recorded) {
  test_server server;
  EXPECT_EQ(exchanged(server.port(),
                      post_text("/v1/chat/completions",
                                R"({"model":"m","messages":[{"role":"user","content":"Hello"}],)"
                                R"("max_completion_tokens":3,"ignore_eos":true,"stream":true,)"
                                R"("stream_options":{"include_usage":true}})"),
                      true),
            recorded("chat_stream.txt"));
}

TEST(service, answers_that_are_not_streamed_are_as_recorded) {
  test_server server;
  EXPECT_EQ(exchanged(server.port(), post_text("/v1/completions", three_tokens("}"))),
            recorded("completion.txt"));
  EXPECT_EQ(exchanged(server.port(), post_text("/v1/chat/completions",
                                               R"({"messages":[{"role":"user","content":"Hello"}],)"
                                               R"("max_tokens":3,"ignore_eos":true})")),
            recorded("chat.txt"));
}

/// A request with the id bench-1.
std::string as_bench_1(std::string_view path, std::string_view body,
                       std::string_view type = "application/json") {
  return post_text(path, body,
                   "X-Request-Id: bench-1\r\nContent-Type: " + std::string(type) + "\r\n");
}

TEST(service, a_response_is_as_recorded) {
  const std::string body =
      R"({"model":"m","input":"Once upon a time in","max_output_tokens":3,"ignore_eos":true,)"
      R"("store":false)";
  test_server first;
  EXPECT_EQ(exchanged(first.port(), as_bench_1("/v1/responses", body + R"(,"stream":true})"), true),
            recorded("response_stream.txt"));
  test_server second;  // the first server has the prompt in its cache
  EXPECT_EQ(exchanged(second.port(), as_bench_1("/v1/responses", body + "}")),
            recorded("response.txt"));
}

TEST(service, transcriptions_and_translations_are_as_recorded) {
  test_server server;
  form_texts texts{{"model", "m"},
                   {"max_completion_tokens", "3"},
                   {"language", "en"},
                   {"ignore_eos", "True"},
                   {"prompt", "ab"}};
  const auto ask = [&](const char* path, bool streamed) {
    return exchanged(server.port(), as_bench_1(path, form_with(silence(1.5), texts), form_type),
                     streamed);
  };
  EXPECT_EQ(ask("/v1/audio/transcriptions", false), recorded("transcription.txt"));
  EXPECT_EQ(ask("/v1/audio/translations", false), recorded("translation.txt"));
  texts.emplace_back("stream", "True");
  EXPECT_EQ(ask("/v1/audio/translations", true), recorded("translation_stream.txt"));
  texts.emplace_back("stream_include_usage", "True");
  texts.emplace_back("stream_continuous_usage_stats", "True");
  EXPECT_EQ(ask("/v1/audio/transcriptions", true), recorded("transcription_stream.txt"));
  EXPECT_EQ(metric(server.port(), "vllm:prompt_tokens_total"), 4 * 152);
  EXPECT_EQ(metric(server.port(), "vllm:prefix_cache_queries_total"), 0) << "not for sounds";
}

TEST(service, vectors_and_ranks_are_as_recorded) {
  test_server server;
  const auto port = server.port();
  const std::string inputs = R"({"model":"m","input":["abc","de"],"dimensions":3})";
  for (const char* path : {"/v1/embeddings", "/embeddings"})
    EXPECT_EQ(exchanged(port, as_bench_1(path, inputs)), recorded("embeddings.txt"));
  EXPECT_EQ(exchanged(port, as_bench_1("/pooling", inputs)), recorded("pooling.txt"));
  for (const char* path : {"/rerank", "/v1/rerank", "/v2/rerank"})
    EXPECT_EQ(
        exchanged(port, as_bench_1(path, R"({"model":"m","query":"hi","documents":["abc","de"]})")),
        recorded("rerank.txt"))
        << path;
}

TEST(service, vectors_may_come_as_bytes_with_their_usage_in_the_head) {
  options settings;
  settings.embedding_size = 100;
  test_server server(settings);
  const std::string answer =
      exchanged(server.port(),
                post_text("/v1/embeddings", R"({"input":[[1,2],[3]],"encoding_format":"bytes"})"));
  EXPECT_THAT(answer, HasSubstr("\r\ncontent-type: application/octet-stream\r\n"));
  EXPECT_THAT(answer, HasSubstr(R"("usage":{"prompt_tokens":3,"total_tokens":3}})"
                                "\r\ncontent-length: 800\r\n"));
  EXPECT_EQ(body_of(answer).size(), 800U);
}

TEST(service, usage_is_streamed_only_when_asked_for) {
  test_server server;
  const std::string stream = exchanged(
      server.port(), post_text("/v1/completions", three_tokens(R"(,"stream":true})")), true);
  EXPECT_EQ(occurrences(stream, "\"usage\""), 0U);
  EXPECT_EQ(occurrences(stream, "\"choices\":[{"), 3U);
}

TEST(service, an_answer_depends_on_its_request_id_and_not_on_earlier_requests) {
  test_server first;
  test_server second;
  const auto ask = [](test_server& server, const std::string& id) {
    return exchanged(
        server.port(),
        post_text("/v1/completions", R"({"prompt":"a","max_tokens":100,"stream":true})",
                  "x-request-id: " + id + "\r\n"),
        true);
  };
  const std::string a = ask(first, "a");
  const std::string b = ask(first, "b");
  EXPECT_EQ(ask(second, "b"), b);
  EXPECT_EQ(ask(second, "a"), a);
  EXPECT_NE(occurrences(a, "data: "), occurrences(b, "data: ")) << "lengths are drawn";
}

TEST(service, events_may_carry_several_tokens) {
  options settings;
  settings.tokens_per_event = 4;
  test_server server(settings);
  const std::string stream = exchanged(
      server.port(),
      post_text("/v1/completions", R"({"prompt":"a","max_tokens":10,"ignore_eos":true,)"
                                   R"("stream":true,"stream_options":{"include_usage":true}})"),
      true);
  EXPECT_EQ(occurrences(stream, "\"choices\":[{"), 3U);
  EXPECT_THAT(stream, HasSubstr("\"completion_tokens\":10"));
}

TEST(service, coalescing_changes_no_byte_of_the_body) {
  options settings;
  test_server apart(settings);
  settings.coalesce = true;
  test_server together(settings);
  const std::string request = post_text(
      "/v1/chat/completions", R"({"messages":[{"role":"user","content":"a"}],"max_tokens":2000,)"
                              R"("ignore_eos":true,"stream":true})");
  const std::string expected = exchanged(apart.port(), request, true);
  EXPECT_EQ(occurrences(expected, "\"choices\":[{"), 2001U);
  EXPECT_EQ(exchanged(together.port(), request, true), expected);
}

TEST(service, the_ground_truth_holds_plan_and_deed_of_every_event) {
  const ground_truth_file file;
  options settings;
  settings.ttft = parse_delays("3ms", "");
  settings.itl = parse_delays("1ms", "");
  settings.ground_truth = file.path();
  const base::monotonic_clock clock;
  const std::uint64_t before = clock.now();
  {
    test_server server(settings, true);
    exchanged(server.port(),
              post_text("/v1/completions",
                        R"({"prompt":"abc","max_tokens":5,"ignore_eos":true,)"
                        R"("stream":true})",
                        "x-request-id: r-1\r\n"),
              true);
    exchanged(server.port(), post_text("/v1/completions", three_tokens("}")));
  }
  const std::uint64_t after = clock.now();
  const auto lines = file.lines();
  ASSERT_EQ(lines.size(), 2U);
  const auto& line = lines[0];
  EXPECT_STREQ(line["request_id"].GetString(), "r-1");
  EXPECT_STREQ(line["path"].GetString(), "/v1/completions");
  EXPECT_STREQ(line["outcome"].GetString(), "finished");
  EXPECT_EQ(line["prompt_tokens"].GetInt(), 3);
  EXPECT_EQ(line["output_tokens"].GetInt(), 5);
  const std::uint64_t received = line["received_ns"].GetUint64();
  EXPECT_GE(received, before);
  EXPECT_EQ(line["admitted_ns"].GetUint64(), received) << "nothing to wait for";
  EXPECT_GE(line["first_byte_ns"].GetUint64(), received);
  const auto& planned = line["planned_ns"];
  const auto& events = line["event_ns"];
  const auto& written = line["written_ns"];
  ASSERT_EQ(written.Size(), events.Size());
  ASSERT_EQ(planned.Size(), 5U);
  ASSERT_EQ(events.Size(), 5U);
  for (rapidjson::SizeType i = 0; i < 5; ++i) {
    EXPECT_EQ(planned[i].GetUint64(), received + 3'000'000 + i * 1'000'000) << "absolute, no drift";
    EXPECT_GE(events[i].GetUint64(), planned[i].GetUint64());
    EXPECT_GE(written[i].GetUint64(), events[i].GetUint64());
  }
  EXPECT_EQ(line["end_ns"].GetUint64(), events[4].GetUint64());
  EXPECT_LE(line["end_ns"].GetUint64(), after);

  EXPECT_STREQ(lines[1]["request_id"].GetString(), "sim-1");
  ASSERT_EQ(lines[1]["event_ns"].Size(), 1U) << "not streamed: one write";
  EXPECT_EQ(lines[1]["planned_ns"][0].GetUint64(), lines[1]["received_ns"].GetUint64() + 5'000'000);
}

TEST(service, delays_that_grow_count_the_answers_of_other_connections) {
  const ground_truth_file file;
  options settings;
  settings.ttft = parse_delays("3ms + 1ms*active", "");
  settings.itl = parse_delays("1ms + 2ms*active", "");
  settings.ground_truth = file.path();
  {
    test_server server(settings, true);
    raw_client long_answer(server.port());  // it runs until the server ends
    long_answer.send(post_text("/v1/completions",
                               R"({"prompt":"a","max_tokens":100000,"ignore_eos":true,)"
                               R"("stream":true})"));
    EXPECT_THAT(long_answer.until("\r\n\r\n"), StartsWith("HTTP/1.1 200 OK"));
    exchanged(server.port(),
              post_text("/v1/completions", three_tokens(R"(,"stream":true})"),
                        "x-request-id: second\r\n"),
              true);
  }
  const auto lines = file.lines();
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_STREQ(lines[0]["request_id"].GetString(), "second");
  const auto& planned = lines[0]["planned_ns"];
  ASSERT_EQ(planned.Size(), 3U);
  for (rapidjson::SizeType i = 0; i < 3; ++i)
    EXPECT_EQ(planned[i].GetUint64(),
              lines[0]["admitted_ns"].GetUint64() + 5'000'000 + i * 5'000'000);
}

TEST(service, an_answer_without_text_is_one_event_that_is_due_like_a_first_token) {
  const ground_truth_file file;
  options settings;
  settings.ttft = parse_delays("3ms", "");
  settings.itl = parse_delays("10s", "");
  settings.max_num_seqs = 1;
  settings.ground_truth = file.path();
  {
    test_server server(settings, true);
    std::vector<std::unique_ptr<raw_client>> clients;
    for (const char* path : {"/v1/embeddings", "/pooling"})
      clients.emplace_back(std::make_unique<raw_client>(server.port()))
          ->send(post_text(path, R"({"input":["abc","de"]})"));
    clients.emplace_back(std::make_unique<raw_client>(server.port()))
        ->send(post_text("/rerank", R"({"query":"q","documents":["a"]})"));
    for (auto& client : clients)
      EXPECT_THAT(client->answer(), StartsWith("HTTP/1.1 200 OK\r\n"));
  }
  const auto lines = file.lines();
  ASSERT_EQ(lines.size(), 3U);
  for (rapidjson::SizeType i = 0; i < 3; ++i) {
    const auto& line = lines[i];
    EXPECT_FALSE(line["streamed"].GetBool());
    EXPECT_STREQ(line["outcome"].GetString(), "finished");
    EXPECT_EQ(line["output_tokens"].GetInt(), 0);
    ASSERT_EQ(line["event_ns"].Size(), 1U);
    EXPECT_EQ(line["planned_ns"][0].GetUint64(), line["admitted_ns"].GetUint64() + 3'000'000);
    EXPECT_GE(line["event_ns"][0].GetUint64(), line["planned_ns"][0].GetUint64());
    EXPECT_GE(line["written_ns"][0].GetUint64(), line["event_ns"][0].GetUint64());
    if (i == 0) continue;
    EXPECT_GE(line["admitted_ns"].GetUint64(), lines[i - 1]["end_ns"].GetUint64()) << "one at once";
  }
}

TEST(service, a_whole_answer_ends_when_the_client_has_taken_its_last_byte) {
  const ground_truth_file file;
  options settings;
  settings.ground_truth = file.path();
  const base::monotonic_clock clock;
  std::uint64_t began_to_read = 0;
  {
    test_server server(settings);
    raw_client slow(server.port(), 4096);
    // A body of about 8 MB, which does not fit into the buffers of the sockets.
    slow.send(post_text("/v1/embeddings", R"({"input":"a","dimensions":600000})"));
    slow.until("\r\n\r\n");
    EXPECT_EQ(metric(server.port(), "vllm:num_requests_running"), 1) << "it still waits";
    began_to_read = clock.now();
    EXPECT_THAT(slow.until("null}}"), HasSubstr("\"total_tokens\":1,"));
    slow.send(post_text("/tokenize", R"({"prompt":"ab"})"));
    EXPECT_THAT(slow.answer(), HasSubstr("\"count\":2")) << "the connection can be used again";
  }
  const auto lines = file.lines();
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_STREQ(lines[0]["outcome"].GetString(), "finished");
  EXPECT_LT(lines[0]["event_ns"][0].GetUint64(), began_to_read);
  EXPECT_GT(lines[0]["written_ns"][0].GetUint64(), began_to_read);
}

TEST(service, a_client_that_leaves_a_whole_answer_unread_aborts_it) {
  const ground_truth_file file;
  options settings;
  settings.max_num_seqs = 1;
  settings.ground_truth = file.path();
  {
    test_server server(settings);
    raw_client leaving(server.port(), 4096);
    leaving.send(post_text("/v1/embeddings", R"({"input":"a","dimensions":600000})"));
    leaving.until("\r\n\r\n");
    raw_client next(server.port());
    next.send(post_text("/v1/embeddings", R"({"input":"a","dimensions":1})"));
    leaving.leave();
    EXPECT_THAT(next.answer(), StartsWith("HTTP/1.1 200 OK\r\n")) << "its turn has come";
  }
  const auto lines = file.lines();
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_STREQ(lines[0]["outcome"].GetString(), "aborted");
  EXPECT_EQ(lines[0]["written_ns"].Size(), lines[0]["event_ns"].Size());
  EXPECT_STREQ(lines[1]["outcome"].GetString(), "finished");
}

TEST(service, requests_beyond_the_cap_wait_in_order) {
  const ground_truth_file file;
  options settings;
  settings.ttft = parse_delays("200ms", "");  // usually enough to send all requests
  settings.itl = parse_delays("1ms", "");
  settings.max_num_seqs = 1;
  settings.ground_truth = file.path();
  {
    test_server server(settings, true);
    std::vector<std::unique_ptr<raw_client>> clients;
    for (int i = 0; i < 4; ++i) {
      auto& client = *clients.emplace_back(std::make_unique<raw_client>(server.port()));
      client.send(post_text("/v1/completions", three_tokens(R"(,"stream":true})"),
                            "x-request-id: r" + std::to_string(i) + "\r\n"));
      // The server sends the head as soon as it has the request, so the next request is queued
      // later.
      EXPECT_THAT(client.until("\r\n\r\n"), StartsWith("HTTP/1.1 200 OK"));
    }
    for (auto& client : clients)
      EXPECT_THAT(client->stream(), HasSubstr("[DONE]"));
  }
  const auto lines = file.lines();
  ASSERT_EQ(lines.size(), 4U);
  for (rapidjson::SizeType i = 0; i < 4; ++i) {
    EXPECT_EQ(lines[i]["request_id"].GetString(), std::string(1, 'r').append(std::to_string(i)));
    EXPECT_EQ(lines[i]["planned_ns"][0].GetUint64(),
              lines[i]["admitted_ns"].GetUint64() + 200'000'000);
    if (i == 0) continue;
    EXPECT_EQ(lines[i]["admitted_ns"].GetUint64(),
              std::max(lines[i]["received_ns"].GetUint64(), lines[i - 1]["end_ns"].GetUint64()));
  }
}

TEST(service, a_client_that_leaves_frees_its_place) {
  const ground_truth_file file;
  options settings;
  settings.ttft = parse_delays("1us", "");
  settings.itl = parse_delays("10s", "");
  settings.max_num_seqs = 1;
  settings.ground_truth = file.path();
  {
    test_server server(settings, true);
    raw_client leaving(server.port());
    leaving.send(post_text("/v1/completions", three_tokens(R"(,"stream":true})")));
    EXPECT_THAT(leaving.until("\n\n"), HasSubstr("data: "));
    raw_client queued(server.port());
    queued.send(post_text("/v1/completions", three_tokens(R"(,"stream":true})")));
    queued.until("\r\n\r\n");
    EXPECT_EQ(metric(server.port(), "vllm:num_requests_running"), 1);
    EXPECT_EQ(metric(server.port(), "vllm:num_requests_waiting"), 1);
    leaving.leave();
    EXPECT_THAT(queued.until("\n\n"), HasSubstr("data: ")) << "its turn has come";
    EXPECT_EQ(metric(server.port(), "vllm:num_requests_waiting"), 0);
  }
  const auto lines = file.lines();
  ASSERT_EQ(lines.size(), 2U);
  for (const auto& line : lines) {
    EXPECT_STREQ(line["outcome"].GetString(), "aborted") << "the second one by stop()";
    EXPECT_EQ(line["event_ns"].Size(), 1U);
    EXPECT_EQ(line["output_tokens"].GetInt(), 1);
  }
}

TEST(service, a_client_that_does_not_read_stops_its_own_stream_only) {
  test_server server;
  raw_client slow(server.port(), 4096);
  slow.send(post_text("/v1/completions", R"({"prompt":"a","max_tokens":120000,"ignore_eos":true,)"
                                         R"("stream":true})"));
  slow.until("\r\n\r\n");
  const auto events = [&] { return metric(server.port(), "inferbench_simulator_events_total"); };
  double before = events();
  for (double now = events(); now != before; now = events())
    before = now;
  EXPECT_GT(before, 0);
  EXPECT_LT(before, 120000) << "20 MB do not fit into the sockets' buffers";
  EXPECT_EQ(
      occurrences(exchanged(server.port(),
                            post_text("/v1/completions", three_tokens(R"(,"stream":true})")), true),
                  "\"choices\":[{"),
      3U);
  EXPECT_EQ(occurrences(slow.stream(), "\"choices\":[{"), 120000U);
  EXPECT_EQ(events(), 120003);
  EXPECT_GT(metric(server.port(), "inferbench_simulator_stalled_events_total"), 0);
}

TEST(service, metrics_count_tokens_and_cache_hits) {
  test_server server;
  const auto port = server.port();
  const std::string request =
      post_text("/v1/completions", R"({"prompt":")" + std::string(40, 'p') +
                                       R"(","max_tokens":5,"ignore_eos":true,"stream":true})");
  exchanged(port, request, true);
  EXPECT_EQ(metric(port, "vllm:prefix_cache_hits_total"), 0);
  exchanged(port, request, true);
  EXPECT_EQ(metric(port, "vllm:prompt_tokens_total"), 80);
  EXPECT_EQ(metric(port, "vllm:generation_tokens_total"), 10);
  EXPECT_EQ(metric(port, "vllm:prefix_cache_queries_total"), 80);
  EXPECT_EQ(metric(port, "vllm:prefix_cache_hits_total"), 32);
  EXPECT_EQ(metric(port, "vllm:num_requests_running"), 0);
  exchanged(port, post_text("/reset_prefix_cache", ""));
  exchanged(port, request, true);
  EXPECT_EQ(metric(port, "vllm:prefix_cache_hits_total"), 32);
  const std::string prompt(40, 'p');
  exchanged(port,
            post_text("/v1/responses", R"({"max_output_tokens":1,"input":")" + prompt + "\"}"));
  exchanged(port, post_text("/v1/embeddings", R"({"input":[")" + prompt + R"(","a"]})"));
  EXPECT_EQ(metric(port, "vllm:prompt_tokens_total"), 3 * 40 + 40 + 41);
  EXPECT_EQ(metric(port, "vllm:prefix_cache_queries_total"), 3 * 40 + 40 + 41);
  EXPECT_EQ(metric(port, "vllm:prefix_cache_hits_total"), 32 + 32 + 32);
  EXPECT_EQ(metric(port, "inferbench_simulator_lateness_seconds_count"), 5)
      << "without pace only the first event of each has a time to be late for";
}

TEST(service, hundreds_of_streams_at_once_are_all_complete) {
  options settings;
  settings.ttft = parse_delays("uniform(0,2ms)", "");
  settings.itl = parse_delays("lognormal(200us,0.5)", "");
  test_server server(settings, true);
  std::vector<std::unique_ptr<raw_client>> clients;
  for (int i = 0; i < 200; ++i) {
    clients.emplace_back(std::make_unique<raw_client>(server.port()))
        ->send(post_text("/v1/completions",
                         R"({"prompt":"a","max_tokens":20,"ignore_eos":true,"stream":true})"));
  }
  for (auto& client : clients)
    EXPECT_EQ(occurrences(client->stream(), "\"choices\":[{"), 20U);
  EXPECT_EQ(metric(server.port(), "inferbench_simulator_events_total"), 4000);
}

}  // namespace
}  // namespace inferbench::simulator
