// Tests answers as bytes through the client: the cases are tests/fixtures/backends/answers.json.
// The result must not depend on how an answer is split into reads.
#include <cstdint>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "plugins/backends/live_backend.hpp"
#include "plugins/backends/sample_of.hpp"

namespace backends {
namespace {

using inferbench::client::exchange;
using inferbench::client::head_writer;
using inferbench::client::record;

rapidjson::Document cases() {
  std::ifstream in(INFERBENCH_FIXTURES "/backends/answers.json");
  std::stringstream text;
  text << in.rdbuf();
  rapidjson::Document out;
  out.Parse(text.str().c_str());
  EXPECT_FALSE(out.HasParseError());
  return out;
}

std::string text_of(const rapidjson::Value& json) {
  return {json.GetString(), json.GetStringLength()};
}

std::string text_of(const rapidjson::Value& json, const char* name, const char* otherwise) {
  return json.HasMember(name) ? text_of(json[name]) : otherwise;
}

/// An answer with its head. "framing" is "chunked" (one chunk for each piece), "length" (with
/// Content-Length), "close" (without a length) or "cut" (chunked, without the last chunk).
struct answer {
  std::string bytes;
  bool closes;

  explicit answer(const rapidjson::Value& json) {
    const std::string framing = text_of(json, "framing", "chunked");
    closes = framing == "close" || framing == "cut";
    std::string body;
    for (const auto& piece : json["body"].GetArray()) {
      const std::string text = text_of(piece);
      body += framing == "chunked" || framing == "cut"
                  ? fmt::format("{:x}\r\n{}\r\n", text.size(), text)
                  : text;
    }
    bytes = "HTTP/1.1 " + text_of(json, "status", "200 OK") +
            "\r\nContent-Type: " + text_of(json, "type", "text/event-stream; charset=utf-8") +
            "\r\n";
    if (json.HasMember("headers")) {
      for (const auto& line : json["headers"].GetArray())
        bytes += text_of(line) + "\r\n";
    }
    if (framing == "length")
      bytes += "Content-Length: " + std::to_string(body.size()) + "\r\n";
    else if (framing != "close")
      bytes += "Transfer-Encoding: chunked\r\n";
    bytes += "\r\n" + body + (framing == "chunked" ? "0\r\n\r\n" : "");
  }
};

std::vector<std::string> shown(const record& r) {
  const auto count = [](std::int64_t n) { return n < 0 ? " -" : " " + std::to_string(n); };
  std::vector<std::string> out = {"events " + std::to_string(r.tokens.size()),
                                  "text \"" + r.text + "\"",
                                  "usage" + count(r.prompt_tokens) + count(r.cached_tokens) +
                                      count(r.output_tokens) + count(r.reasoning_tokens)};
  for (const auto& [name, value] : r.attributes) {
    if (name != "reasoning" && name != "tool_call") out.push_back(name + " " + value);
  }
  out.push_back(r.ok() ? "done " + r.finish_reason
                       : "error " + std::to_string(r.status) + " " + r.error);
  return out;
}

/// Performs the requests of a case one after another.
class replay {
 public:
  explicit replay(const rapidjson::Value& json)
      : backend_(json["backend"].GetString(),
                 json.HasMember("options") ? json["options"]["extra-body"].GetString() : ""),
        answer_(json) {
    rapidjson::Document any;
    any.Parse(R"({"shape": "text", "prompt": ["hello"]})");
    sample_.emplace(json.HasMember("sample") ? json["sample"] : any);
  }

  /// `cuts`: the positions between two reads, ascending.
  std::vector<std::string> of(const std::vector<std::size_t>& cuts) {
    EXPECT_TRUE(work_.prepare(sample_->sample, 0, 1)) << work_.current().error;
    work_.start(2);
    work_.connected(3);
    work_.sent(4);
    auto going = exchange::progress::more;
    std::size_t from = 0;
    std::uint64_t stamp = 5;
    const auto read_to = [&](std::size_t to) {
      if (going == exchange::progress::more && to > from) {
        // A copy of the exact size, so that a sanitizer detects a read past the end.
        const std::vector<char> copy(answer_.bytes.begin() + static_cast<std::ptrdiff_t>(from),
                                     answer_.bytes.begin() + static_cast<std::ptrdiff_t>(to));
        going = work_.feed({copy.data(), copy.size()}, stamp++);
      }
      from = to;
    };
    for (const std::size_t cut : cuts)
      read_to(cut);
    read_to(answer_.bytes.size());
    if (answer_.closes && going == exchange::progress::more) going = work_.eof(stamp);
    EXPECT_EQ(going, exchange::progress::done);
    return shown(work_.finish());
  }
  [[nodiscard]] std::size_t size() const { return answer_.bytes.size(); }

