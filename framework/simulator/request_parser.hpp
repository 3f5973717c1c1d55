// Parses HTTP/1.1 requests (RFC 9112) from bytes as they arrive, without any I/O. The parser is
// strict, to prevent request smuggling: it refuses a request if two readers could disagree on its
// length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace inferbench::simulator {

/// One request. The views are valid until the parser's next feed() or reset(), or until it is
/// moved.
struct http_request {
  std::string_view method;
  std::string_view path;  // without the query; if the target is an absolute URL, the path of the
                          // URL
  std::vector<std::pair<std::string_view, std::string_view>> fields;
  std::string_view body;
  bool http10 = false;
  bool keep_alive = true;

  /// The value of the first field with this name, ignoring case; empty if there is no such field.
  [[nodiscard]] std::string_view field(std::string_view name) const noexcept;
};

/// Parses the requests of one connection, one after another. One thread.
class request_parser {
 public:
  struct limits {
    std::size_t head = std::size_t{64} << 10U;  // request line and fields, or trailers
    std::size_t fields = 200;
    std::size_t body = std::size_t{64} << 20U;
  };
  enum class status : std::uint8_t { unfinished, complete, failed };

  request_parser() = default;
  explicit request_parser(const limits& bounds) : bounds_(bounds) {}

  /// Takes bytes up to the end of the request and returns the number of bytes taken. This is 0 if
  /// the request is already complete or has failed. Memory grows with the received bytes, to at
  /// most eight times as much, and not with the length that a header announces.
  std::size_t feed(std::string_view bytes);

  [[nodiscard]] status state() const noexcept;
  /// True if the head is complete, the body is not, and the client waits for 100 Continue.
  [[nodiscard]] bool awaits_continue() const noexcept;
  /// True if at least one byte of an incomplete request has arrived.
  [[nodiscard]] bool begun() const noexcept;

  /// Valid if the request is complete.
  [[nodiscard]] const http_request& request() const noexcept { return request_; }
  /// The status of the error answer (400, 413, 417, 431, 501 or 505) and the reason as a clause.
  /// Valid if the request has failed. The connection cannot be used any more.
  [[nodiscard]] int failure() const noexcept { return failure_; }
  [[nodiscard]] std::string_view reason() const noexcept { return reason_; }

  /// Moves the body out of a complete request, whose view of it becomes empty. The bytes of a body
  /// of 16 bytes and more stay where they are, so that views of them stay valid.
  [[nodiscard]] std::string take_body() noexcept;

  /// Prepares for the next request. Keeps small buffers and frees large buffers.
  void reset();

 private:
  enum class stage : std::uint8_t { head, sized, chunk_size, chunk, chunk_end, trailer, done, bad };

  std::size_t take_line(std::string_view bytes, std::string& line, bool& whole);
  void fail(int code, std::string_view reason);
  void read_head();
  bool read_request_line(std::string_view line);
  bool read_field(std::string_view line);
  void frame_body();
  void read_chunk_size();
  void take_piece(std::string_view bytes);
  void finish();

  limits bounds_;
  stage stage_ = stage::head;
  std::string head_;
  std::string line_;  // a line with a chunk size or a trailer
  std::string body_;
  std::uint64_t left_ = 0;    // bytes of the body or chunk that have not arrived yet
  std::size_t trailer_ = 0;   // bytes of trailers and chunk extensions so far
  std::size_t searched_ = 0;  // up to this offset, head_ has no blank line
  http_request request_;
  int failure_ = 0;
  std::string_view reason_;  // a string literal
};

}  // namespace inferbench::simulator
