// Reads the interleaved events of 20 answers with the OpenAI event reader. bench/event_reading runs
// this program and counts its instructions.
//
//   event_reading STREAM WAY PASSES      a pass reads 2,000 events
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "backends/openai_family/event.hpp"

namespace {

constexpr int answers = 20;
constexpr int events_each = 100;

/// A different number at each call, with as many digits as servers print for a double.
double real() {
  static std::mt19937 random(1);
  return static_cast<double>(random() % 1'000'000 + 1) / 77'777.0;
}

/// An event of a completion in vLLM's format.
std::string text(int answer, int at, const std::string& logprobs = "null") {
  return fmt::format(
      R"({{"id":"cmpl-0123456789abc{}","object":"text_completion","created":1700000000,)"
      R"("model":"m","choices":[{{"index":0,"text":" tok{}","logprobs":{},)"
      R"("finish_reason":null,"stop_reason":null}}],"usage":null}})",
      100 + answer, at % 7, logprobs);
}

/// An event of a completion with --logprobs 3.
std::string logprobs(int answer, int at) {
  return text(answer, at,
              fmt::format(R"({{"text_offset":[{}],"token_logprobs":[-{}],"tokens":[" tok"],)"
                          R"("top_logprobs":[{{" tok":-{}," a":-{}," the":-{}}}]}})",
                          at * 5, real(), real(), real(), real()));
}

std::string chat_chunk(int answer, std::string_view rest) {
  return fmt::format(R"({{"id":"chatcmpl-0123456789abc{}","object":"chat.completion.chunk",)"
                     R"("created":1700000000,"model":"m",{}}})",
                     100 + answer, rest);
}

/// Event number `at` of a chat: first the role, then texts, then finish_reason, last the usage.
std::string chat(int answer, int at) {
  if (at == events_each - 1)
    return chat_chunk(answer, fmt::format(R"("choices":[],"usage":{{"prompt_tokens":{},)"
                                          R"("total_tokens":200,"completion_tokens":97}})",
                                          103 + answer));
  const bool last = at == events_each - 2;
  const std::string delta =
      at == 0 ? R"("role":"assistant","content":"")" : fmt::format(R"("content":" tok{}")", at % 7);
  return chat_chunk(answer, fmt::format(R"("choices":[{{"index":0,"delta":{{{}}},"logprobs":null,)"
                                        R"("finish_reason":{}}}])",
                                        delta, last ? R"("length")" : "null"));
}

/// An event with a piece of the arguments of a tool call.
std::string tool_call(int answer, int at) {
  return chat_chunk(answer,
                    fmt::format(R"("choices":[{{"index":0,"delta":{{"tool_calls":[{{"index":0,)"
                                R"("function":{{"arguments":"\"ab{}"}}}}]}},"logprobs":null,)"
                                R"("finish_reason":null}}])",
                                at % 9));
}

/// An event of a chat from llama.cpp's server with timings_per_token.
std::string timings(int answer, int at) {
  return chat_chunk(answer,
                    fmt::format(R"("choices":[{{"finish_reason":null,"index":0,)"
                                R"("delta":{{"content":" tok{}"}}}}],"timings":{{"prompt_n":11,)"
                                R"("prompt_ms":{},"predicted_n":{},"predicted_ms":{},)"
                                R"("predicted_per_second":{}}})",
                                at % 7, real(), at, real(), real()));
}

std::vector<std::string> events_of(std::string_view stream) {
  using writer = std::string (*)(int, int);
  const writer write = stream == "chat"        ? chat
                       : stream == "logprobs"  ? logprobs
                       : stream == "tool-call" ? tool_call
                       : stream == "timings"   ? timings
                                             : [](int answer, int at) { return text(answer, at); };
  std::vector<std::string> out;
  for (int at = 0; at < events_each; ++at)
    for (int answer = 0; answer < answers; ++answer)
      out.push_back(write(answer, at));
  return out;
}

bool read(openai::event_reader& reader, std::string_view way, const std::string& data) {
  openai::event out;
  if (way == "walk") return reader.read_quickly(data, out) == openai::verdict::read;
  if (way == "rapidjson") return reader.read_fully(data, out) == openai::verdict::read;
  return reader.read(data, out) == openai::verdict::read;
}

}  // namespace

int main(int count, char** words) {
  int passes = 0;
  const std::string_view number = count == 4 ? words[3] : "";
  std::from_chars(number.data(), number.data() + number.size(), passes);
  if (passes <= 0) {
    std::fprintf(stderr,
                 "usage: event_reading text|chat|logprobs|tool-call|timings "
                 "reader|walk|rapidjson PASSES\n");
    return 2;
  }
  const auto events = events_of(words[1]);
  openai::event_reader reader;
  for (; passes > 0; --passes)
    for (const auto& data : events)
      if (!read(reader, words[2], data)) {
        std::fprintf(stderr, "event_reading: cannot read %s\n", data.c_str());
        return 1;
      }
  return 0;
}
