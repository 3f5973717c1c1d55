#include "responses.hpp"

#include <array>
#include <memory>

#include <inferbench/guard.hpp>
#include <inferbench/text.hpp>
#include <inferbench/views.hpp>

#include "backends/bodies/json.hpp"
#include "backends/bodies/prompt.hpp"
#include "backends/openai_family/tokens.hpp"
#include "response_tools.hpp"

namespace openai {
namespace {

void put_text_message(const ifb_message& message, bodies::gather_list& out) {
  if (message.json.size != 0) return out.refer(ifb::view(message.json));
  const auto parts = ifb::view(message.parts);
  if (parts.size() != 1 || parts.front().kind != IFB_PART_TEXT)
    bodies::refuse("responses take messages of one text each; use backend openai-chat");
  out.copy(R"({"role":)");
  out.quote(ifb::view(message.role));
  out.copy(R"(,"content":)");
  out.quote(ifb::view(parts.front().data));
  out.copy("}");
}

void write_input(bodies::slot, const ifb_sample& sample, bodies::gather_list& out) {
  switch (sample.shape) {
    case IFB_PROMPT_TEXT:
      if (bodies::single(sample).kind != IFB_PART_TEXT)
        bodies::refuse("the text prompt has a part of another kind");
      return out.quote(ifb::view(bodies::single(sample).data));
    case IFB_PROMPT_CHAT: {
      const auto messages = ifb::view(sample.messages);
      if (messages.empty()) bodies::refuse("the sample has no chat messages");
      out.copy("[");
      for (const auto& message : messages) {
        if (&message != &messages.front()) out.copy(",");
        put_text_message(message, out);
      }
      return out.copy("]");
    }
    case IFB_PROMPT_PARTS:
      bodies::refuse("responses take text or messages, no content parts; use backend openai-chat");
    case IFB_PROMPT_TOKENS:
    case IFB_PROMPT_TOKEN_LISTS:
      bodies::refuse("responses take text, not token ids; use backend openai");
    case IFB_PROMPT_TEXTS:
      bodies::refuse("responses take one prompt a request, not a list; use backend openai");
    case IFB_PROMPT_JSON:
      bodies::refuse("responses take text or messages, no prompt that is a JSON object");
    default:
      bodies::refuse("responses cannot carry a prompt of shape " + std::to_string(sample.shape));
  }
}

}  // namespace

responses::responses(ifb::host, const options& chosen)
    : endpoint_(chosen.endpoint), model_(bodies::quoted(chosen.model)) {
  check(chosen, {{"responses"}, "/v1/responses"}, id);
  layout_.set("model", bodies::slot::model);
  layout_.set("input", bodies::slot::prompt);
  layout_.set("max_output_tokens", bodies::slot::limit);
  layout_.set("stream", "true");
  layout_.set("store", "false");
  finish(layout_, chosen);
}

responses::exchange responses::open(const ifb_sample& given, ifb::arena memory) const {
  ifb_sample sample = given;
  // Most samples have no tools.
  if (ifb::view(given.overrides).find("\"function\"") != std::string_view::npos)
    sample.overrides = ifb::str(memory.copy(with_response_tools(ifb::view(given.overrides))));
  const bodies::request_layout layout(layout_, sample);
  return {{bodies::write_body(layout, model_, sample, write_input, memory), endpoint_},
          layout->streams()};
}

void responses::exchange::on_message(const ifb::http_message& message, ifb::output out) {
  const std::string_view data = ifb::trim(message.data());
  if (message.event() == "error" && token_events_ != 0) keep_partial_answer(out);
  refuse_error_event(message.event(), data);
  if (data == "[DONE]") return;
  thread_local response_reader reader;  // tokens.cpp gives the reason for thread_local
  response_event said;
  switch (reader.read(data, said)) {
    case verdict::nothing: return;
    case verdict::malformed: throw ifb::failure{IFB_E_PROTOCOL, reader.trouble()};
    case verdict::refused:
      if (token_events_ != 0) keep_partial_answer(out);
      throw ifb::failure{IFB_E_REMOTE, reader.trouble()};
    case verdict::read: break;
  }
  const bool thinks = said.type == "response.reasoning_text.delta";
  if (thinks || said.type == "response.output_text.delta") {
    ++token_events_;
    out.token(said.delta, 0, thinks ? IFB_CHANNEL_REASONING : IFB_CHANNEL_ANSWER);
  } else if (said.type == "response.completed" || said.type == "response.incomplete") {
    ended_ = true;
    if (said.type == "response.completed")
      finish_reason_ = "completed";
    else
      finish_reason_ = said.reason.empty() ? "incomplete" : said.reason;
  } else {
    read_call(said, out);
  }
  if (const auto& u = said.usage; u.known())
    out.usage(
        {.prompt = u.prompt, .cached = u.cached, .output = u.output, .reasoning = u.reasoning});
}

void responses::exchange::read_call(const response_event& said, ifb::output out) {
  const bool item = said.item.type == "function_call";
  if (item && said.type == "response.output_item.added") {
    if (!calls_) calls_ = std::make_unique<tool_call_list>();
    const std::array parts{call_part{said.index, said.item.name, said.item.arguments}};
    calls_->add(parts, 0);
    ++token_events_;
    out.token(said.item.name, 0, IFB_CHANNEL_TOOL_CALL);
  } else if (said.type == "response.function_call_arguments.delta") {
    if (!calls_) calls_ = std::make_unique<tool_call_list>();
    const std::array parts{call_part{said.index, {}, said.delta}};
    calls_->add(parts, 0);
    ++token_events_;
    out.token(said.delta, 0, IFB_CHANNEL_TOOL_CALL);
  } else if (calls_ && said.type == "response.function_call_arguments.done") {
    calls_->complete(said.index, said.arguments);
  } else if (calls_ && item && said.type == "response.output_item.done") {
    calls_->complete(said.index, said.item.arguments);
  }
}

void responses::exchange::on_end(ifb::output out) {
  if (token_events_ == 0) return fail_without_token(out);
  if (calls_) out.attribute("tool_calls", calls_->text());
  if (ended_) return out.done(finish_reason_);
  keep_partial_answer(out);
  out.error(IFB_E_PROTOCOL,
            "the answer ended without its terminal event, response.completed or "
            "response.incomplete");
}

}  // namespace openai
