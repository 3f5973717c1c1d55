#include "tokens.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include <inferbench/guard.hpp>
#include <inferbench/json_writer.hpp>
#include <inferbench/text.hpp>

#include "insitu.hpp"
#include "server_timings.hpp"

namespace openai {
namespace {

// An index above this limit is a fault of the server.
constexpr std::uint32_t most_choices = 4096;

void add(std::int64_t& to, std::int64_t count) {
  if (count < 0) return;
  to = std::max<std::int64_t>(to, 0);
  to = count > INT64_MAX - to ? INT64_MAX : to + count;
}

// The choices of one prompt share the prompt's count; a list of prompts has one choice for each
// prompt.
usage sum_of(const usage& first, const std::vector<usage>& others, std::size_t prompts) {
  usage out = first;
  for (const usage& one : others) {
    add(out.output, one.output);
    add(out.reasoning, one.reasoning);
    if (prompts > 1) {
      add(out.prompt, one.prompt);
      add(out.cached, one.cached);
    } else {
      out.prompt = std::max(out.prompt, one.prompt);
      out.cached = std::max(out.cached, one.cached);
    }
  }
  return out;
}

}  // namespace

void token_exchange::on_message(const ifb::http_message& message, ifb::output out) {
  const std::string_view data = ifb::trim(message.data());
  refuse_error_event(message.event(), data);
  if (data == "[DONE]") {
    marked_ = true;
    return;
  }
  // One reader for all requests of a thread: a request then needs no memory for it, and
  // the events of all requests share their shapes.
  thread_local event_reader reader;
  event said;
  switch (reader.read(data, said)) {
    case verdict::nothing: return;
    case verdict::malformed: throw ifb::failure{IFB_E_PROTOCOL, reader.trouble()};
    case verdict::refused: throw ifb::failure{IFB_E_REMOTE, reader.trouble()};
    case verdict::read: break;
  }

  if (said.has_choice) {
    ++token_events_;
    const auto answer = kind_ == protocol::completions ? said.text : said.content;
    const bool thinks = answer.empty() && !said.reasoning.empty();
    const bool calls = answer.empty() && !thinks && !said.tool_call.empty();
    if (thinks)
      out.token(said.reasoning, 0, IFB_CHANNEL_REASONING, said.choice);
    else if (calls)
      out.token(said.tool_call, 0, IFB_CHANNEL_TOOL_CALL, said.choice);
    else
      out.token(answer, 0, IFB_CHANNEL_ANSWER, said.choice);
    if (!thinks && !said.reasoning.empty()) out.attribute("reasoning", said.reasoning);
    if (!calls && !said.tool_call.empty()) out.attribute("tool_call", said.tool_call);
    if (!said.tool_call.empty()) [[unlikely]] {
      if (!calls_) calls_ = std::make_unique<tool_call_list>();
      calls_->add(reader.calls(), said.choice);
    }
    if (!said.finish_reason.empty()) {
      marked_ = true;
      if (said.choice == 0 || finish_reason_.empty()) finish_reason_ = said.finish_reason;
    }
  }
  if (said.usage.known()) count(said, out);
  // The times come at the end: with the finish reason, or in an event without choices.
  if (said.has_choice && said.finish_reason.empty()) return;
  const server_timings found = timed_ ? server_timings{} : timings_of(data);
  timed_ |= found.known();
  const auto report = [&](std::string_view name, const std::optional<double>& seconds) {
    if (!seconds) return;
    std::string text;
    ifb::append_python_float(text, *seconds);
    out.attribute(name, text);
  };
  report("server_queue_time", found.queue);
  report("server_ttft", found.first_token);
}

// A later count of a choice replaces its earlier count, because a server that sends a count in
// every event counts from the beginning of the answer. An event without choices counts the whole
// answer.
void token_exchange::count(const event& said, ifb::output out) {
  usage all = said.usage;
  if (said.has_choice) {
    if (said.choice == 0) {
      first_ = said.usage;
    } else if (said.choice <= most_choices) {
      if (others_.size() < said.choice) others_.resize(said.choice);
      others_[said.choice - 1] = said.usage;
    }
    if (!others_.empty()) all = sum_of(first_, others_, prompts_);
  }
  out.usage({.prompt = kind_ == protocol::transcription ? -1 : all.prompt,
             .cached = all.cached,
             .output = all.output,
             .reasoning = all.reasoning});
}

void token_exchange::on_end(ifb::output out) {
  if (token_events_ == 0) return fail_without_token(out);
  if (streamed_ && !marked_) out.attribute("end_mark", "none");
  if (calls_) out.attribute("tool_calls", calls_->text());
  out.done(finish_reason_);
}

void refuse_error_event(std::string_view event_name, std::string_view data) {
  if (event_name != "error") return;
  if (data.empty()) data = "the server sent an event \"error\" without data";
  throw ifb::failure{IFB_E_REMOTE, error_text(data)};
}

void fail_without_token(ifb::output out) {
  out.error(IFB_E_PROTOCOL,
            "the answer ended without one event that has output: no time to first token (TTFT)");
}

}  // namespace openai
