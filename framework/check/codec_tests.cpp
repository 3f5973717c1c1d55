// Tests of codecs: their requests, and what they report about well-formed answers.
#include <algorithm>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "check/exercise.hpp"
#include "check/material.hpp"
#include "check/player.hpp"
#include "check/replay.hpp"
#include "check/sample.hpp"
#include "check/test.hpp"
#include "check/transcripts.hpp"

namespace inferbench::check {

namespace {

// Makes a request for each shape of prompt. The plugin has the options of --set, but not the
// options of a recording.
void check_shapes(subject& s, const host& on) {
  instance_under_test instance(s, on, s.values());
  need(instance);
  player one(s, instance);
  one.judge();
  bool any = false;
  for (const named_sample& shape : all_shapes()) {
    if (!one.open(shape.json)) continue;
    any = true;
    if (!one.request()) continue;
    judge_request(s, one.asked(), std::string(" for a prompt of shape ") + shape.name);
    s.add(one.request_fault());
    const std::string first = one.first_asked();
    if (!one.open(shape.json) || !one.request() || one.first_asked() != first)
      s.fail("the same sample makes a different request the second time, for shape " +
                 std::string(shape.name) + ": " + difference({first}, {one.first_asked()}),
             "let a request depend on sample, options and host->unix_now alone; write dates and "
             "nonces in sign, or set IFB_CODEC_AUTHORIZES if they are in headers or in the query");
  }
  if (!any) subject::skip(takes_none(one));
}

// The number of recorded exchanges that were compared, and the number of exchanges that were left
// out because an option must be given with --set.
struct tally {
  std::size_t looked_at = 0;
  std::size_t left_out = 0;
  std::string why;
};

// Calls `look` for each exchange. An error in one exchange is reported, and does not stop the
// comparison of the others.
template <typename function>
tally each_of(subject& s, const std::vector<recorded>& all, const function& look) {
  tally out;
  for (const recorded& wanted : all) {
    if (s.full()) break;
    try {
      look(wanted);
      ++out.looked_at;
    } catch (const skipped& e) {
      ++out.left_out;
      out.why = e.why;
    } catch (const base::error& e) {
      s.fail((e.where().file == wanted.name ? "" : wanted.name + ": ") + e.what());
      ++out.looked_at;
    }
  }
  if (out.looked_at > 0 && out.left_out > 0)
    s.warn(std::to_string(out.left_out) + " recorded exchanges are not looked at: " + out.why,
           "give the option with --set, or in the options of the recorded exchanges");
  return out;
}

// Compares the method, the target and the headers that are recorded.
void compare_line(subject& s, const asked_request& now, const recorded& wanted) {
  if (!wanted.method.empty() && now.method != wanted.method)
    s.fail(wanted.name + ": the method is " + now.method + " instead of " + wanted.method);
  if (!wanted.target.empty() && now.target != wanted.target)
    s.fail(wanted.name + ": the target is " + now.target + " instead of " + wanted.target);
  for (const auto& [name, value] : wanted.headers) {
    // Names of header fields do not depend on the case of ASCII letters (RFC 9110, section 5.1).
    const auto found = std::ranges::find_if(
        now.headers, [&](const auto& header) { return base::equal_no_case(header.first, name); });
    if (found == now.headers.end())
      s.fail(fmt::format("{}: the request has no header {}", wanted.name, name));
    else if (found->second != value)
      s.fail(fmt::format("{}: the header {} is \"{}\" instead of \"{}\"", wanted.name, name,
                         found->second, value));
  }
}

// Compares a recorded request with the request that the codec makes now.
void compare_request(subject& s, const host& on, const recorded& wanted) {
  instance_under_test chosen(s, on, s.values(wanted));
  if (!chosen) {
    s.fail(wanted.name + ": create refuses: " + refusal(chosen.status, chosen.error));
    return;
  }
  player golden(s, chosen);
  if (!golden.open(wanted.sample) || !golden.request()) {
    s.fail(wanted.name + ": refused: " + refusal(golden.status(), golden.error()));
    return;
  }
  try {
    // The parsed bodies are compared, so the order of members does not matter.
    const auto found = base::parse_json(golden.asked().body, "the request");
    if (found != base::parse_json(wanted.body, wanted.name))
      s.fail(wanted.name + ": the body is " + base::to_text(found) + " instead of " + wanted.body);
  } catch (const base::error& e) {
    s.fail(wanted.name + ": " + e.what(), "send JSON");
  }
  compare_line(s, golden.asked(), wanted);
}

}  // namespace

void check_request(subject& s) {
  const host on({});
  std::string why;
  try {
    check_shapes(s, on);
  } catch (const skipped& e) {
    why = e.why;
  }
  auto all = recordings(s);
  std::erase_if(all, [](const recorded& r) { return r.body.empty(); });
  const std::size_t compared =
      each_of(s, all, [&](const recorded& wanted) { compare_request(s, on, wanted); }).looked_at;
  if (compared == 0 && !why.empty()) subject::skip(why);
}

namespace {

// Judges a codec that got a whole answer and reported no end. `from`: the recording of the answer;
// nullptr: the answer is the kit's own.
void judge_silence(subject& s, const player& one, const recorded* from, const std::string& when) {
  if (one.ended_early()) {
    s.fail("on_message answered with IFB_END, but neither on_done nor on_error was called" + when,
           "report the end before on_message answers with IFB_END, or in on_end, which follows at "
           "once: no other message comes");
    return;
  }
  // The recording says that the request fails, for example because the answer is incomplete.
  if (from != nullptr && from->heard.back().starts_with("error ")) return;
  // The host counts a request without an end as failed, but the kit cannot know whether the answer
  // was complete. So this is only a warning.
  const std::string remedy =
      "if the answer is complete, call on_done or on_error in on_end at the latest";
  s.warn("on_end was called, but neither on_done nor on_error was called for the answer" + when,
         s.given().transcripts.empty()
             ? remedy +
                   "; if the kit's answers are of another protocol, give recorded answers "
                   "(--transcripts)"
             : remedy);
}

}  // namespace

void check_events(subject& s) {
  bool understood = false;
  with_material(s, [&](const material& m) {
    m.one.judge();
    for (std::size_t i = 0; i < m.answers.size(); ++i) {
      if (s.full() || m.late()) return;
      if (!m.one.open(m.sample) || !m.one.converse(m.answers[i])) continue;
      const recorded* const from = m.recordings.empty() ? nullptr : &m.recordings[i];
      const std::string when = from == nullptr ? std::string() : " (" + from->name + ")";
      judge_ends(s, m.one.heard(), when);
      if (m.one.silent()) judge_silence(s, m.one, from, when);
      understood = understood || m.one.heard().done();
    }
  });
  if (!understood)
    s.warn(
        "no answer ended with on_done, so the tests show little about the codec",
        "record answers of your protocol that succeed, and name their folder with --transcripts");
}

namespace {

// Feeds a recorded answer to the codec and compares the codec's reports with the recorded reports.
void replay(subject& s, const host& on, const recorded& wanted) {
  const auto values = s.values(wanted);
  instance_under_test instance(s, on, values);
  if (!instance && !wanted.options.empty()) {
    s.fail(wanted.name + ": create refuses: " + refusal(instance.status, instance.error));
    return;
  }
  need(instance);
  player one(s, instance);
  const std::optional<std::string> sample =
      wanted.sample.empty() ? taken_sample(one) : std::optional(wanted.sample);
  if (!sample) {
    s.fail(wanted.name + ": " + takes_none(one), "record the sample, too");
    return;
  }
  if (wanted.bytes) {
    one.close();
    const auto lines = replayed(s, values, *sample, wanted.http, wanted.closes);
    if (!agrees(lines, wanted.heard))
      s.fail(wanted.name + ": heard " + shown(lines) + " instead of " + shown(wanted.heard));
    return;
  }
  if (!one.open(*sample) || !one.request()) {
    s.fail(wanted.name + ": the codec refuses the sample: " + refusal(one.status(), one.error()));
    return;
  }
  bool going = wanted.from.headers.empty() ? one.sign() : one.head(wanted.from);
  for (const auto& [event, data] : wanted.messages)
    going = going && one.message(event, data);
  if (going) one.end(wanted.from);
  judge_ends(s, one.heard(), " (" + wanted.name + ")");
  const auto lines = one.heard().lines();
  if (!agrees(lines, wanted.heard))
    s.fail(wanted.name + ": heard " + shown(lines) + " instead of " + shown(wanted.heard));
}

// Reports exchanges with a misspelt backend id, because no test would use them. The folder may also
// contain exchanges for other plugins of this library or of other libraries.
void judge_ids(subject& s) {
  const auto found = recorded_backends(s.given().transcripts);
  if (found.empty()) {
    s.fail("there is no recorded exchange below " + s.given().transcripts.string());
    return;
  }
  const auto held = s.ids();
  std::vector<std::string> strange = found;
  std::erase_if(strange,
                [&](const std::string& id) { return std::ranges::find(held, id) != held.end(); });
  const std::string& id = s.given().id;
  const std::string near = base::nearest(id, strange);
  if (std::ranges::find(found, id) != found.end()) {
    if (!near.empty())
      s.warn("no test looks at the recorded exchanges of backend " + near +
                 ", which the library does not hold",
             "did you mean " + id + "? Recordings for another library belong into another folder");
    return;
  }
  // Otherwise the folder contains exchanges for another plugin of the library, which is not an
  // error.
  if (!near.empty() || strange.size() == found.size())
    s.fail("no recording is for backend " + id + ", only for " +
               fmt::format("{}", fmt::join(found, ", ")),
           near.empty() ? "set the member backend of the recordings to the id of the plugin"
                        : "did you mean " + id + " where backend is " + near + "?");
}

}  // namespace

void check_transcripts(subject& s) {
  if (s.given().transcripts.empty())
    subject::skip("there are no recorded exchanges: name their folder with --transcripts");
  // Throws if an exchange is not understood; the test then fails.
  auto all = transcripts_of(s.given().transcripts, s.given().id);
  judge_ids(s);
  std::erase_if(all, [](const recorded& r) { return r.heard.empty(); });
  if (all.empty())
    subject::skip("no file below " + s.given().transcripts.string() + " has answers for " +
                  s.given().id);
  const host on({});
  const tally compared = each_of(s, all, [&](const recorded& wanted) { replay(s, on, wanted); });
  if (compared.looked_at == 0) subject::skip(compared.why);
  s.note(std::to_string(compared.looked_at) + " recorded answers");
}

}  // namespace inferbench::check
