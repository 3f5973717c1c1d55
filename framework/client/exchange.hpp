// One request from its sample to its record, without sockets: codec and bytes in,
// stamped events collected. The worker owns it, feeds it what a connection receives
// and asks it what to send. Objects are reused: a second request through the same
// object allocates nothing that an ordinary first had room for, and what an odd one
// needed is freed with finish(). Redirects that keep method and body (307 and 308) are
// followed within the server, ten at most, as further legs of the request. What an answer may
// occupy is bounded by the backend's max_message and max_answer, and of an error's body no more
// than max_error_body is read. Bodies in gzip and deflate are decoded. One thread at a time.
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

/// How far apart the bytes of one read may have come.
struct spread_of_read {
  std::uint64_t ns = 0;
  bool more_behind = false;  // its last byte, too, may have come before the stamp
};

class exchange final : public answer {
 public:
  enum class progress : std::uint8_t {
    more,     // waiting for bytes
    another,  // this answer is complete; a further request is ready to be sent
    done      // the record is complete
  };

  /// Both must outlive it; `heads` may serve many.
  exchange(const backend& shared, head_writer& heads);
  exchange(const exchange&) = delete;
  exchange& operator=(const exchange&) = delete;
  ~exchange();

  /// Lets the codec serialise the request. `sample` must live until finish(). False:
  /// it refused, and the record says so.
  [[nodiscard]] bool prepare(const ifb_sample& sample, std::uint64_t sequence,
                             std::uint64_t due_ns);

  /// What to send, one behind the other: head and, where the body is short, the body with
  /// it, so that they are one piece. Valid until the next leg, finish() or prepare().
  [[nodiscard]] std::string_view head() const noexcept { return head_; }
  [[nodiscard]] std::span<const ifb_bytes> body() const noexcept { return body_; }

  /// `tls_at`: when the handshake on this connection began, 0 on a plain or a kept one.
  void connected(std::uint64_t at, std::uint64_t tls_at = 0) noexcept;
  /// What head() and body() say was given to the connection; `at` 0: nothing of it was
  /// taken yet. The connection is not reusable() before the answer.
  void sent(std::uint64_t at) noexcept;

  /// Takes the bytes of a read. `stamp` is that of its newest byte; where an event is not the last
  /// in it, its record says that it may have come up to `spread` earlier.
  [[nodiscard]] progress feed(std::string_view bytes, std::uint64_t stamp,
                              const spread_of_read& spread = {});
  /// The longest that an event of the latest feed() may have come before its stamp; 0: none has, or
  /// all have their own.
  [[nodiscard]] std::uint64_t unsure() const noexcept;
  /// The bytes of the latest feed() came all at once, so its stamp is that of each event.
  void came_at_once() noexcept;
  /// The stamps are not the kernel's: nobody knows how late they are.
  void stamps_unknown() noexcept { record_.late.unknown = true; }
  /// How much of the time from start to the answer's first byte was the client's own doing, of all
  /// legs and connections so far.
  void sent_late(std::uint64_t ns) noexcept { record_.late.sending_ns = ns; }
  /// The end of the answer before may have come so much earlier; after progress::another.
  [[nodiscard]] std::uint64_t late_of_leg() const noexcept { return leg_late_; }
  /// The end of the connection, which may have come up to `late` ns before its stamp.
  [[nodiscard]] progress eof(std::uint64_t stamp, std::uint64_t late = 0);
  /// An error's status is known and its body has not ended: no more of it will be read.
  [[nodiscard]] progress end_error(std::uint64_t stamp) { return with_cause(on_end(stamp, true)); }
  /// The status of the answer is an error, whose body is being read.
  [[nodiscard]] bool in_error() const noexcept {
    return framing_ == framing::refused && parser_.status() != 0;
  }

  /// Any byte of the answer has come.
  [[nodiscard]] bool answered() const noexcept { return parser_.started(); }
  /// The connection may carry another request.
  [[nodiscard]] bool reusable() const noexcept { return keep_; }
  /// How the server said so: connection_pool::release().
  [[nodiscard]] bool announces_keep_alive() const noexcept {
    return parser_.announces_keep_alive();
  }
  /// Sent once more on a fresh connection because the first was stale.
  void sent_again() noexcept { record_.sent_again = true; }

  /// Closes the codec's exchange and hands the record over. answered() and head() are of no
  /// use afterwards.
  [[nodiscard]] record finish();

 private:
  enum class framing : std::uint8_t { refused, whole, sse, lines, raw };
  /// The beginning of a body that was to be a stream of events.
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
  std::uint64_t unsent_bytes_ = 0;  // of head and body, until they are sent

  transport::http1_response_parser parser_;
  transport::sse_parser sse_;
  transport::line_parser lines_;
  /// A body that is one message, or the beginning of an error's or of what may be no stream.
  std::string whole_;
  std::unique_ptr<transport::decompressor> decompressor_;  // kept once it was needed
  bool coded_ = false;                                     // the body goes through it
  beginning beginning_ = beginning::unknown;
  std::uint64_t messages_ = 0;  // of this answer
  bool any_body_ = false;
  framing framing_ = framing::whole;
  std::uint64_t room_ = 0;       // bytes that this answer may still have
  spread_of_read spread_;        // of the latest read
  std::string_view behind_;      // what is left of it behind the piece that is being looked at
  std::size_t sure_events_ = 0;  // late events before it
  std::uint64_t leg_late_ = 0;   // of the end of the latest answer
  std::uint64_t tail_late_ = 0;  // of an event whose end has not come: of its newest data
  bool open_ = false;            // from prepare() to finish()
  bool keep_ = false;            // the answer was read to its end, and the server goes on
};

}  // namespace inferbench::client
