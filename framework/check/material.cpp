#include "check/material.hpp"

#include "check/sample.hpp"
#include "check/streams.hpp"
#include "check/transcripts.hpp"

namespace inferbench::check {

std::string taken_sample(player& one) {
  for (const named_sample& shape : all_shapes())
    if (one.open(shape.json)) return shape.json;
  subject::skip("it takes no sample of any shape that the kit has: " +
                refusal(one.status(), one.error()));
}

std::vector<answer> answers_for(subject& s) {
  std::vector<answer> out;
  if (!s.given().transcripts.empty()) {
    for (const recorded& one : transcripts_of(s.given().transcripts, s.given().id)) {
      if (one.heard.empty() || !one.options.empty() || !one.sample.empty()) continue;
      if (one.bytes) {
        out.push_back(one.from);
        continue;
      }
      std::string body;
      for (const auto& [event, data] : one.messages)
        body += as_event(event, data);
      answer stream = streamed(std::move(body));
      stream.headers.insert(stream.headers.end(), one.from.headers.begin(), one.from.headers.end());
      out.push_back(std::move(stream));
    }
  }
  return out.empty() ? minimal_answers() : out;
}

void judge_ends(subject& s, const recorder& heard, const std::string& when) {
  if (heard.ends() > 1)
    s.fail("the end of an answer is reported " + std::to_string(heard.ends()) + " times" + when,
           "call on_done or on_error once");
  else if (!heard.after_end().empty())
    s.fail("after the end of an answer it reports `" + heard.after_end() + "`" + when,
           "call nothing of ifb_events after on_done or on_error");
}

std::string shown(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines)
    out += (out.empty() ? "" : " | ") + line;
  return out.empty() ? "nothing" : out.substr(0, 300);
}

}  // namespace inferbench::check
