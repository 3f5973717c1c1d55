// One request for tokens, streamed or whole: what completions, chat and transcriptions
// have in common once the body is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <inferbench/abi.h>
#include <inferbench/backend.hpp>

#include "post.hpp"

namespace openai {

enum class protocol : std::uint8_t { completions, chat, transcription };

/// Events become output as upstream counts them: every event with a choice is one
/// token event, with or without text; only the first choice of an event is read.
/// Usage is taken wherever it stands, but for the prompt of a transcription, whose length
/// stays what the client says. An error in any event fails the request.
///
/// A token event has one channel: that of its first text that is not empty, in the
/// order answer, reasoning, tool call. Where an event has several such texts, the
/// others become attributes "reasoning" and "tool_call" of the record, since a
/// second on_token would be a second time stamp.
class token_exchange {
 public:
  token_exchange(protocol kind, post request, bool streamed)
      : post_(std::move(request)), kind_(kind), streamed_(streamed) {}

  void request(ifb_http_request& out) const { post_.request(out); }
  std::uint32_t on_head(const ifb_http_head& head) const { return framing_of(head, streamed_); }
  /// Throws ifb::failure: IFB_E_REMOTE with the server's error as JSON text, and as
  /// refuse_error_event(); IFB_E_PROTOCOL for what is no JSON object.
  void on_message(std::string_view event_name, std::string_view data, ifb::output out);
  /// Without a token event the request has failed.
  void on_end(ifb::output out);

 private:
  post post_;
  std::string finish_reason_;
  std::size_t token_events_ = 0;
  protocol kind_;
  bool streamed_;
};

/// Throws ifb::failure, IFB_E_REMOTE, for an SSE event of the name "error", whatever its data
/// are: with the error in them as JSON text, or their beginning.
void refuse_error_event(std::string_view event_name, std::string_view data);

/// The failure of an answer without a token event.
void fail_without_token(ifb::output out);

}  // namespace openai
