#include "simulator/api.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "simulator/messages.hpp"

namespace inferbench::simulator {

namespace {

void read_prompt(body_reader& body, generation_request& out) {
  const auto* prompt = body.required("prompt");
  if (prompt == nullptr) return;
  if (prompt->IsArray() && prompt->Size() == 1 && !(*prompt)[0].IsNumber()) prompt = &(*prompt)[0];
  if (prompt->IsString()) {
    out.prompt = base::text_of(prompt);
    return;
  }
  if (prompt->IsArray() && !prompt->Empty()) {
    out.token_bytes = sizeof(std::uint32_t);
    if (read_ids(*prompt, out.prompt)) return;
    if ((*prompt)[0].IsString() || (*prompt)[0].IsArray())
      return body.refuse(bad_request("prompt", "Only one prompt a request is supported."));
  }
  body.refuse("prompt", "must be a text or a list of token ids.");
}

void read_completion(body_reader& body, generation_request& out) {
  read_prompt(body, out);
  body.count("max_tokens", 1, out.max_tokens);
}

void read_chat(body_reader& body, generation_request& out) {
  if (const auto* messages = body.required("messages"))
    body.refuse(read_messages(*messages, "messages", {out.prompt, out.media}));
  body.count("max_tokens", 1, out.max_tokens);
  body.count("max_completion_tokens", 1, out.max_tokens);
}

// The prompt of a response is its instructions and its input, without a template around them.
void read_response(body_reader& body, generation_request& out) {
  body.text("instructions", out.prompt);
  if (const auto* input = body.required("input")) {
    if (input->IsString())
      out.prompt += base::text_of(input);
    else if (input->IsArray())
      body.refuse(read_input_items(*input, "input", {out.prompt, out.media}));
    else
      body.refuse("input", "must be a text or a list of items.");
  }
  body.count("max_output_tokens", 1, out.max_tokens);
  std::optional<std::uint64_t> number;
  body.count("max_tool_calls", 0, number);
  body.count("top_logprobs", 0, number);
  body.number("temperature", 0, std::numeric_limits<double>::infinity());
  body.number("top_p", 0, 1);
  std::string_view word;
  body.choice("truncation", {"auto", "disabled"}, word);
  body.choice("service_tier", {"auto", "default", "flex", "scale", "priority"}, word);
  for (const char* const name : {"metadata", "reasoning", "text"})
    body.object(name);
  body.list("tools");
  body.list("include");
  bool on = false;
  body.flag("store", on);
  body.flag("parallel_tool_calls", on);
  on = false;
  body.flag("background", on);
  if (on)
    body.refuse(bad_request("background",
                            "This server stores no responses, so it has no background mode."));
  if (body.find("prompt") != nullptr)
    body.refuse(bad_request("prompt", "prompt template is not supported"));
  std::string previous;
  body.text("previous_response_id", previous);
  if (!previous.empty())
    body.refuse(
        refusal{404, "Response with id '" + previous + "' not found.", "previous_response_id"});
}

}  // namespace

std::optional<refusal> read_generation(std::string_view body, generation_request& out) {
  const api_kind kind = out.kind;
  out = {};
  out.kind = kind;
  rapidjson::Document document;
  if (auto no = parse_body(body, document)) return no;
  body_reader members(document);
  members.text("model", out.model);
  switch (kind) {
    case api_kind::completion: read_completion(members, out); break;
    case api_kind::response: read_response(members, out); break;
    default: read_chat(members, out);
  }
  std::optional<std::uint64_t> choices;
  std::optional<std::uint64_t> minimum;
  members.count("min_tokens", 0, minimum);
  members.count("n", 1, choices);
  members.flag("ignore_eos", out.ignore_eos);
  members.flag("stream", out.stream);
  if (choices.value_or(1) != 1)
    members.refuse("n", "must be 1: this server makes one choice a request.");
  out.min_tokens = minimum.value_or(0);
  if (const auto* options = members.find("stream_options")) {
    if (!options->IsObject()) members.refuse("stream_options", "must be an object.");
    body_reader inner(*options, "stream_options.");
    inner.flag("include_usage", out.include_usage);
    members.refuse(inner.result());
  }
  out.structure = read_structure(members);
  if (kind != api_kind::completion && out.structure.kind == structure_kind::none)
    out.call =
        read_call(members, kind == api_kind::chat ? tool_layout::chat : tool_layout::response);
  keep_contents(out.media, body);
  return members.result();
}

std::optional<refusal> read_tokenize(std::string_view body, std::string& text) {
  text.clear();
  rapidjson::Document document;
  if (auto no = parse_body(body, document)) return no;
  body_reader members(document);
  const auto* messages = members.find("messages");
  std::vector<sent_medium> ignored;
  if (members.find("prompt") == nullptr && messages != nullptr)
    return read_messages(*messages, "messages", {text, ignored});
  if (members.required("prompt") != nullptr) members.text("prompt", text);
  return members.result();
}

std::optional<refusal> read_detokenize(std::string_view body, std::string& text) {
  text.clear();
  rapidjson::Document document;
  if (auto no = parse_body(body, document)) return no;
  body_reader members(document);
  const auto* tokens = members.required("tokens");
  if (tokens == nullptr) return members.result();
  if (!tokens->IsArray()) {
    members.refuse("tokens", "must be a list of token ids.");
    return members.result();
  }
  text.reserve(tokens->Size());
  for (const auto& token : tokens->GetArray()) {
    if (!token.IsUint() || token.GetUint() > 255) {
      members.refuse("tokens", "must be numbers from 0 to 255: this server has one token a byte.");
      return members.result();
    }
    text += static_cast<char>(token.GetUint());
  }
  return std::nullopt;
}

std::optional<refusal> plan_length(const generation_request& request, std::uint64_t max_model_len,
                                   double drawn, answer_length& out) {
  // A sound goes through the encoder of its model, and takes no place in the context.
  const std::uint64_t prompt = hears(request.kind) ? 0 : request.prompt_tokens();
  const std::uint64_t room = max_model_len > prompt ? max_model_len - prompt : 0;
  const bool strict = request.kind == api_kind::completion || request.kind == api_kind::chat;
  const std::uint64_t wanted = request.max_tokens.value_or(1);
  if (room == 0 || (strict && wanted > room))
    return bad_request({}, "The prompt of " + std::to_string(prompt) + " tokens and " +
                               std::to_string(wanted) + " to be generated exceed the context of " +
                               std::to_string(max_model_len) + " tokens.");
  // Default limits of vLLM: 16 tokens for completions, otherwise the rest of the context.
  const std::uint64_t fallback =
      request.kind == api_kind::completion ? std::min<std::uint64_t>(16, room) : room;
  const std::uint64_t limit = std::min(request.max_tokens.value_or(fallback), room);
  std::uint64_t tokens = limit;
  if (!request.ignore_eos && drawn < static_cast<double>(limit))
    tokens = std::min(limit, std::max({static_cast<std::uint64_t>(std::llround(drawn)),
                                       request.min_tokens, std::uint64_t{1}}));
  out = {tokens, limit, tokens == limit};
  return std::nullopt;
}

}  // namespace inferbench::simulator
