#include "exchange.hpp"

#include <algorithm>
#include <optional>

#include <inferbench/guard.hpp>
#include <inferbench/text.hpp>
#include <inferbench/views.hpp>

#include "json.hpp"
#include "prompt.hpp"

namespace openai {
namespace {

bool equal_no_case(std::string_view a, std::string_view lower) {
  return a == lower || std::ranges::equal(a, lower, [](char x, char y) {
           return (x >= 'A' && x <= 'Z' ? static_cast<char>(x | 0x20) : x) == y;
         });
}

void put(gather& body, protocol kind, const body_layout& layout, std::string_view model,
         const ifb_sample& sample) {
  layout.put(body, [&](slot what, gather& out) {
    switch (what) {
      case slot::model:
        if (sample.model.size != 0)
          out.quote(ifb::view(sample.model));
        else
          out.refer(model);
        break;
      case slot::prompt:
        if (kind == protocol::chat)
          put_messages(sample, out);
        else
          put_prompt(sample, out);
        break;
      case slot::limit:
        if (sample.output_tokens >= 0)
          out.number(sample.output_tokens);
        else
          out.copy("null");
        break;
      case slot::none: break;
    }
  });
}

}  // namespace

token_exchange start(protocol kind, const body_layout& layout, std::string_view model,
                     const std::string& endpoint, const ifb_sample& sample, ifb::arena memory) {
  gather body(memory);
  const auto streamed = [](const body_layout& any) { return any.find("stream") == "true"; };
  if (sample.overrides.size == 0) {
    put(body, kind, layout, model, sample);
    return {kind, std::move(body), endpoint, streamed(layout)};
  }
  std::string why;
  const auto members = object_members(ifb::view(sample.overrides), why);
  if (!members)
    throw ifb::failure{IFB_E_DATA, "the overrides of a sample are not a JSON object: " + why};
  body_layout own = layout;
  own.overlay(*members);
  own.close();
  put(body, kind, own, model, sample);
  return {kind, std::move(body), endpoint, streamed(own)};
}

void token_exchange::request(ifb_http_request& out) {
  static constexpr ifb_field headers[] = {ifb::field("Content-Type", "application/json")};
  out.method = ifb::str("POST");
  out.target = ifb::str(endpoint_);
  out.headers = headers;
  out.header_count = std::size(headers);
  out.body = body_.parts().data();
  out.body_count = body_.parts().size();
}

std::uint32_t token_exchange::on_head(const ifb_http_head& head) {
  if (head.status != 200 || !streamed_) return IFB_FRAMING_AUTO;
  // Servers that stream without saying so.
  for (const auto& field : ifb::headers_of(head)) {
    if (!equal_no_case(ifb::view(field.name), "content-type")) continue;
    const auto value = ifb::view(field.value);
    const auto type = trim(value.substr(0, value.find(';')));
    if (type == "text/event-stream") return IFB_FRAMING_AUTO;
    const bool vague = type.empty() || equal_no_case(type, "text/plain") ||
                       equal_no_case(type, "application/octet-stream");
    return vague ? IFB_FRAMING_SSE : IFB_FRAMING_AUTO;
  }
  return IFB_FRAMING_SSE;
}

void token_exchange::on_message(std::string_view event_name, std::string_view data,
                                ifb::output out) {
  data = trim(data);
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
  if (event_name == "error") throw ifb::failure{IFB_E_REMOTE, std::string(data)};

  if (said.has_choice) {
    ++token_events_;
    const auto answer = kind_ == protocol::chat ? said.content : said.text;
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
  if (const auto& u = said.usage; u.known())
    out.usage(
        {.prompt = u.prompt, .cached = u.cached, .output = u.output, .reasoning = u.reasoning});
}

void token_exchange::on_end(ifb::output out) {
  if (token_events_ != 0) return out.done(finish_reason_);
  out.error(IFB_E_PROTOCOL,
            "the answer ended without one event that has output: no time to first token (TTFT)");
}

}  // namespace openai
