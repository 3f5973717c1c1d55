// One request from its sample to its record, without sockets: feeds the received bytes to the codec
// and collects stamped events. The worker owns the exchange, feeds it the bytes of a connection and
// asks it for the bytes to send. Objects are reused: a second request through the same object
// allocates nothing that an ordinary first request had room for; memory that only an unusual
// request needed is freed by finish(). Redirects that keep method and body (307 and 308) are
// followed within the server, ten at most, as further legs of the request. The backend's
// max_message and max_answer bound the memory of an answer; no more than max_error_body is read of
// an error's body. Bodies in gzip and deflate are decoded. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <inferbench/abi.h>

#include "base/arena.hpp"
#include "client/answer.hpp"
#include "client/backend.hpp"
#include "client/headers.hpp"
#include "client/record.hpp"
#include "transport/decompressor.hpp"
#include "transport/http1_response_parser.hpp"
#include "transport/lines.hpp"
#include "transport/sse.hpp"

namespace inferbench::client {

/// The longest time between the arrivals of two bytes of one read.
struct spread_of_read {
  std::uint64_t ns = 0;
  bool more_behind = false;  // the last byte, too, may have arrived before the stamp
};

class exchange final : public answer {
 public:
  enum class progress : std::uint8_t {
    more,     // waiting for bytes
    another,  // this answer is complete; a further request is ready to be sent
    done      // the record is complete
  };

  /// Both must outlive the exchange; several exchanges may share `heads`.
  exchange(const backend& shared, head_writer& heads);
  exchange(const exchange&) = delete;
  exchange& operator=(const exchange&) = delete;
  ~exchange();

  /// Lets the codec serialise the request. `sample` must live until finish(). False: the codec
  /// refused; the record has the reason.
  [[nodiscard]] bool prepare(const ifb_sample& sample, std::uint64_t sequence,
                             std::uint64_t due_ns);

  /// The bytes to send: head(), then body(). A short body is already part of head(), so that both
  /// are one piece. Valid until the next leg, finish() or prepare().
  [[nodiscard]] std::string_view head() const noexcept { return head_; }
  [[nodiscard]] std::span<const ifb_bytes> body() const noexcept { return body_; }

  /// `tls_at`: when the handshake on this connection began; 0 on a plain or a kept connection.
  void connected(std::uint64_t at, std::uint64_t tls_at = 0) noexcept;
  /// head() and body() were given to the connection. `at` 0: the kernel has not taken any byte yet.
  /// The connection is not reusable() before the answer.
  void sent(std::uint64_t at) noexcept;

  /// Takes the bytes of a read. `stamp` is the stamp of the newest byte; the record of an event
  /// that is not the last in the read says that the event may have arrived up to `spread` earlier.
  [[nodiscard]] progress feed(std::string_view bytes, std::uint64_t stamp,
                              const spread_of_read& spread = {});
  /// The longest time by which an event of the latest feed() may have arrived before its stamp; 0:
  /// there is no event, or each event has an exact stamp.
  [[nodiscard]] std::uint64_t unsure() const noexcept;
  /// The bytes of the latest feed() arrived all at once, so their stamp is exact for each event.
  void came_at_once() noexcept;
  /// The stamps are not the kernel's: their lateness is unknown.
  void stamps_unknown() noexcept { record_.late.unknown = true; }
  /// The share of the time from start to the answer's first byte that the client itself caused, in
  /// all legs and connections so far.
  void sent_late(std::uint64_t ns) noexcept { record_.late.sending_ns = ns; }
  /// After progress::another: the end of the previous answer may have arrived so much before its
  /// stamp.
  [[nodiscard]] std::uint64_t late_of_leg() const noexcept { return leg_late_; }
  /// The end of the connection, which may have arrived up to `late` ns before its stamp.
  [[nodiscard]] progress eof(std::uint64_t stamp, std::uint64_t late = 0);
  /// An error's status is known, but its body has not ended: the rest is not read.
  [[nodiscard]] progress end_error(std::uint64_t stamp) { return with_cause(on_end(stamp, true)); }
  /// The status of the answer is an error, and its body is being read.
  [[nodiscard]] bool in_error() const noexcept {
    return framing_ == framing::refused && parser_.status() != 0;
  }

