// The bytes of answers, in vLLM's layout (compact JSON, one server-sent event in each
// chunk). Pure; all functions append to a buffer of the caller, so that nothing is
// allocated once it has grown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "simulator/api.hpp"

namespace inferbench::simulator {

inline constexpr std::string_view continue_head = "HTTP/1.1 100 Continue\r\n\r\n";
inline constexpr std::string_view json_type = "application/json";

/// A whole answer. `fields`: further header fields, each with its CR LF. Without
/// `with_body`, for HEAD, the body is left out and its length is not.
void append_answer(std::string& out, int status, std::string_view content_type,
                   std::string_view body, bool keep_alive, std::string_view fields = {},
                   bool with_body = true);

/// Body of an error answer as OpenAI's clients expect it.
[[nodiscard]] std::string error_body(int status, std::string_view message);

/// The field that gives a client its request id back; empty for an empty id.
[[nodiscard]] std::string request_id_field(std::string_view id);

/// Head of a stream. Without `chunked`, for HTTP/1.0, it ends with the connection.
void append_stream_head(std::string& out, bool keep_alive, bool chunked, std::string_view fields,
                        int status = 200,
                        std::string_view content_type = "text/event-stream; charset=utf-8");
/// The body after the head, piece by piece, none of them empty; and its end.
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
  std::string_view id;  // of the request; the answer adds a prefix
  std::string_view model;
  std::int64_t created = 0;  // unix seconds
};

/// Text of `count` tokens: words of a fixed text, from the one with that number on,
/// round and round. ASCII, nothing that JSON escapes.
void append_words(std::string& out, std::uint64_t first, std::uint64_t count);

/// Body of an answer that is not streamed.
void append_whole(std::string& out, const identity& who, std::uint64_t first_word,
                  std::uint64_t tokens, std::string_view finish_reason, const usage& used);

/// Events of one stream. The parts that do not change are laid out once.
class event_writer {
 public:
  /// For the answer that `who` names; its views may die after it. Keeps its buffers.
  void begin(const identity& who, bool chunked);

  /// The first event of a chat: a role and no text.
  void role(std::string& out) const;
  /// `count` tokens from `first_word` on; `finish_reason` is empty if more tokens follow.
  void tokens(std::string& out, std::uint64_t first_word, std::uint64_t count,
              std::string_view finish_reason) const;
  void used(std::string& out, const usage& figures) const;
  /// [DONE] and the end of the body.
  void done(std::string& out) const;

 private:
  std::string common_;   // data: {"id":...,"model":...,"choices":[
  std::string opening_;  // common_ up to the text
  api_kind kind_ = api_kind::completion;
  bool chunked_ = true;
};

}  // namespace inferbench::simulator
