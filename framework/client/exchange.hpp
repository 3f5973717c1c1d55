// One request from its sample to its record, without sockets: feeds the received bytes to the codec
// and collects stamped events. The worker owns the exchange, feeds the bytes of a connection to the
// exchange, and takes the bytes to send from it. Objects are reused: an ordinary second request
// through the same object allocates no memory in the exchange, because the memory of the first
// request is kept. finish() frees memory that only an unusual request needed. The exchange follows
// at most ten redirects that keep method and body (307 and 308) and stay on the same server. Each
// followed redirect is a further leg of the request, and so is each further request of the codec.
// The backend's max_message and max_answer limit the memory of an answer, and max_error_body limits
// the part of an error answer's body that is read. Bodies in gzip and deflate are decoded. Used by
// one thread at a time.
//
// exchange.cpp has the answer, exchange_request.cpp the request, and exchange_error.cpp the error
// messages.
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
  bool more_behind = false;  // the last byte may also have arrived before the stamp
};

class exchange final : public answer {
 public:
  enum class progress : std::uint8_t {
    more,     // more bytes are needed
    another,  // this answer is over, and the next leg is ready to be sent, unless unserialised()
    done      // the record is complete
  };

  /// `shared` and `heads` must outlive the exchange; several exchanges may share `heads`.
  exchange(const backend& shared, head_writer& heads);
  exchange(const exchange&) = delete;
  exchange& operator=(const exchange&) = delete;
  ~exchange();

  /// Lets the codec serialise the request: accept(), serialise() and write_head(). `sample` must
  /// live until finish(). Returns false if the codec refuses, or if HTTP/1.1 cannot carry the
  /// request; the record then contains the reason.
  [[nodiscard]] bool prepare(const ifb_sample& sample, std::uint64_t sequence,
                             std::uint64_t due_ns);
  /// The steps of prepare(). serialise() is the only function of this class that may be called on
  /// another thread; it must have returned before any other function is called.
  void accept(const ifb_sample& sample, std::uint64_t sequence, std::uint64_t due_ns);
  void serialise();
  [[nodiscard]] bool write_head();

  /// Whether the caller serialises each further leg, because the sample is large. It applies to the
  /// request that accept() has begun. If it is off, a further leg is ready after progress::another.
  void leave_further_legs(bool left) noexcept { leaves_legs_ = left; }
  /// After progress::another: the leg is not serialised yet. Call serialise(), which may run on
  /// another thread, and write_head() before the leg is sent.
  [[nodiscard]] bool unserialised() const noexcept { return unserialised_; }

  /// Call this right before each sending of a leg if the codec signs (plugin::codec::signs): the
  /// codec signs the request, and the head is written. `now`: the time of the host's clock;
  /// `unix_ns`: the wall clock. Returns false if the codec refuses; the record is then complete.
  [[nodiscard]] bool sign(std::uint64_t now, std::int64_t unix_ns);

  /// The bytes to send are head() and then body(). head() includes a short body, so that both are
  /// sent as one piece; body() is then empty. If the codec signs, they are valid only after sign().
  /// The views are valid until the next leg, sign(), finish() or prepare().
  [[nodiscard]] std::string_view head() const noexcept { return head_; }
  [[nodiscard]] std::span<const ifb_bytes> body() const noexcept { return body_; }
  /// After progress::another: the earliest time at which the next leg may be sent; 0: at once.
  [[nodiscard]] std::uint64_t not_before() const noexcept { return not_before_; }

  /// The connection became usable at `at`. `tls_at`: the time when the TLS handshake on this
  /// connection began; 0 on a connection without TLS or on a reused connection.
  void connected(std::uint64_t at, std::uint64_t tls_at = 0) noexcept;
  /// head() and body() were given to the connection. `at`: the time when the kernel took the first
  /// byte; 0 if it has not taken any byte yet. reusable() and has_rest() are false until the answer
  /// is over.
  void sent(std::uint64_t at) noexcept;

  /// Takes the bytes of a read. `stamp` is the stamp of the newest byte. An event that is not the
  /// last in the read may have arrived up to `spread` earlier, and the record notes this.
  [[nodiscard]] progress feed(std::string_view bytes, std::uint64_t stamp,
                              const spread_of_read& spread = {});
  /// The longest time, in ns, by which an event of the latest feed() may have arrived before its
  /// stamp. 0 if there is no event or if each event has an exact stamp.
  [[nodiscard]] std::uint64_t unsure() const noexcept;
  /// Call this if all bytes of the latest feed() arrived at the same time: their stamp is then
  /// exact for each event.
  void came_at_once() noexcept;
  /// Call this if the stamps are not from the kernel: their lateness is then unknown.
  void stamps_unknown() noexcept { record_.late.unknown = true; }
  /// `ns`: the part of the time from the start to the answer's first byte that the client itself
  /// caused, in all legs and connections so far.
  void sent_late(std::uint64_t ns) noexcept { record_.late.sending_ns = ns; }
  /// After progress::another: the time in ns by which the end of the previous answer may have
  /// arrived before its stamp.
  [[nodiscard]] std::uint64_t late_of_leg() const noexcept { return leg_late_; }
  /// The server has closed the connection. The end of the connection may have arrived up to `late`
  /// ns before `stamp`.
  [[nodiscard]] progress eof(std::uint64_t stamp, std::uint64_t late = 0);
  /// Ends an error answer whose body has not ended. The rest of the body is not read.
  [[nodiscard]] progress end_error(std::uint64_t stamp) { return with_cause(on_end(stamp, true)); }
  /// Whether the status of the answer is an error and its body is being read.
  [[nodiscard]] bool in_error() const noexcept {
    return framing_ == framing::refused && parser_.status() != 0;
  }

