// Makes the bodies of generated answers, in vLLM's layout (compact JSON, one server-sent event in
// each chunk): completions, chats and transcriptions. response_writer.hpp has the responses. All
// functions append to a buffer of the caller, which can be reused, so that there are few
// allocations.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "simulator/api.hpp"
#include "simulator/token_text.hpp"

namespace inferbench::simulator {

struct usage {
  std::uint64_t prompt_tokens = 0;
  std::uint64_t completion_tokens = 0;
  std::uint64_t cached_tokens = 0;
};

/// The parts that all events of one answer share.
struct identity {
  api_kind kind = api_kind::completion;
  std::string_view id;  // id of the request; the answer adds the prefix of its kind
  std::string_view model;
  std::int64_t created = 0;  // unix seconds
};

/// Appends the body of a completion or a chat that is not streamed. `tool`: the name of the tool
/// that a chat calls, and `text` is then the arguments; empty: the chat calls no tool.
void append_whole(std::string& out, const identity& who, const token_text& text,
                  std::uint64_t tokens, std::string_view finish_reason, const usage& used,
                  std::string_view tool = {});
/// Appends the body of a transcription or a translation that is not streamed. `seconds` is the
/// length of the sound.
void append_whole_transcription(std::string& out, api_kind kind, const token_text& text,
                                std::uint64_t tokens, double seconds);

/// Writes the events of one stream of a completion, a chat, a transcription or a translation. The
/// parts that all events share are prepared once.
class event_writer {
 public:
  /// Prepares for the answer that `who` describes. The views in `who` are used only during this
  /// call. Reuses the buffers of earlier answers. `chunked`: each event becomes a chunk of HTTP.
  /// `tool`: as in append_whole(); the first event with tokens then has id and name of the call.
  void begin(const identity& who, bool chunked, std::string_view tool = {});

  /// Appends the first event of a chat, which has a role and no text.
  void role(std::string& out) const;
  /// Appends an event with the first `count` tokens of `text`. `finish_reason` is empty if more
  /// tokens follow. `so_far`: the usage that the event reports; null: none.
  void tokens(std::string& out, const token_text& text, std::uint64_t count,
              std::string_view finish_reason, const usage* so_far = nullptr);
  /// Appends an event with the usage and without choices.
  void used(std::string& out, const usage& figures) const;
  /// Appends [DONE] and the end of the body.
  void done(std::string& out) const;

 private:
  std::string common_;   // the text `data: {"id":...,"model":...,"choices":[`
  std::string opening_;  // common_ and the part of an event before its text
  std::string naming_;   // instead of opening_ in the first event of a call; empty after that event
  std::string closing_;  // buffer for the usage of an event and the end of the event
  api_kind kind_ = api_kind::completion;
  bool calls_ = false;  // the texts are arguments of a call
  bool chunked_ = true;
};

}  // namespace inferbench::simulator
