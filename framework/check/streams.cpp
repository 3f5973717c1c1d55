#include "check/streams.hpp"

#include "base/text.hpp"

namespace inferbench::check {

std::string as_event(std::string_view event, std::string_view data) {
  std::string out;
  if (!event.empty()) out = "event: " + std::string(event) + "\n";
  for (const std::string_view line : base::split(data, '\n'))
    out += "data: " + std::string(line) + "\n";
  return out + "\n";
}

const std::vector<answer>& minimal_answers() {
  static const std::vector<answer> all = [] {
    const char* const usage =
        R"({"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":2,"total_tokens":5}})";
    std::vector<answer> out;
    out.push_back(streamed(
        as_event({}, R"({"choices":[{"index":0,"text":"Hel","finish_reason":null}]})") +
        as_event({}, R"({"choices":[{"index":0,"text":"lo \u4e2d\n","finish_reason":"stop"}]})") +
        as_event({}, usage) + as_event({}, "[DONE]")));
    out.push_back(streamed(
        as_event({}, R"({"choices":[{"index":0,"delta":{"role":"assistant","content":""}}]})") +
        as_event({}, R"({"choices":[{"index":0,"delta":{"content":"Hello"}}]})") +
        as_event({}, R"({"choices":[{"index":0,"delta":{},"finish_reason":"length"}]})") +
        as_event({}, usage) + as_event({}, "[DONE]")));
    out.push_back(
        streamed(as_event("response.output_text.delta",
                          R"({"type":"response.output_text.delta","delta":"Hello"})") +
                 as_event("response.completed",
                          R"({"type":"response.completed","response":{"status":"completed",)"
                          R"("usage":{"input_tokens":3,"output_tokens":2}}})")));
    out.push_back({.status = 200,
                   .headers = {{"Content-Type", "application/json"}},
                   .body = R"({"object":"list","data":[{"index":0,"embedding":[0.5,-1]}],)"
                           R"("results":[{"index":0,"relevance_score":0.5}],)"
                           R"("choices":[{"index":0,"text":"Hello","finish_reason":"stop"}],)"
                           R"("usage":{"prompt_tokens":3,"completion_tokens":0}})"});
    return out;
  }();
  return all;
}

}  // namespace inferbench::check
