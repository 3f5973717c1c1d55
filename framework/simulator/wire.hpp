// Makes the bytes of answers, in vLLM's layout (compact JSON, one server-sent event in each chunk).
// The functions have no state. They append to a buffer of the caller, which can be reused, so that
// there are few allocations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "simulator/api.hpp"

namespace inferbench::simulator {

inline constexpr std::string_view continue_head = "HTTP/1.1 100 Continue\r\n\r\n";
inline constexpr std::string_view json_type = "application/json";

/// Appends a whole answer. `fields`: further header fields, each with its CR LF. If `with_body` is
/// false (for HEAD), the body is left out, but its length is in the head.
void append_answer(std::string& out, int status, std::string_view content_type,
                   std::string_view body, bool keep_alive, std::string_view fields = {},
                   bool with_body = true);

/// The body of an error answer, in the form that OpenAI's clients expect.
[[nodiscard]] std::string error_body(int status, std::string_view message);

/// The header field with the request id of the client; empty for an empty id.
[[nodiscard]] std::string request_id_field(std::string_view id);

/// Appends the head of a stream. If `chunked` is false (for HTTP/1.0), the body ends when the
/// connection is closed.
void append_stream_head(std::string& out, bool keep_alive, bool chunked, std::string_view fields,
                        int status = 200,
                        std::string_view content_type = "text/event-stream; charset=utf-8");
/// Append one piece of the body, which must not be empty, and the end of the body.
void append_piece(std::string& out, std::string_view piece, bool chunked);
void append_end(std::string& out, bool chunked);

struct usage {
  std::uint64_t prompt_tokens = 0;
  std::uint64_t completion_tokens = 0;
  std::uint64_t cached_tokens = 0;
};

/// The parts that all events of one answer share.
struct identity {
  api_kind kind = api_kind::completion;
  std::string_view id;  // id of the request; the answer adds a prefix
  std::string_view model;
  std::int64_t created = 0;  // unix seconds
};

/// Appends the text of `count` tokens. Each token is a word of a fixed text, starting with word
/// number `first`; after the last word, the text starts again. The words are ASCII and need no
/// escapes in JSON.
void append_words(std::string& out, std::uint64_t first, std::uint64_t count);

/// Appends the body of an answer that is not streamed.
void append_whole(std::string& out, const identity& who, std::uint64_t first_word,
                  std::uint64_t tokens, std::string_view finish_reason, const usage& used);

/// Writes the events of one stream. The parts that all events share are prepared once.
class event_writer {
 public:
  /// Prepares for the answer that `who` describes. The views in `who` are used only during this
  /// call. Reuses the buffers of earlier answers.
  void begin(const identity& who, bool chunked);

  /// Appends the first event of a chat, which has a role and no text.
  void role(std::string& out) const;
  /// Appends an event with `count` tokens, starting with word `first_word`. `finish_reason` is
  /// empty if more tokens follow.
  void tokens(std::string& out, std::uint64_t first_word, std::uint64_t count,
              std::string_view finish_reason) const;
  void used(std::string& out, const usage& figures) const;
  /// Appends [DONE] and the end of the body.
  void done(std::string& out) const;

 private:
  std::string common_;   // the text `data: {"id":...,"model":...,"choices":[`
  std::string opening_;  // common_ and the part of an event before its text
  api_kind kind_ = api_kind::completion;
  bool chunked_ = true;
};

}  // namespace inferbench::simulator
