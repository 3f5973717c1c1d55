// One request for tokens, streamed or whole: the part of completions, chat and
// transcriptions that comes after the body is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inferbench/abi.h>
#include <inferbench/backend.hpp>

#include "backends/bodies/post.hpp"
#include "event.hpp"
#include "tool_call_list.hpp"

namespace openai {

enum class protocol : std::uint8_t { completions, chat, transcription };

/// Events become output in the same way as in upstream: every event with a choice is one token
/// event, with or without text. In an event with several choices, the choice with index 0 counts.
/// The usage is taken from any event that has it. The only exception is the length of a
/// transcription's prompt: the client's own count is kept. If a server counts each choice
/// separately (llama-server), the counts of all choices are added.
/// An error in any event fails the request. If a stream has neither [DONE] nor a finish reason, its
/// record has the attribute end_mark=none.
///
/// If the server reports its own times (server_timings.hpp), the record has the attributes
/// "server_queue_time" and "server_ttft", in seconds.
///
/// A token event has one channel: the channel of its first text that is not empty, in the order
/// answer, reasoning, tool call. Further texts become the attributes "reasoning" and
/// "tool_call" of the record, since a second on_token would be a second time stamp. An answer with
/// tool calls gets the attribute "tool_calls" at its end: the calls as JSON (tool_call_list.hpp).
class token_exchange {
 public:
  /// `prompts` is the number of prompts in the request.
  token_exchange(protocol kind, bodies::post request, bool streamed, std::size_t prompts = 1)
      : post_(std::move(request)), prompts_(prompts), kind_(kind), streamed_(streamed) {}

  void request(ifb_http_request& out) const { post_.request(out); }
  std::uint32_t on_head(const ifb_http_head& head) const {
    return bodies::framing_of(head, streamed_);
  }
  /// Throws ifb::failure: IFB_E_REMOTE with the server's error as JSON text, also under the
  /// conditions of refuse_error_event(); IFB_E_PROTOCOL if the data are not a JSON object.
  void on_message(const ifb::http_message& message, ifb::output out);
  /// Fails the request if it had no token event.
  void on_end(ifb::output out);

 private:
  void count(const event& said, ifb::output out);

  bodies::post post_;
  std::string finish_reason_;
  usage first_;                            // the usage of the choice with index 0
  std::unique_ptr<tool_call_list> calls_;  // not there if the answer has no tool call
  std::vector<usage> others_;  // the usage of choices 1, 2, ..., if the server counts each choice
  std::size_t token_events_ = 0;
  std::size_t prompts_;
  protocol kind_;
  bool streamed_;
  bool marked_ = false;  // [DONE] or a finish reason has arrived
  bool timed_ = false;   // the server has reported its own times
};

/// Throws ifb::failure, IFB_E_REMOTE, if `event_name` is "error". The message is the error in
/// `data` as JSON text, or the beginning of `data`.
void refuse_error_event(std::string_view event_name, std::string_view data);

/// To be called for a request that is about to fail, if upstream keeps the incomplete answer in its
/// result. Upstream keeps text and latency, or only the latency if there is no stream. The
/// attribute partial_answer=kept in the record reports this.
inline void keep_partial_answer(ifb::output out) { out.attribute("partial_answer", "kept"); }

/// Reports the failure of an answer that had no token event.
void fail_without_token(ifb::output out);

}  // namespace openai