 private:
  live_backend backend_;
  head_writer heads_{backend_.shared};
  exchange work_{backend_.shared, heads_};
  answer answer_;
  std::optional<sample_of> sample_;
};

std::vector<std::string> expected(const rapidjson::Value& json) {
  std::vector<std::string> out;
  for (const auto& line : json["heard"].GetArray())
    out.push_back(text_of(line));
  return out;
}

TEST(answers, in_one_read_give_the_recorded_reports) {
  const auto all = cases();
  ASSERT_GT(all.Size(), 30U);
  for (const auto& c : all.GetArray()) {
    SCOPED_TRACE(c["name"].GetString());
    EXPECT_EQ(replay(c).of({}), expected(c));
  }
}

TEST(answers, are_the_same_byte_by_byte) {
  const auto all = cases();
  for (const auto& c : all.GetArray()) {
    SCOPED_TRACE(c["name"].GetString());
    replay one(c);
    std::vector<std::size_t> everywhere;
    for (std::size_t at = 1; at < one.size(); ++at)
      everywhere.push_back(at);
    EXPECT_EQ(one.of(everywhere), expected(c));
  }
}

TEST(answers, are_the_same_in_any_two_reads) {
  const auto all = cases();
  for (const auto& c : all.GetArray()) {
    SCOPED_TRACE(c["name"].GetString());
    replay one(c);
    for (std::size_t at = 1; at < one.size(); ++at)
      ASSERT_EQ(one.of({at}), expected(c)) << at;
  }
}

TEST(answers, are_the_same_cut_at_random) {
  std::mt19937 random(1);
  const auto all = cases();
  for (const auto& c : all.GetArray()) {
    SCOPED_TRACE(c["name"].GetString());
    replay one(c);
    for (int i = 0; i < 100; ++i) {
      std::vector<std::size_t> cuts;
      for (std::size_t at = 0; (at += 1 + random() % 60) < one.size();)
        cuts.push_back(at);
      ASSERT_EQ(one.of(cuts), expected(c));
    }
  }
}

// Acceptance check 1 of the specification, for all kinds of streams.
TEST(stamps, exist_only_for_token_events) {
  const std::pair<const char*, std::vector<std::string>> streams[] = {
      {"openai",
       {R"({"choices":[{"text":"a"}]})", R"({"choices":[{"text":"b"}]})",
        R"({"choices":[{"text":"c"}]})", R"({"choices":[{"text":"d"}]})",
        R"({"choices":[{"text":"e"}]})",
        R"({"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":5}})", "[DONE]"}},
      {"openai-chat",
       {R"({"choices":[{"delta":{"role":"assistant"}}]})",
        R"({"choices":[{"delta":{"content":"a"}}]})",
        R"({"choices":[{"delta":{"reasoning":"b"}}]})",
        R"({"choices":[{"delta":{"content":"c"}}]})",
        R"({"choices":[{"delta":{},"finish_reason":"stop"}]})",
        R"({"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":5}})", "[DONE]"}},
      {"openai-responses",
       {R"({"type":"response.reasoning_text.delta","delta":"a"})",
        R"({"type":"response.output_text.delta","delta":"b"})",
        R"({"type":"response.output_text.delta","delta":"c"})",
        R"({"type":"response.output_text.delta","delta":"d"})",
        R"({"type":"response.output_text.delta","delta":"e"})",
        R"({"type":"response.completed","response":{"usage":{"input_tokens":3,"output_tokens":5}}})"}},
  };
  for (const auto& [id, events] : streams) {
    SCOPED_TRACE(id);
    live_backend backend(id, "");
    head_writer heads(backend.shared);
    exchange work(backend.shared, heads);
    rapidjson::Document any;
    any.Parse(R"({"shape": "text", "prompt": ["hello"]})");
    const sample_of sample(any);
    ASSERT_TRUE(work.prepare(sample.sample, 0, 1));
    work.start(1000);
    std::uint64_t at = 2000;
    ASSERT_EQ(work.feed("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n", at),
              exchange::progress::more);
    // Head, preamble and comments have no stamps.
    const bool preamble = std::string_view(id) == "openai-responses";
    ASSERT_EQ(
        work.feed(preamble ? ": ping\n\ndata: {\"type\":\"response.created\"}\n\n" : ": ping\n\n",
                  at += 500),
        exchange::progress::more);
    for (const auto& event : events)
      ASSERT_EQ(work.feed("data: " + event + "\n\n", at += 500), exchange::progress::more);
    ASSERT_EQ(work.eof(at += 500), exchange::progress::done);
    const record r = work.finish();
    EXPECT_TRUE(r.ok()) << r.error;
    EXPECT_EQ(r.prompt_tokens, 3);
    EXPECT_EQ(r.output_tokens, 5);
    EXPECT_EQ(r.tokens.absolute(), (std::vector<std::uint64_t>{3000, 3500, 4000, 4500, 5000}));
    EXPECT_GT(r.end_ns, 5000U);
  }
}

}  // namespace
}  // namespace backends
