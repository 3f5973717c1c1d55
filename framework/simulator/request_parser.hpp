// HTTP/1.1 requests (RFC 9112) from bytes as they arrive, without any I/O. Strict
// where leniency invites request smuggling: a request whose length two readers could
// see differently is refused.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace inferbench::simulator {

/// Views live until the parser is fed again, reset or moved.
struct http_request {
  std::string_view method;
  std::string_view path;  // without query; of an absolute target its path
  std::vector<std::pair<std::string_view, std::string_view>> fields;
  std::string_view body;
  bool http10 = false;
  bool keep_alive = true;

  /// Value of the first field of that name, case ignored; empty without one.
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

  /// Takes bytes up to the end of the request and returns their number; once complete or
  /// failed, none. Memory grows with the bytes that arrived, not with the length that a
  /// header announces.
  std::size_t feed(std::string_view bytes);

  [[nodiscard]] status state() const noexcept;
  /// The head is whole, its body is not, and the client waits for 100 Continue.
  [[nodiscard]] bool awaits_continue() const noexcept;
  /// Some byte of a request has arrived that is not complete.
  [[nodiscard]] bool begun() const noexcept;

  /// Valid once the request is complete.
  [[nodiscard]] const http_request& request() const noexcept { return request_; }
  /// Valid once the request has failed: the status to answer with (400, 413, 417, 431, 501 or 505)
  /// and a clause that says why. The connection cannot be used further.
  [[nodiscard]] int failure() const noexcept { return failure_; }
  [[nodiscard]] std::string_view reason() const noexcept { return reason_; }

  /// Ready for the next request; keeps small buffers.
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
  void finish();

  limits bounds_;
  stage stage_ = stage::head;
  std::string head_;
  std::string line_;  // chunk sizes and trailers
  std::string body_;
  std::uint64_t left_ = 0;    // bytes of the body or chunk still to come
  std::size_t trailer_ = 0;   // bytes of trailers and chunk extensions so far
  std::size_t searched_ = 0;  // head_ up to here has no blank line
  http_request request_;
  int failure_ = 0;
  std::string_view reason_;  // a literal
};

}  // namespace inferbench::simulator
