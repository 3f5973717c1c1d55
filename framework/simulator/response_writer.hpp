// Makes the bodies of /v1/responses, in vLLM's layout: typed events with names, or one object. The
// response has one message, which has one text, or one call of a tool.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "simulator/event_writer.hpp"
#include "simulator/token_text.hpp"

namespace inferbench::simulator {

/// Appends the body of a response that is not streamed. `limit` is the largest number of tokens
/// that the answer could have; `cut`: the answer has reached this limit. `tool`: the name of the
/// tool that the response calls, and `text` is then the arguments; empty: the response has a
/// message.
void append_whole_response(std::string& out, const identity& who, const token_text& text,
                           std::uint64_t tokens, std::uint64_t limit, bool cut, const usage& used,
                           std::string_view tool = {});

/// Writes the events of one streamed response. An event carries its number in the stream, so the
/// functions are called in the order of their declarations.
class response_writer {
 public:
  /// Prepares for the answer that `who` describes. The views in `who` are used only during this
  /// call. Reuses the buffers of earlier answers. `tool`: as in append_whole_response().
  void begin(const identity& who, std::uint64_t limit, bool chunked, std::string_view tool = {});

  /// Appends response.created and response.in_progress, which have no text.
  void created(std::string& out);
  /// Appends the events that open the message and its text, or the event that opens the call, which
  /// has the name.
  void opened(std::string& out);
  /// Appends response.output_text.delta, or response.function_call_arguments.delta, with the first
  /// `count` tokens of `text`. A call has no such event for tokens without text.
  void delta(std::string& out, const token_text& text, std::uint64_t count);
  /// Appends the events that close the text and the message, or the arguments and the call,
  /// response.completed, and the end of the body. The text is the first `tokens` tokens of `text`.
  /// Like vLLM, a response that was cut ends with response.completed, too; its status is
  /// "incomplete".
  void completed(std::string& out, const token_text& text, std::uint64_t tokens, bool cut,
                 const usage& used);

 private:
  void event(std::string& out, std::string_view type, std::string_view members);
  void text_closed(std::string& out, const token_text& text, std::uint64_t tokens);
  void arguments_closed(std::string& out, const token_text& text, std::uint64_t tokens);

  std::string id_;       // of the request, as JSON without quotes
  std::string model_;    // as a JSON string
  std::string tool_;     // as a JSON string; empty: the response has a message
  std::string opening_;  // the part of a delta before its text
  std::string closing_;  // the part of a delta after its text, before its number
  std::string buffer_;
  std::int64_t created_ = 0;
  std::uint64_t limit_ = 0;
  std::uint64_t number_ = 0;  // of the next event
  bool chunked_ = true;
};

}  // namespace inferbench::simulator
