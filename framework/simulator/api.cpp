#include "simulator/api.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <rapidjson/document.h>
#include <rapidjson/error/en.h>

#include "base/json.hpp"

namespace inferbench::simulator {

namespace {

refusal bad(std::string message) { return {400, std::move(message)}; }

std::optional<refusal> parse(std::string_view body, rapidjson::Document& out) {
  // Iterative parsing: with recursion, a million nested brackets would overflow the stack.
  out.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag>(body.data(),
                                                                                    body.size());
  if (out.HasParseError()) {
    return bad("The body is malformed JSON at byte " + std::to_string(out.GetErrorOffset()) + ": " +
               rapidjson::GetParseError_En(out.GetParseError()));
  }
  if (!out.IsObject()) return bad("The body must be a JSON object.");
  return std::nullopt;
}

bool given(const base::json_value* value) { return value != nullptr && !value->IsNull(); }

std::optional<refusal> read_flag(const base::json_value& body, const char* name, bool& out) {
  const auto* value = base::find(body, name);
  if (!given(value)) return std::nullopt;
  if (!value->IsBool()) return bad(std::string(name) + " must be true or false.");
  out = value->GetBool();
  return std::nullopt;
}

std::optional<refusal> read_count(const base::json_value& body, const char* name,
                                  std::uint64_t minimum, std::optional<std::uint64_t>& out) {
  const auto* value = base::find(body, name);
  if (!given(value)) return std::nullopt;
  if (!value->IsUint64() || value->GetUint64() < minimum)
    return bad(std::string(name) + " must be a whole number of at least " +
               std::to_string(minimum) + ".");
  out = value->GetUint64();
  return std::nullopt;
}

// Reads a list of numbers and stores each number as 4 bytes.
bool read_ids(const base::json_value& list, std::string& out) {
  out.resize(list.Size() * sizeof(std::uint32_t));
  char* at = out.data();
  for (const auto& item : list.GetArray()) {
    if (!item.IsUint()) return false;
    const std::uint32_t id = item.GetUint();
    std::memcpy(at, &id, sizeof id);
    at += sizeof id;
  }
  return true;
}

std::optional<refusal> read_prompt(const base::json_value& body, generation_request& out) {
  const auto* prompt = base::find(body, "prompt");
  if (!given(prompt)) return bad("prompt is missing.");
  if (prompt->IsArray() && prompt->Size() == 1 && !(*prompt)[0].IsNumber()) prompt = &(*prompt)[0];
  if (prompt->IsString()) {
    out.prompt = base::text_of(prompt);
    return std::nullopt;
  }
  if (prompt->IsArray() && !prompt->Empty()) {
    out.token_bytes = sizeof(std::uint32_t);
    if (read_ids(*prompt, out.prompt)) return std::nullopt;
    if ((*prompt)[0].IsString() || (*prompt)[0].IsArray())
      return bad("Only one prompt a request is supported.");
  }
  return bad("prompt must be a text or a list of token ids.");
}

std::optional<refusal> read_messages(const base::json_value& messages, std::string& text) {
  if (!messages.IsArray() || messages.Empty()) return bad("messages must be a list, not empty.");
  for (const auto& message : messages.GetArray()) {
    if (base::text_of(base::find(message, "role")).empty())
      return bad("Each of messages must be an object with a role.");
    const auto* content = base::find(message, "content");
    if (!given(content)) continue;
    if (content->IsString()) {
      text += base::text_of(content);
    } else if (content->IsArray()) {
      for (const auto& part : content->GetArray())
        text += base::text_of(base::find(part, "text"));
    } else {
      return bad("The content of a message must be a text or a list of parts.");
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<refusal> read_generation(std::string_view body, generation_request& out) {
  const api_kind kind = out.kind;
  out = {};
  out.kind = kind;
  rapidjson::Document document;
  if (auto no = parse(body, document)) return no;
  if (const auto* model = base::find(document, "model"); given(model)) {
    if (!model->IsString()) return bad("model must be a text.");
    out.model = base::text_of(model);
  }
  if (kind == api_kind::completion) {
    if (auto no = read_prompt(document, out)) return no;
  } else {
    const auto* messages = base::find(document, "messages");
    if (!given(messages)) return bad("messages is missing.");
    if (auto no = read_messages(*messages, out.prompt)) return no;
  }
  std::optional<std::uint64_t> choices;
  std::optional<std::uint64_t> minimum;
  std::optional<refusal> no;
  const bool failed = (no = read_count(document, "max_tokens", 1, out.max_tokens)) ||
                      (kind == api_kind::chat &&
                       (no = read_count(document, "max_completion_tokens", 1, out.max_tokens))) ||
                      (no = read_count(document, "min_tokens", 0, minimum)) ||
                      (no = read_count(document, "n", 1, choices)) ||
                      (no = read_flag(document, "ignore_eos", out.ignore_eos)) ||
                      (no = read_flag(document, "stream", out.stream));
  if (failed) return no;
  if (choices.value_or(1) != 1) return bad("n must be 1: this server makes one choice a request.");
  out.min_tokens = minimum.value_or(0);
  if (const auto* stream_options = base::find(document, "stream_options"); given(stream_options)) {
    if (!stream_options->IsObject()) return bad("stream_options must be an object.");
    return read_flag(*stream_options, "include_usage", out.include_usage);
  }
  return std::nullopt;
}

std::optional<refusal> read_rerank(std::string_view body, std::size_t& query,
                                   std::vector<std::size_t>& documents) {
  rapidjson::Document document;
  if (auto no = parse(body, document)) return no;
  const auto* asked = base::find(document, "query");
  if (!given(asked) || !asked->IsString()) return bad("query must be a text.");
  query = asked->GetStringLength();
  const auto* list = base::find(document, "documents");
  if (!given(list) || !list->IsArray() || list->Empty())
    return bad("documents must be a list of texts.");
  documents.clear();
  for (const auto& one : list->GetArray()) {
    if (!one.IsString()) return bad("documents must be a list of texts.");
    documents.push_back(one.GetStringLength());
  }
  return std::nullopt;
}

std::optional<refusal> read_tokenize(std::string_view body, std::string& text) {
  text.clear();
  rapidjson::Document document;
  if (auto no = parse(body, document)) return no;
  if (const auto* prompt = base::find(document, "prompt"); given(prompt)) {
    if (!prompt->IsString()) return bad("prompt must be a text.");
    text = base::text_of(prompt);
    return std::nullopt;
  }
  const auto* messages = base::find(document, "messages");
  if (!given(messages)) return bad("prompt is missing.");
  return read_messages(*messages, text);
}

std::optional<refusal> read_detokenize(std::string_view body, std::string& text) {
  text.clear();
  rapidjson::Document document;
  if (auto no = parse(body, document)) return no;
  const auto* tokens = base::find(document, "tokens");
  if (!given(tokens)) return bad("tokens is missing.");
  if (!tokens->IsArray()) return bad("tokens must be a list of token ids.");
  text.reserve(tokens->Size());
  for (const auto& token : tokens->GetArray()) {
    if (!token.IsUint() || token.GetUint() > 255)
      return bad("tokens must be numbers from 0 to 255: this server has one token a byte.");
    text += static_cast<char>(token.GetUint());
  }
  return std::nullopt;
}

std::optional<refusal> plan_length(const generation_request& request, std::uint64_t max_model_len,
                                   double drawn, answer_length& out) {
  const std::uint64_t prompt = request.prompt_tokens();
  const std::uint64_t room = max_model_len > prompt ? max_model_len - prompt : 0;
  if (room == 0 || request.max_tokens.value_or(1) > room)
    return bad("The prompt of " + std::to_string(prompt) + " tokens and " +
               std::to_string(request.max_tokens.value_or(1)) +
               " to be generated exceed the context of " + std::to_string(max_model_len) +
               " tokens.");
  // Default limits of vLLM: 16 tokens for completions, the rest of the context for chat.
  const std::uint64_t fallback =
      request.kind == api_kind::completion ? std::min<std::uint64_t>(16, room) : room;
  const std::uint64_t limit = request.max_tokens.value_or(fallback);
  std::uint64_t tokens = limit;
  if (!request.ignore_eos && drawn < static_cast<double>(limit))
    tokens = std::min(limit, std::max({static_cast<std::uint64_t>(std::llround(drawn)),
                                       request.min_tokens, std::uint64_t{1}}));
  out = {tokens, tokens == limit};
  return std::nullopt;
}

}  // namespace inferbench::simulator
