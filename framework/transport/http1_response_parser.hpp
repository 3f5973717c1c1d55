// Parses HTTP/1.0 and 1.1 answers incrementally, without I/O: it takes bytes and returns pieces.
// One object serves one connection, answer after answer. One thread at a time.
//
//   parser.begin();
//   for (;;) {                                  // for every read
//     const auto piece = parser.next(bytes);    // takes from the front of `bytes`
//     if (piece.kind == http1_piece::more) break;
//     ...
//   }
//
// The pieces do not depend on how the bytes are split into reads, except that a body piece ends
// where a read ends.
//
// The parser accepts common deviations of servers: LF instead of CRLF, folded header lines (joined
// by blanks), blanks after a chunk size, chunk extensions (skipped), malformed lines in the
// trailers (left out), and repeated identical lengths. All other errors in the framing make the
// answer fail; wrong chunk framing fails at the first wrong byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/abi.h>

namespace inferbench::transport {

enum class http1_piece : std::uint8_t {
  more,   // the input is used up
  head,   // status and header are known; interim (1xx) answers are skipped
  body,   // data: the next body bytes, a view into the input
  end,    // the answer is complete; the input may contain further bytes
  failed  // error() contains the reason; the state stays until begin()
};

class http1_response_parser {
  enum class state : std::uint8_t {
    head,
    no_body,
    length,
    until_close,
    size_begin,
    size,
    size_blank,
    extension,
    size_lf,
    data,
    data_end,
    data_lf,
    trailer_begin,
    trailer,
    trailer_lf,
    ended,
    failed
  };

 public:
  struct piece {
    http1_piece kind = http1_piece::more;
    std::string_view data{};
  };

  /// A place in the body of an answer, from which another parser can continue.
  class place {
    friend class http1_response_parser;
    std::uint64_t left_ = 0;
    std::uint64_t received_ = 0;
    std::size_t line_ = 0;
    state state_ = state::ended;
    bool keep_ = false;
    bool announced_ = false;
  };

  /// `max_head_bytes` limits the status line and header together. It also limits a chunk-size line,
  /// and all trailers together.
  explicit http1_response_parser(std::size_t max_head_bytes = 64 * 1024);
  http1_response_parser(const http1_response_parser&) = delete;
  http1_response_parser& operator=(const http1_response_parser&) = delete;

  /// Prepares for the next answer. Buffers of ordinary size are kept. `to_head`: the answer belongs
  /// to a HEAD request and has no body, even if its header announces a body.
  void begin(bool to_head = false) noexcept;

  /// The place up to which the body has been read. Call this between `head` and `end`.
  [[nodiscard]] place here() const noexcept;
  /// Prepares to read the rest of a body from the place `from` of another parser. head() and
  /// status() stay empty, and trailers() lacks the bytes before this place.
  void continue_at(const place& from) noexcept;

  /// Returns the next piece and takes its bytes from the front of `input`. After `end` and `failed`
  /// it takes nothing until begin().
  [[nodiscard]] piece next(std::string_view& input);

  /// Call this when the connection has ended. Returns `end` if this completes the answer (a body
  /// without a length), `failed` if the answer is cut short or missing, and `more` if the answer
  /// was already complete.
  [[nodiscard]] http1_piece finish();

  /// The head of the answer. It and its views are valid from the piece `head` until begin(). Names
  /// are as received. Values have no blanks around them and may be empty.
  [[nodiscard]] ifb_http_head head() const noexcept;
  [[nodiscard]] std::uint32_t status() const noexcept { return status_; }  // 0 before `head`
  [[nodiscard]] std::string_view reason() const noexcept {
    return fresh_ ? std::string_view{} : reason_;
  }
  /// The value of the first field with this name, ignoring case; empty if there is no such field.
  [[nodiscard]] std::string_view find(std::string_view name) const noexcept;

  /// The fields after a chunked body, in their order; names are as received, and values have no
  /// blanks around them. Valid from `end` until begin(); empty before. Each field is only data: it
  /// does not change head().
  [[nodiscard]] std::span<const ifb_field> trailers() const noexcept { return trailers_; }

  /// After `end`: whether both sides want to keep the connection. The caller must also check that
  /// no bytes follow the answer.
  [[nodiscard]] bool reusable() const noexcept { return state_ == state::ended && keep_; }
  /// True if the answer has a Keep-Alive field. cpp-httplib, which llama-server uses, sends this
  /// field with streamed answers but closes the connection after them.
  [[nodiscard]] bool announces_keep_alive() const noexcept { return announced_; }
  /// Whether any byte of the answer has arrived since begin().
  [[nodiscard]] bool started() const noexcept {
    return state_ != state::head || (!fresh_ && !text_.empty()) || interim_ != 0;
  }
  /// The error as a clause: "bad chunk size \"zz\"". Empty unless the answer has failed.
  [[nodiscard]] const std::string& error() const noexcept { return error_; }

 private:
  [[nodiscard]] bool take_known_head(std::string_view& input) noexcept;
  [[nodiscard]] piece take_head(std::string_view& input);
  [[nodiscard]] bool take_usual_chunk(std::string_view& input, piece& out) noexcept;
  [[nodiscard]] piece take_chunked(std::string_view& input);
  [[nodiscard]] bool parse_head();
  [[nodiscard]] bool parse_status(std::string_view line);
  [[nodiscard]] bool parse_fields(std::size_t at);
  [[nodiscard]] bool decide_framing();
  void end_size_line() noexcept;
  [[nodiscard]] piece end_trailers(std::string_view& input, const char* behind);
  bool fail(std::string why);
  void forget() noexcept;

  /// The result of evaluating a head. It is kept because the next answer often has the same head.
  struct verdict {
    std::uint64_t left = 0;
    std::uint32_t status = 0;  // 0: no head is known
    state next = state::head;
    bool keep = false;
    bool announced = false;
  };

  std::size_t limit_;
  std::string text_;                 // status line and header, as received
  std::vector<ifb_field> fields_;    // views into text_
  std::uint64_t framing_ = 0;        // one bit for each field that determines where the body ends
  verdict known_;                    // result for the head in text_
  std::string trailer_text_;         // lines after the last chunk, as received
  std::vector<ifb_field> trailers_;  // views into trailer_text_
  std::string_view reason_;
  std::string error_;
  std::uint64_t left_ = 0;      // remaining bytes of the body or of the chunk
  std::uint64_t received_ = 0;  // number of body bytes received
  std::size_t line_start_ = 0;  // start of the last line of text_
  std::size_t line_ = 0;        // number of bytes of the chunk-size line or of the trailers
  std::uint32_t status_ = 0;
  std::uint32_t interim_ = 0;
  state state_ = state::head;
  bool fresh_ = true;  // text_ and fields_ still belong to the previous answer
  bool to_head_ = false;
  bool minor_zero_ = false;  // HTTP/1.0
  bool keep_ = false;
  bool announced_ = false;
};

}  // namespace inferbench::transport
