#include "tokens.hpp"

#include <inferbench/guard.hpp>
#include <inferbench/text.hpp>

#include "event.hpp"
#include "insitu.hpp"

namespace openai {

void token_exchange::on_message(std::string_view event_name, std::string_view data,
                                ifb::output out) {
  data = ifb::trim(data);
  refuse_error_event(event_name, data);
  if (data == "[DONE]") return;
  // One for all requests of a thread: a request then needs no memory for it, and the
  // events of all have their shapes in common.
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
    if (!said.finish_reason.empty() && (said.choice == 0 || finish_reason_.empty()))
      finish_reason_ = said.finish_reason;
  }
  if (const auto& u = said.usage; u.known()) {
    out.usage({.prompt = kind_ == protocol::transcription ? -1 : u.prompt,
               .cached = u.cached,
               .output = u.output,
               .reasoning = u.reasoning});
  }
}

void token_exchange::on_end(ifb::output out) {
  if (token_events_ == 0) return fail_without_token(out);
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
