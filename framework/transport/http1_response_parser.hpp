// HTTP/1.0 and 1.1 answers, incrementally, without I/O: bytes in, pieces out. One
// object serves one connection, answer after answer. One thread at a time.
//
//   parser.begin();
//   for (;;) {                                  // for every read
//     const auto piece = parser.next(bytes);    // takes from the front of `bytes`
//     if (piece.kind == http1_piece::more) break;
//     ...
//   }
//
// The pieces do not depend on how the bytes are cut into reads, except where body data is cut.
//
// Lenient towards common server behaviour: LF for CRLF, folded header lines (joined by blanks),
// blanks after a chunk size, chunk extensions and trailers (skipped), identical repeated lengths.
// Strict if the framing is doubtful: everything else fails, chunk framing at the first wrong byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/abi.h>

namespace inferbench::transport {

enum class http1_piece : std::uint8_t {
  more,   // the input is used up
  head,   // status and header are known; interim (1xx) answers are skipped
  body,   // data: the next body bytes, a view into the input
  end,    // the answer is complete; the input may hold bytes beyond it
  failed  // error() says why; final until begin()
};

class http1_response_parser {
 public:
  struct piece {
    http1_piece kind = http1_piece::more;
    std::string_view data{};
  };

  /// `max_head_bytes`: limit of status line and header together; also of a chunk-size line and of
  /// all trailers.
  explicit http1_response_parser(std::size_t max_head_bytes = 64 * 1024);
  http1_response_parser(const http1_response_parser&) = delete;
  http1_response_parser& operator=(const http1_response_parser&) = delete;

  /// Prepares for the next answer; keeps memory of ordinary size. `to_head`: the answer is to a
  /// HEAD request and has no body, whatever its header says.
  void begin(bool to_head = false) noexcept;

  /// Returns the next piece and takes its bytes from the front of `input`. After `end` and `failed`
  /// it takes nothing until begin().
  [[nodiscard]] piece next(std::string_view& input);

  /// The connection has ended. Returns `end` if that completes the answer (a body without length),
  /// `failed` if the answer is cut short or missing, `more` if it was complete before.
  [[nodiscard]] http1_piece finish();

  /// Valid from `head` until begin(), and so are the field views. Names are as received; values
  /// have no blanks around them and may be empty.
  [[nodiscard]] ifb_http_head head() const noexcept;
  [[nodiscard]] std::uint32_t status() const noexcept { return status_; }  // 0 before `head`
  [[nodiscard]] std::string_view reason() const noexcept {
    return fresh_ ? std::string_view{} : reason_;
  }
  /// The value of the first field with that name, case ignored; empty if absent.
  [[nodiscard]] std::string_view find(std::string_view name) const noexcept;

  /// After `end`: whether both sides want to keep the connection. The caller must also check that
  /// no bytes are left over.
  [[nodiscard]] bool reusable() const noexcept { return state_ == state::ended && keep_; }
  /// The answer has a Keep-Alive field. cpp-httplib, and so llama-server, sends it with streamed
  /// answers, but then closes the connection.
  [[nodiscard]] bool announces_keep_alive() const noexcept { return announced_; }
  /// Whether any byte has come since begin().
  [[nodiscard]] bool started() const noexcept {
    return state_ != state::head || (!fresh_ && !text_.empty()) || interim_ != 0;
  }
  /// A clause, "bad chunk size \"zz\""; empty unless failed.
  [[nodiscard]] const std::string& error() const noexcept { return error_; }

 private:
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

  [[nodiscard]] bool take_known_head(std::string_view& input) noexcept;
  [[nodiscard]] piece take_head(std::string_view& input);
  [[nodiscard]] bool take_usual_chunk(std::string_view& input, piece& out) noexcept;
  [[nodiscard]] piece take_chunked(std::string_view& input);
  [[nodiscard]] bool parse_head();
  [[nodiscard]] bool parse_status(std::string_view line);
  [[nodiscard]] bool parse_fields(std::size_t at);
  [[nodiscard]] bool decide_framing();
  void end_size_line() noexcept;
  bool fail(std::string why);
  void forget() noexcept;

  /// The evaluation of a head, kept because the next answer often has the same head.
  struct verdict {
    std::uint64_t left = 0;
    std::uint32_t status = 0;  // 0: no head is known
    state next = state::head;
    bool keep = false;
    bool announced = false;
  };

  std::size_t limit_;
  std::string text_;               // status line and header, as received
  std::vector<ifb_field> fields_;  // views into text_
  std::uint64_t framing_ = 0;      // one bit for each field that determines where the body ends
  verdict known_;                  // of the head in text_
  std::string_view reason_;
  std::string error_;
  std::uint64_t left_ = 0;      // of the body or of the chunk
  std::uint64_t received_ = 0;  // body bytes
  std::size_t line_start_ = 0;  // start of the last line of text_
  std::size_t line_ = 0;        // bytes of the chunk-size line or of the trailers
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
