#include "simulator/event_writer.hpp"

#include <cmath>

#include <inferbench/json_writer.hpp>

#include "simulator/wire.hpp"

namespace inferbench::simulator {

namespace {

/// The texts of the answers of one kind: the names of its objects, and the parts of an event before
/// and after its words.
struct answer_texts {
  std::string_view prefix;  // of the id
  std::string_view event;   // the member `object` of an event
  std::string_view before;
  std::string_view after;   // after the words of an event that is not the last
  std::string_view finish;  // after the words of the last event, before the finish reason
  std::string_view finished;
};

constexpr answer_texts completion_texts{
    "cmpl-",
    "text_completion",
    "{\"index\":0,\"text\":\"",
    "\",\"logprobs\":null,\"finish_reason\":null,\"stop_reason\":null}]",
    "\",\"logprobs\":null,\"finish_reason\":\"",
    "\",\"stop_reason\":null}]"};
constexpr answer_texts chat_texts{"chatcmpl-",
                                  "chat.completion.chunk",
                                  "{\"index\":0,\"delta\":{\"content\":\"",
                                  "\"},\"logprobs\":null,\"finish_reason\":null}]",
                                  "\"},\"logprobs\":null,\"finish_reason\":\"",
                                  "\",\"stop_reason\":null}]"};
// A chunk of a chat with a part of a call.
constexpr answer_texts call_texts{
    chat_texts.prefix,
    chat_texts.event,
    "{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"",
    "\"}}]},\"logprobs\":null,\"finish_reason\":null}]",
    "\"}}]},\"logprobs\":null,\"finish_reason\":\"",
    chat_texts.finished};
constexpr answer_texts transcription_texts{
    "transcribe-", "transcription.chunk",      "{\"delta\":{\"content\":\"",
    "\"}}]",       "\"},\"finish_reason\":\"", "\",\"stop_reason\":null}]"};
constexpr answer_texts translation_texts{"translate-",
                                         "translation.chunk",
                                         transcription_texts.before,
                                         transcription_texts.after,
                                         transcription_texts.finish,
                                         transcription_texts.finished};

const answer_texts& texts_of(api_kind kind) {
  switch (kind) {
    case api_kind::chat: return chat_texts;
    case api_kind::transcription: return transcription_texts;
    case api_kind::translation: return translation_texts;
    default: return completion_texts;
  }
}

void append_identity(std::string& out, const identity& who, std::string_view object) {
  out += "{\"id\":";
  ifb::append_json_string(out, std::string(texts_of(who.kind).prefix).append(who.id));
  out += ",\"object\":\"";
  out += object;
  out += "\",\"created\":";
  append_number(out, static_cast<std::uint64_t>(who.created));
  out += ",\"model\":";
  ifb::append_json_string(out, who.model);
  out += ",\"choices\":[";
}

void append_usage(std::string& out, const usage& used, api_kind kind) {
  out += "\"usage\":{\"prompt_tokens\":";
  append_number(out, used.prompt_tokens);
  out += ",\"total_tokens\":";
  append_number(out, used.prompt_tokens + used.completion_tokens);
  out += ",\"completion_tokens\":";
  append_number(out, used.completion_tokens);
  if (!hears(kind)) {
    out += ",\"prompt_tokens_details\":{\"cached_tokens\":";
    append_number(out, used.cached_tokens);
    out += '}';
  }
  out += '}';
}

/// The members of a call from its id to its arguments, which follow as JSON without quotes.
void append_call_head(std::string& out, const identity& who, std::string_view tool) {
  out += "\"id\":";
  ifb::append_json_string(out, std::string("chatcmpl-tool-").append(who.id));
  out += ",\"type\":\"function\",\"function\":{\"name\":";
  ifb::append_json_string(out, tool);
  out += ",\"arguments\":\"";
}

constexpr std::string_view role_delta =
    "{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"},\"logprobs\":null,"
    "\"finish_reason\":null}]}\n\n";
constexpr std::string_view done_data = "data: [DONE]\n\n";
constexpr std::string_view event_end = "}\n\n";

}  // namespace

void append_whole(std::string& out, const identity& who, const token_text& text,
                  std::uint64_t tokens, std::string_view finish_reason, const usage& used,
                  std::string_view tool) {
  const bool chat = who.kind == api_kind::chat;
  const answer_texts& texts = texts_of(who.kind);
  append_identity(out, who, chat ? "chat.completion" : texts.event);
  if (!tool.empty()) {
    out += "{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":null,\"tool_calls\":[{";
    append_call_head(out, who, tool);
  } else {
    out += chat ? "{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"" : texts.before;
  }
  text.append(out, tokens);
  out += tool.empty() ? texts.finish : call_texts.finish;
  out += finish_reason;
  out += texts.finished;
  out += ',';
  append_usage(out, used, who.kind);
  out += '}';
}

void append_whole_transcription(std::string& out, api_kind kind, const token_text& text,
                                std::uint64_t tokens, double seconds) {
  out += "{\"text\":\"";
  text.append(out, tokens);
  out += '"';
  if (kind == api_kind::transcription) {
    out += ",\"usage\":{\"type\":\"duration\",\"seconds\":";
    append_number(out, static_cast<std::uint64_t>(std::ceil(seconds)));
    out += '}';
  }
  out += '}';
}

void event_writer::begin(const identity& who, bool chunked, std::string_view tool) {
  kind_ = who.kind;
  calls_ = !tool.empty();
  chunked_ = chunked;
  common_ = "data: ";
  append_identity(common_, who, texts_of(kind_).event);
  opening_ = common_;
  opening_ += calls_ ? call_texts.before : texts_of(kind_).before;
  naming_.clear();
  if (!calls_) return;
  naming_ = common_ + "{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,";
  append_call_head(naming_, who, tool);
}

void event_writer::role(std::string& out) const {
  append_size(out, common_.size() + role_delta.size(), chunked_);
  out += common_;
  out += role_delta;
  if (chunked_) out += "\r\n";
}

void event_writer::tokens(std::string& out, const token_text& text, std::uint64_t count,
                          std::string_view finish_reason, const usage* so_far) {
  const answer_texts& texts = calls_ ? call_texts : texts_of(kind_);
  const std::string& opening = naming_.empty() ? opening_ : naming_;
  std::string_view closing = event_end;
  if (so_far != nullptr) {
    closing_ = ",";
    append_usage(closing_, *so_far, kind_);
    closing_ += event_end;
    closing = closing_;
  }
  const bool last = !finish_reason.empty();
  const std::string_view after = last ? texts.finish : texts.after;
  const std::string_view finished = last ? texts.finished : std::string_view();
  append_size(out,
              opening.size() + text.size(count) + after.size() + finish_reason.size() +
                  finished.size() + closing.size(),
              chunked_);
  out += opening;
  naming_.clear();
  text.append(out, count);
  out += after;
  out += finish_reason;
  out += finished;
  out += closing;
  if (chunked_) out += "\r\n";
}

void event_writer::used(std::string& out, const usage& figures) const {
  std::string event = common_ + "],";
  append_usage(event, figures, kind_);
  event += event_end;
  append_piece(out, event, chunked_);
}

void event_writer::done(std::string& out) const {
  append_piece(out, done_data, chunked_);
  append_end(out, chunked_);
}

}  // namespace inferbench::simulator
