#include "simulator/response_writer.hpp"

#include <array>
#include <utility>

#include <inferbench/json_writer.hpp>

#include "simulator/wire.hpp"

namespace inferbench::simulator {

namespace {

/// The parts of a response object that are the same in all of its versions.
struct response_facts {
  std::string_view id;     // of the request, as JSON without quotes
  std::string_view model;  // as a JSON string
  std::int64_t created;
  std::uint64_t limit;
  std::string_view tool = {};  // as a JSON string; empty: the response has a message
};

/// `text` as a JSON string without its quotes.
std::string escaped_text(std::string_view text) {
  std::string out;
  ifb::append_json_string(out, text);
  return out.substr(1, out.size() - 2);
}

void append_text_part(std::string& out, const token_text& text, std::uint64_t tokens) {
  out += "{\"annotations\":[],\"text\":\"";
  text.append(out, tokens);
  out += "\",\"type\":\"output_text\",\"logprobs\":null}";
}

/// The call. Its arguments are the first `tokens` tokens of `text`.
void append_call(std::string& out, std::string_view id, std::string_view tool,
                 const token_text& text, std::uint64_t tokens, std::string_view status) {
  out += "{\"arguments\":\"";
  text.append(out, tokens);
  out += "\",\"call_id\":\"call_";
  out += id;
  out += "\",\"name\":";
  out += tool;
  out += ",\"type\":\"function_call\",\"id\":\"fc_";
  out += id;
  out += "\",\"status\":\"";
  out += status;
  out += "\"}";
}

/// The message. Its content is one part with `tokens` tokens; without tokens it is empty.
void append_message(std::string& out, std::string_view id, const token_text& text,
                    std::uint64_t tokens, std::string_view status) {
  out += "{\"id\":\"msg_";
  out += id;
  out += "\",\"content\":[";
  if (tokens != 0) append_text_part(out, text, tokens);
  out += "],\"role\":\"assistant\",\"status\":\"";
  out += status;
  out += "\",\"type\":\"message\"}";
}

void append_response_usage(std::string& out, const usage& used) {
  const std::array<std::pair<std::string_view, std::uint64_t>, 4> parts{
      {{"{\"input_tokens\":", used.prompt_tokens},
       {",\"input_tokens_details\":{\"cached_tokens\":", used.cached_tokens},
       {",\"input_tokens_per_turn\":[],\"cached_tokens_per_turn\":[]},\"output_tokens\":",
        used.completion_tokens},
       {",\"output_tokens_details\":{\"reasoning_tokens\":0,\"tool_output_tokens\":0,"
        "\"output_tokens_per_turn\":[],\"tool_output_tokens_per_turn\":[]},\"total_tokens\":",
        used.prompt_tokens + used.completion_tokens}}};
  for (const auto& [text, number] : parts) {
    out += text;
    append_number(out, number);
  }
  out += '}';
}

void append_response_head(std::string& out, const response_facts& about, bool cut) {
  out += "{\"id\":\"resp_";
  out += about.id;
  out += "\",\"created_at\":";
  append_number(out, static_cast<std::uint64_t>(about.created));
  out += ",\"incomplete_details\":";
  out += cut ? "{\"reason\":\"max_output_tokens\"}" : "null";
  out += ",\"instructions\":null,\"metadata\":null,\"model\":";
  out += about.model;
  out += ",\"object\":\"response\",\"output\":[";
}

void append_response_tail(std::string& out, const response_facts& about, std::string_view status,
                          const usage* used) {
  out +=
      "],\"parallel_tool_calls\":true,\"temperature\":1.0,\"tool_choice\":\"auto\",\"tools\":[],"
      "\"top_p\":1.0,\"background\":false,\"max_output_tokens\":";
  append_number(out, about.limit);
  out +=
      ",\"max_tool_calls\":null,\"previous_response_id\":null,\"prompt\":null,\"reasoning\":null,"
      "\"service_tier\":\"auto\",\"status\":\"";
  out += status;
  out += "\",\"text\":null,\"top_logprobs\":null,\"truncation\":\"disabled\",\"usage\":";
  if (used == nullptr)
    out += "null";
  else
    append_response_usage(out, *used);
  out += ",\"user\":null}";
}

/// Appends a response without its output.
void append_response_in_progress(std::string& out, const response_facts& about) {
  append_response_head(out, about, false);
  append_response_tail(out, about, "in_progress", nullptr);
}

/// Appends the only element of the output: the message or the call.
void append_item(std::string& out, const response_facts& about, const token_text& text,
                 std::uint64_t tokens, std::string_view status) {
  if (about.tool.empty())
    append_message(out, about.id, text, tokens, status);
  else
    append_call(out, about.id, about.tool, text, tokens, status);
}

/// Appends a response with its output and usage.
void append_response_at_end(std::string& out, const response_facts& about, const token_text& text,
                            std::uint64_t tokens, bool cut, const usage& used) {
  append_response_head(out, about, cut);
  append_item(out, about, text, tokens, "completed");
  append_response_tail(out, about, cut ? "incomplete" : "completed", &used);
}

}  // namespace

void append_whole_response(std::string& out, const identity& who, const token_text& text,
                           std::uint64_t tokens, std::uint64_t limit, bool cut, const usage& used,
                           std::string_view tool) {
  const std::string id = escaped_text(who.id);
  std::string model;
  ifb::append_json_string(model, who.model);
  std::string name;
  if (!tool.empty()) ifb::append_json_string(name, tool);
  append_response_at_end(out, {id, model, who.created, limit, name}, text, tokens, cut, used);
}

void response_writer::begin(const identity& who, std::uint64_t limit, bool chunked,
                            std::string_view tool) {
  id_ = escaped_text(who.id);
  model_.clear();
  ifb::append_json_string(model_, who.model);
  created_ = who.created;
  limit_ = limit;
  chunked_ = chunked;
  number_ = 0;
  tool_.clear();
  if (!tool.empty()) {
    ifb::append_json_string(tool_, tool);
    opening_ = "event: response.function_call_arguments.delta\ndata: {\"delta\":\"";
    closing_ = "\",\"item_id\":\"fc_" + id_ + "\",\"output_index\":0,\"sequence_number\":";
    return;
  }
  opening_ = "event: response.output_text.delta\ndata: {\"content_index\":0,\"delta\":\"";
  closing_ =
      "\",\"item_id\":\"msg_" + id_ + "\",\"logprobs\":[],\"output_index\":0,\"sequence_number\":";
}

/// Appends an event. `members`: its JSON members before the number of the event.
void response_writer::event(std::string& out, std::string_view type, std::string_view members) {
  std::string text = "event: ";
  text.append(type).append("\ndata: {").append(members).append(",\"sequence_number\":");
  append_number(text, number_++);
  text.append(",\"type\":\"").append(type).append("\"}\n\n");
  append_piece(out, text, chunked_);
}

void response_writer::created(std::string& out) {
  buffer_ = "\"response\":";
  append_response_in_progress(buffer_, {id_, model_, created_, limit_});
  event(out, "response.created", buffer_);
  event(out, "response.in_progress", buffer_);
}

void response_writer::opened(std::string& out) {
  buffer_ = "\"item\":";
  append_item(buffer_, {id_, model_, created_, limit_, tool_}, 0, 0, "in_progress");
  buffer_ += ",\"output_index\":0";
  event(out, "response.output_item.added", buffer_);
  if (!tool_.empty()) return;
  event(out, "response.content_part.added",
        "\"content_index\":0,\"item_id\":\"msg_" + id_ +
            "\",\"output_index\":0,\"part\":{\"annotations\":[],\"text\":\"\","
            "\"type\":\"output_text\",\"logprobs\":[]}");
}

void response_writer::delta(std::string& out, const token_text& text, std::uint64_t count) {
  if (!tool_.empty() && text.size(count) == 0) return;
  buffer_.clear();
  append_number(buffer_, number_++);
  buffer_ += tool_.empty() ? ",\"type\":\"response.output_text.delta\"}\n\n"
                           : ",\"type\":\"response.function_call_arguments.delta\"}\n\n";
  append_size(out, opening_.size() + text.size(count) + closing_.size() + buffer_.size(), chunked_);
  out += opening_;
  text.append(out, count);
  out += closing_;
  out += buffer_;
  if (chunked_) out += "\r\n";
}

void response_writer::text_closed(std::string& out, const token_text& text, std::uint64_t tokens) {
  const std::string place = "\"content_index\":0,\"item_id\":\"msg_" + id_ + "\",";
  buffer_ = place + "\"logprobs\":[],\"output_index\":0,\"text\":\"";
  text.append(buffer_, tokens);
  buffer_ += '"';
  event(out, "response.output_text.done", buffer_);
  buffer_ = place + "\"output_index\":0,\"part\":";
  append_text_part(buffer_, text, tokens);
  event(out, "response.content_part.done", buffer_);
}

void response_writer::arguments_closed(std::string& out, const token_text& text,
                                       std::uint64_t tokens) {
  buffer_ = "\"arguments\":\"";
  text.append(buffer_, tokens);
  buffer_ += "\",\"item_id\":\"fc_" + id_ + "\",\"name\":" + tool_ + ",\"output_index\":0";
  event(out, "response.function_call_arguments.done", buffer_);
}

void response_writer::completed(std::string& out, const token_text& text, std::uint64_t tokens,
                                bool cut, const usage& used) {
  const response_facts about{id_, model_, created_, limit_, tool_};
  if (tool_.empty())
    text_closed(out, text, tokens);
  else
    arguments_closed(out, text, tokens);
  buffer_ = "\"item\":";
  append_item(buffer_, about, text, tokens, "completed");
  buffer_ += ",\"output_index\":0";
  event(out, "response.output_item.done", buffer_);
  buffer_ = "\"response\":";
  append_response_at_end(buffer_, about, text, tokens, cut, used);
  event(out, "response.completed", buffer_);
  append_end(out, chunked_);
}

}  // namespace inferbench::simulator
