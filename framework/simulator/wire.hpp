// Makes the frame of answers: head, chunks and errors. The functions have no state. They append to
// a buffer of the caller, which can be reused, so that there are few allocations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "simulator/body_reader.hpp"

namespace inferbench::simulator {

inline constexpr std::string_view continue_head = "HTTP/1.1 100 Continue\r\n\r\n";
inline constexpr std::string_view json_type = "application/json";

/// Appends a whole answer. `fields`: further header fields, each with its CR LF. If `with_body` is
/// false (for HEAD), the body is left out, but its length is in the head.
void append_answer(std::string& out, int status, std::string_view content_type,
                   std::string_view body, bool keep_alive, std::string_view fields = {},
                   bool with_body = true);

/// The body of an error answer, in the form that OpenAI's clients expect.
[[nodiscard]] std::string error_body(const refusal& why);

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
/// Appends the size line of a chunk with `size` bytes. The caller appends these bytes and the CR LF
/// after them.
void append_size(std::string& out, std::size_t size, bool chunked);

void append_number(std::string& out, std::uint64_t value, int base = 10);

}  // namespace inferbench::simulator
