// One request for tokens, streamed or whole: the part of completions, chat and
// transcriptions that comes after the body is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <inferbench/abi.h>
#include <inferbench/backend.hpp>

#include "backends/bodies/post.hpp"
#include "event.hpp"

namespace openai {

enum class protocol : std::uint8_t { completions, chat, transcription };

/// Events become output as upstream counts them: every event with a choice is one token
/// event, with or without text; in an event with several choices the one with index 0 counts.
/// Usage is taken wherever it stands, except for the length of a transcription's prompt, which
/// stays the client's. For servers that count each choice for itself (llama-server) the counts
/// of all choices are summed. An error in any event fails the request. A stream without
/// [DONE] and without a finish reason has the attribute end_mark=none in its record.
///
/// A token event has one channel: that of its first text that is not empty, in the order
/// answer, reasoning, tool call. Further texts become the attributes "reasoning" and
/// "tool_call" of the record, since a second on_token would be a second time stamp.
class token_exchange {
 public:
  /// `prompts`: how many the request holds.
  token_exchange(protocol kind, bodies::post request, bool streamed, std::size_t prompts = 1)
      : post_(std::move(request)), prompts_(prompts), kind_(kind), streamed_(streamed) {}

  void request(ifb_http_request& out) const { post_.request(out); }
  std::uint32_t on_head(const ifb_http_head& head) const {
    return bodies::framing_of(head, streamed_);
  }
  /// Throws ifb::failure: IFB_E_REMOTE with the server's error as JSON text, and as
  /// refuse_error_event(); IFB_E_PROTOCOL for what is no JSON object.
  void on_message(std::string_view event_name, std::string_view data, ifb::output out);
  /// Without a token event the request has failed.
  void on_end(ifb::output out);

 private:
  void count(const event& said, ifb::output out);

  bodies::post post_;
  std::string finish_reason_;
  usage first_;                // of the choice with index 0
  std::vector<usage> others_;  // of the choices behind it, if the server counts each
  std::size_t token_events_ = 0;
  std::size_t prompts_;
  protocol kind_;
  bool streamed_;
  bool marked_ = false;  // [DONE] or a finish reason has come
};

/// Throws ifb::failure, IFB_E_REMOTE, for an SSE event of the name "error", with the error in its
/// data as JSON text, or with the beginning of the data.
void refuse_error_event(std::string_view event_name, std::string_view data);

/// For a request that is about to fail where upstream keeps the answer so far in its result: text
/// and latency, or only the latency if there is no stream. Says so in the record by the attribute
/// partial_answer=kept.
inline void keep_partial_answer(ifb::output out) { out.attribute("partial_answer", "kept"); }

/// The failure of an answer without a token event.
void fail_without_token(ifb::output out);

}  // namespace openai