  /// After progress::another or done: whether the codec has ended the request before the end of the
  /// body. Then the rest of the body is still to come on the connection.
  [[nodiscard]] bool has_rest() const noexcept { return has_rest_; }
  /// If has_rest(): the place from which another parser has to read the rest. has_rest() is false
  /// afterwards.
  [[nodiscard]] transport::http1_response_parser::place take_rest() noexcept {
    has_rest_ = false;
    return rest_;
  }
  /// After progress::done, if has_rest(): takes further bytes of the body and drops them. If the
  /// body has ended, has_rest() is false afterwards and reusable() is valid.
  void skip(std::string_view bytes);

  /// Whether a byte of the answer has arrived.
  [[nodiscard]] bool answered() const noexcept { return parser_.started(); }
  /// Whether the connection may carry another request.
  [[nodiscard]] bool reusable() const noexcept { return keep_; }
  /// Whether the server announced that it keeps the connection open; for
  /// connection_pool::release().
  [[nodiscard]] bool announces_keep_alive() const noexcept {
    return parser_.announces_keep_alive();
  }
  /// Call this if the request is sent again on a new connection because the server had closed the
  /// first connection.
  void sent_again() noexcept { record_.sent_again = true; }

  /// Closes the codec's exchange and returns the record. answered(), head() and body() are not
  /// valid after this call.
  [[nodiscard]] record finish();

 private:
  enum class framing : std::uint8_t { refused, whole, sse, lines, raw };
  /// The beginning of a body that should be a stream of events.
  enum class beginning : std::uint8_t { unknown, stream, document };

  void begin_leg();
  [[nodiscard]] bool request();
  [[nodiscard]] bool make_next_leg();
  void request_leg();
  [[nodiscard]] bool write(const ifb_http_request& request);
  [[nodiscard]] bool follow();
  void keep_routing_headers(const ifb_http_head& head);
  [[nodiscard]] bool on_head();
  [[nodiscard]] bool on_coded_body(std::string_view data, std::uint64_t stamp);
  [[nodiscard]] bool on_body(std::string_view data, std::uint64_t stamp);
  [[nodiscard]] progress on_end(std::uint64_t stamp, bool leftover);
  [[nodiscard]] progress end_at_message(std::string_view behind, bool readable);
  [[nodiscard]] progress conclude(const ifb_http_end& end, std::uint64_t stamp);
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
  std::string moved_to_;    // the target that a redirect names; request_ refers to it
  unsigned moves_ = 0;      // redirects since the latest request of the codec
  std::uint64_t size_ = 0;  // size of head and body
  std::uint64_t not_before_ = 0;

  transport::http1_response_parser parser_;
  transport::sse_parser sse_;
  transport::line_parser lines_;
  /// The whole body if it is one message. Otherwise the beginning of the body if the answer is an
  /// error or may not be a stream.
  std::string whole_;
  std::unique_ptr<transport::decompressor> decompressor_;  // created when it is first needed, then
                                                           // kept
  bool coded_ = false;                                     // the body is encoded
  beginning beginning_ = beginning::unknown;
  std::uint64_t messages_ = 0;  // number of messages of this answer
  bool any_body_ = false;
  framing framing_ = framing::whole;
  std::uint64_t room_ = 0;       // bytes that this answer may still have
  spread_of_read spread_;        // spread of the latest read
  std::string_view behind_;      // the rest of the latest read after the current piece
  std::size_t sure_events_ = 0;  // number of late events before the latest read
  std::uint64_t leg_late_ = 0;   // lateness of the end of the latest answer
  std::uint64_t tail_late_ = 0;  // lateness of the newest data of an event whose end has not
                                 // arrived
  transport::http1_response_parser::place rest_;
  bool open_ = false;        // from prepare() to finish()
  bool serialised_ = false;  // open and request of the codec have succeeded
  bool leaves_legs_ = false;
  bool unserialised_ = false;
  bool counted_ = false;  // the record's bytes_sent includes this leg
  bool enough_ = false;   // the codec has ended the request at a message
  bool has_rest_ = false;
  bool keep_ = false;  // the answer was read to its end, and the server keeps the connection
};

}  // namespace inferbench::client
