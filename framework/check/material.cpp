#include "check/material.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

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

namespace {

struct way {
  std::vector<std::pair<std::string, std::string>> options;
  std::filesystem::path folder;
  std::string sample;
  std::vector<answer> answers;
};

answer answer_of(const recorded& one) {
  if (one.bytes) return one.from;
  std::string body;
  for (const auto& [event, data] : one.messages)
    body += as_event(event, data);
  answer stream = streamed(std::move(body));
  stream.headers.insert(stream.headers.end(), one.from.headers.begin(), one.from.headers.end());
  return stream;
}

std::vector<way> ways_of(const subject& s) {
  std::vector<way> out;
  if (!s.given().transcripts.empty())
    for (const recorded& one : transcripts_of(s.given().transcripts, s.given().id)) {
      if (one.heard.empty()) continue;
      const auto same = [&](const way& w) {
        return w.options == one.options && w.sample == one.sample &&
               (w.options.empty() || w.folder == one.folder);
      };
      auto at = std::ranges::find_if(out, same);
      if (at == out.end()) at = out.insert(at, {one.options, one.folder, one.sample, {}});
      at->answers.push_back(answer_of(one));
    }
  const auto plain = [](const way& w) { return w.options.empty() && w.sample.empty(); };
  if (std::ranges::none_of(out, plain)) out.insert(out.begin(), {{}, {}, {}, minimal_answers()});
  return out;
}

}  // namespace

void with_material(subject& s, const std::function<void(const material&)>& look) {
  const auto ways = ways_of(s);
  const host on({});
  bool any = false;
  std::string why;
  for (std::size_t i = 0; i < ways.size() && !s.full(); ++i) {
    made instance(s, on, s.values(ways[i].options, ways[i].folder));
    // Who refuses what a recording says is told so by the test codec-transcripts.
    if (!instance && !ways[i].options.empty()) continue;
    need(instance);
    player one(s, instance);
    std::string sample = ways[i].sample;
    for (const named_sample& shape : all_shapes())
      if (sample.empty() && one.open(shape.json)) sample = shape.json;
    if (sample.empty()) {
      why = refusal(one.status(), one.error());
      continue;
    }
    any = true;
    const double part = 0.5 * static_cast<double>(i + 1) / static_cast<double>(ways.size());
    look({one, sample, ways[i].answers, [&s, part] { return s.late(part); }});
  }
  if (!any) subject::skip("it takes no sample of any shape that the kit has: " + why);
}

void judge_ends(subject& s, const recorder& heard, const std::string& when) {
  if (heard.ends() > 1)
    s.fail("the end of an answer is reported " + std::to_string(heard.ends()) + " times" + when,
           "call on_done or on_error once");
  else if (!heard.after_end().empty())
    s.fail("after the end of an answer it reports `" + heard.after_end() + "`" + when,
           "call nothing of ifb_events after on_done or on_error");
  if (!heard.odd().empty()) s.fail(heard.odd(), "set struct_size to the size of the struct (R3)");
}

std::string shown(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines)
    out += (out.empty() ? "" : " | ") + line;
  return out.empty() ? "nothing" : out.substr(0, 300);
}

}  // namespace inferbench::check