  /// Whether a byte of the answer has arrived.
  [[nodiscard]] bool answered() const noexcept { return parser_.started(); }
  /// Whether the connection may carry another request.
  [[nodiscard]] bool reusable() const noexcept { return keep_; }
  /// Whether the server announced that; for connection_pool::release().
  [[nodiscard]] bool announces_keep_alive() const noexcept {
    return parser_.announces_keep_alive();
  }
  /// The request was sent once more on a fresh connection because the first was stale.
  void sent_again() noexcept { record_.sent_again = true; }

  /// Closes the codec's exchange and hands over the record. answered() and head() are not valid
  /// afterwards.
  [[nodiscard]] record finish();

 private:
  enum class framing : std::uint8_t { refused, whole, sse, lines, raw };
  /// The beginning of a body that should be a stream of events.
  enum class beginning : std::uint8_t { unknown, stream, document };

  [[nodiscard]] bool make_request();
  void begin_leg();
  [[nodiscard]] bool write_request();
  [[nodiscard]] bool follow();
  [[nodiscard]] bool on_head();
  [[nodiscard]] bool on_coded_body(std::string_view data, std::uint64_t stamp);
  [[nodiscard]] bool on_body(std::string_view data, std::uint64_t stamp);
  [[nodiscard]] progress on_end(std::uint64_t stamp, bool leftover);
  [[nodiscard]] bool is_newest(std::string_view behind) const noexcept;
  void note_tail(std::string_view tail, bool ends_in_data) noexcept;
  [[nodiscard]] bool message(std::string_view event, std::string_view data, std::uint64_t stamp);
  void too_long(std::string_view what, std::uint64_t stamp);
  [[nodiscard]] std::string status_line() const;
  [[nodiscard]] progress with_cause(progress p);
  [[nodiscard]] std::string likely_cause() const;
  [[nodiscard]] std::string quoted(std::string_view words) const;
  [[nodiscard]] std::string_view coding() const;
  [[nodiscard]] bool begin_decoding(std::string_view coding);
  void look_at_beginning(std::string_view data);
  [[nodiscard]] std::string no_stream() const;
  void close() noexcept;

  head_writer& heads_;
  base::arena arena_;
  ifb_exchange* codec_ = nullptr;
  ifb_http_request request_{};
  const ifb_sample* sample_ = nullptr;
  std::string head_;
  std::span<const ifb_bytes> body_;
  std::string moved_to_;            // the target that a redirect names; request_ refers to it
  unsigned moves_ = 0;              // redirects of this request
  std::uint64_t unsent_bytes_ = 0;  // of head and body; 0 after sent()

  transport::http1_response_parser parser_;
  transport::sse_parser sse_;
  transport::line_parser lines_;
  /// A body that is one message, or the beginning of a body that is an error or possibly not a
  /// stream.
  std::string whole_;
  std::unique_ptr<transport::decompressor> decompressor_;  // kept once it was needed
  bool coded_ = false;                                     // the body is encoded
  beginning beginning_ = beginning::unknown;
  std::uint64_t messages_ = 0;  // of this answer
  bool any_body_ = false;
  framing framing_ = framing::whole;
  std::uint64_t room_ = 0;       // bytes that this answer may still take
  spread_of_read spread_;        // of the latest read
  std::string_view behind_;      // the rest of the latest read, behind the current piece
  std::size_t sure_events_ = 0;  // late events before the latest read
  std::uint64_t leg_late_ = 0;   // lateness of the end of the latest answer
  std::uint64_t tail_late_ = 0;  // lateness of the newest data of an event whose end has not come
  bool open_ = false;            // from prepare() to finish()
  bool keep_ = false;  // the answer was read to its end, and the server keeps the connection
};

}  // namespace inferbench::client
