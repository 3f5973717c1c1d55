#include "check/material.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "check/sample.hpp"
#include "check/streams.hpp"

namespace inferbench::check {

std::optional<std::string> taken_sample(player& one) {
  for (const named_sample& shape : all_shapes())
    if (one.open(shape.json)) return shape.json;
  return std::nullopt;
}

std::string takes_none(const player& one) {
  return "the codec takes no sample of the kit, of any shape: " +
         refusal(one.status(), one.error());
}

std::vector<recorded> recordings(const subject& s) {
  if (s.given().transcripts.empty()) return {};
  try {
    return transcripts_of(s.given().transcripts, s.given().id);
  } catch (const base::error&) {
    subject::skip("the recorded exchanges cannot be read: see the test codec-transcripts");
  }
}

namespace {

// Recorded answers that have the same options and the same sample.
struct way {
  recorded_options set_up;
  std::string sample;
  std::vector<recorded> all;  // empty: the kit's own answers
};

std::vector<way> ways_of(const subject& s) {
  std::vector<way> out;
  for (const recorded& one : recordings(s)) {
    if (one.heard.empty()) continue;
    const auto same = [&](const way& w) {
      return w.set_up.options == one.options && w.sample == one.sample &&
             (one.options.empty() || w.set_up.folder == one.folder);
    };
    auto at = std::ranges::find_if(out, same);
    if (at == out.end()) at = out.insert(at, {one, one.sample, {}});
    at->all.push_back(one);
  }
  const auto plain = [](const way& w) { return w.set_up.options.empty() && w.sample.empty(); };
  if (std::ranges::none_of(out, plain)) out.insert(out.begin(), way{});
  return out;
}

// An answer that was recorded message by message is framed here, in the way that the codec chooses.
answer answer_of(const recorded& from, player& one, const std::string& sample) {
  if (from.bytes) return from.from;
  answer out = from.from;
  const auto is_type = [](const auto& header) {
    return base::equal_no_case(header.first, "content-type");
  };
  if (std::ranges::none_of(out.headers, is_type))
    out.headers.insert(out.headers.begin(), streamed({}).headers.front());
  if (!one.open(sample) || !one.request() || !one.head(out)) return out;
  out.body = one.framed(from.messages);
  // Feeds the whole answer: only the test codec-close stops after the head.
  bool going = true;
  for (const auto& [event, data] : from.messages)
    going = going && one.message(event, data);
  if (going) one.end(out);
  return out;
}

// Calls `look` with the answers of one way. Returns an empty text, or the reason why this is not
// possible.
std::string show(subject& s, const host& on, const way& w, const std::function<bool()>& late,
                 const std::function<void(const material&)>& look) {
  std::vector<options::option_value> values;
  try {
    values = s.values(w.set_up);
  } catch (const skipped& e) {
    return e.why;
  } catch (const base::error& e) {
    return e.what();
  }
  instance_under_test instance(s, on, values);
  if (!instance) return "create refuses: see the test create";
  player one(s, instance);
  const std::optional<std::string> sample =
      w.sample.empty() ? taken_sample(one) : std::optional(w.sample);
  if (!sample) return takes_none(one);
  std::vector<answer> answers;
  for (const recorded& from : w.all)
    answers.push_back(answer_of(from, one, *sample));
  look({one, *sample, w.all.empty() ? minimal_answers() : answers, w.all, late});
  return {};
}

}  // namespace

void with_material(subject& s, const std::function<void(const material&)>& look) {
  const auto ways = ways_of(s);
  const host on({});
  bool any = false;
  std::string why;
  for (std::size_t i = 0; i < ways.size() && !s.full(); ++i) {
    const double part = 0.5 * static_cast<double>(i + 1) / static_cast<double>(ways.size());
    const std::string not_shown = show(s, on, ways[i], [&s, part] { return s.late(part); }, look);
    any = any || not_shown.empty();
    if (why.empty()) why = not_shown;
  }
  if (!any) subject::skip(why);
}

void judge_ends(subject& s, const recorder& heard, const std::string& when) {
  if (heard.ends() > 1)
    s.fail("the end of an answer is reported " + std::to_string(heard.ends()) + " times" + when,
           "call on_done or on_error once");
  else if (!heard.after_end().empty())
    s.fail("after the end of an answer the codec reports `" + heard.after_end() + "`" + when,
           "call nothing of ifb_events after on_done or on_error: the host ignores such calls");
  s.add(heard.odd());
}

std::string shown(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines)
    out += (out.empty() ? "" : " | ") + line;
  return out.empty() ? "nothing" : out.substr(0, 300);
}

}  // namespace inferbench::check
