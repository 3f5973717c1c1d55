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
// How bytes are cut into reads makes no difference to what comes out, except to
// where body data is cut.
//
// Lenient where servers are: LF for CRLF, folded header lines (joined by blanks),
// blanks after a chunk size, chunk extensions and trailers (skipped), identical
// repeated lengths. Strict where framing would be guessed: everything else fails,
// in chunk framing at the first byte that cannot be right.
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
  head,   // status and header are there; interim (1xx) answers are skipped
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

  /// `max_head_bytes`: of status line and header together; also of a chunk-size line
  /// and of all trailers.
  explicit http1_response_parser(std::size_t max_head_bytes = 64 * 1024);
  http1_response_parser(const http1_response_parser&) = delete;
  http1_response_parser& operator=(const http1_response_parser&) = delete;

  /// Ready for the next answer; keeps memory of ordinary size. `to_head`: it answers a HEAD
  /// request and so has no body whatever its header says.
  void begin(bool to_head = false) noexcept;

  /// The next piece, its bytes taken from the front of `input`. After `end` and
  /// `failed` it takes nothing until begin().
  [[nodiscard]] piece next(std::string_view& input);

  /// The connection has ended: `end` when that completes the answer (a body without
  /// length), `failed` when it cuts it short or none has come, `more` when it was
  /// complete before.
  [[nodiscard]] http1_piece finish();

  /// From `head` until begin(). Field views live as long; names as received, values
  /// without blanks around, possibly empty.
  [[nodiscard]] ifb_http_head head() const noexcept;
  [[nodiscard]] std::uint32_t status() const noexcept { return status_; }  // 0 before `head`
  [[nodiscard]] std::string_view reason() const noexcept {
    return fresh_ ? std::string_view{} : reason_;
  }
  /// The value of the first field of that name, case ignored; empty when absent.
  [[nodiscard]] std::string_view find(std::string_view name) const noexcept;

  /// After `end`: whether both sides mean to keep the connection. The caller also
  /// has to see that no bytes are left over.
  [[nodiscard]] bool reusable() const noexcept { return state_ == state::ended && keep_; }
  /// The answer has a field Keep-Alive. cpp-httplib, and so llama-server, sends it with streamed
  /// answers and closes behind them all the same.
  [[nodiscard]] bool announces_keep_alive() const noexcept { return announced_; }
  /// Any byte has come since begin(): the server has begun to answer.
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

  /// What was made of a head: that of the next answer is often the same.
  struct verdict {
    std::uint64_t left = 0;
    std::uint32_t status = 0;  // 0: none is known
    state next = state::head;
    bool keep = false;
    bool announced = false;
  };

  std::size_t limit_;
  std::string text_;               // status line and header, as received
  std::vector<ifb_field> fields_;  // views into text_
  std::uint64_t framing_ = 0;      // bits of those that say where the body ends
  verdict known_;                  // of text_
  std::string_view reason_;
  std::string error_;
  std::uint64_t left_ = 0;      // of the body or of the chunk
  std::uint64_t received_ = 0;  // body bytes
  std::size_t line_start_ = 0;  // of the last line of text_
  std::size_t line_ = 0;        // bytes of the chunk-size line or of the trailers
  std::uint32_t status_ = 0;
  std::uint32_t interim_ = 0;
  state state_ = state::head;
  bool fresh_ = true;  // text_ and fields_ are those of the answer before
  bool to_head_ = false;
  bool minor_zero_ = false;  // HTTP/1.0
  bool keep_ = false;
  bool announced_ = false;
};

}  // namespace inferbench::transport
