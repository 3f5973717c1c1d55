// The result of one request. A record is the only output of the client for a request. A failed
// request is data; no code on a worker throws. The journal, the metrics and the reports can be
// recomputed from the records.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <inferbench/abi.h>

namespace inferbench::client {

/// Stamps of stream events: the first stamp and then the differences between consecutive stamps. A
/// difference below 4.29 s takes 4 bytes. An answer with one event needs no heap memory. Used by
/// one thread at a time.
class stamps {
 public:
  /// A stamp before `origin` counts as equal to `origin`.
  explicit stamps(std::uint64_t origin) : origin_(origin), first_(origin), last_(origin) {}
  stamps() = default;

  /// If `at` is before the previous stamp, it counts as equal to the previous stamp.
  void push(std::uint64_t at) {
    const std::uint64_t gap = at > last_ ? at - last_ : 0;
    last_ += gap;
    if (count_++ == 0) {
      first_ = last_;
    } else if (gap < escape) {
      words_.push_back(static_cast<std::uint32_t>(gap));
    } else {
      words_.push_back(escape);
      words_.push_back(static_cast<std::uint32_t>(gap));
      words_.push_back(static_cast<std::uint32_t>(gap >> 32U));
    }
  }

  [[nodiscard]] std::size_t size() const noexcept { return count_; }
  [[nodiscard]] bool empty() const noexcept { return count_ == 0; }
  [[nodiscard]] std::uint64_t origin() const noexcept { return origin_; }
  /// The first stamp; origin() if there is no stamp.
  [[nodiscard]] std::uint64_t front() const noexcept { return first_; }
  [[nodiscard]] std::uint64_t back() const noexcept { return last_; }
  [[nodiscard]] std::size_t bytes() const noexcept { return words_.capacity() * sizeof(words_[0]); }

  /// Calls visit(stamp) for each stamp in ascending order.
  template <typename visitor>
  void for_each(visitor&& visit) const {
    if (empty()) return;
    std::uint64_t at = first_;
    visit(at);
    for (std::size_t i = 0; i < words_.size(); ++i) {
      std::uint64_t gap = words_[i];
      if (gap == escape) {
        gap = std::uint64_t{words_[i + 1]} | std::uint64_t{words_[i + 2]} << 32U;
        i += 2;
      }
      at += gap;
      visit(at);
    }
  }

  /// Marks a gap of 2^32-1 ns or more: the next two words are the halves of the gap, the lower half
  /// first.
  static constexpr std::uint32_t escape = 0xFFFFFFFFU;
  /// The encoded gaps between consecutive stamps.
  [[nodiscard]] std::span<const std::uint32_t> words() const noexcept { return words_; }

  /// The stamps as absolute times, for reporters.
  [[nodiscard]] std::vector<std::uint64_t> absolute() const {
    std::vector<std::uint64_t> out;
    out.reserve(count_);
    for_each([&](std::uint64_t at) { out.push_back(at); });
    return out;
  }

 private:
  std::vector<std::uint32_t> words_;
  std::uint64_t origin_ = 0;
  std::uint64_t first_ = 0;
  std::uint64_t last_ = 0;
  std::size_t count_ = 0;
};

/// An event whose stamp may be later than its arrival.
struct late_event {
  std::uint32_t event = 0;  // index in record::tokens, from 0
  std::uint32_t ns = 0;     // largest possible time from the arrival to the stamp; UINT32_MAX: this
                            // or longer
};

/// Upper bounds, in ns, of the time that this client itself can have added to the times of a
/// request. A stamp is never before the arrival. docs/client-health.md explains how each bound is
/// found.
struct lateness {
  /// True if no bound is known: the stamps are not from the kernel (unix sockets, --timestamps
  /// client), or an engine's threads took them. `end_ns` and `events` are then not valid.
  bool unknown = false;
  std::uint64_t launch_ns = 0;     // time before start_ns when the request was due and had a permit
  std::uint64_t sending_ns = 0;    // the client's part of the time from start_ns to sent_ns,
                                   // without connecting and TLS
  std::uint64_t end_ns = 0;        // lateness of record::end_ns
  std::vector<late_event> events;  // in ascending order; all other events have their own kernel
                                   // stamp
};

/// Stamps are in ns of the host clock, and 0 if the event did not happen. Counts are -1 if unknown.
/// An event with output that is not text, such as sound, counts as an event with text. Used by one
/// thread at a time.
struct record {
  std::uint64_t sequence = 0;      // position in the schedule, from 0
  std::uint64_t due_ns = 0;        // scheduled time
  std::uint64_t start_ns = 0;      // the request has its permit and is about to be sent: upstream's
                                   // start_time
  std::uint64_t tls_ns = 0;        // the TLS handshake began; 0 on a reused connection or a
                                   // connection without TLS
  std::uint64_t connected_ns = 0;  // the connection was usable
  std::uint64_t sent_ns = 0;       // the first byte was handed to the kernel
  std::uint64_t first_byte_ns = 0;
  std::uint64_t first_text_ns = 0;    // first event with text, any channel
  std::uint64_t last_text_ns = 0;     // last event with text, any channel
  std::uint64_t first_answer_ns = 0;  // first text of the answer channel
  std::uint64_t end_ns = 0;           // answer complete, by its body or by its codec; or failure
  stamps tokens;                      // one stamp for each call of on_token; the origin is start_ns
  lateness late;                      // lateness of the times above

  std::int64_t sample_tokens = -1;  // prompt length, counted by the client
  std::int64_t wanted_tokens = -1;  // requested output length
  std::int64_t prompt_tokens = -1;  // from the server's usage
  std::int64_t cached_tokens = -1;
  std::int64_t output_tokens = -1;  // from the server's usage; if unknown, the metrics count the
                                    // tokens of the text
  std::int64_t reasoning_tokens = -1;
  /// Numbers of events with text for each ifb_channel: answer, reasoning, tool call, all others.
  std::array<std::uint32_t, 4> text_events{};
  std::uint32_t first_text_bytes = 0;  // length of the first part of `text`, which its first event
                                       // had; not in the journal
  std::uint64_t bytes_sent = 0;
  std::uint64_t bytes_received = 0;  // without later reads if the codec ended the answer

  ifb_status status = IFB_E_INTERNAL;  // IFB_OK, or the reason why the request failed
  std::uint32_t http_status = 0;
  std::uint32_t server = 0;  // index of the base URL
  std::uint32_t turn = 0;    // number of this request in its session, from 0
  bool sent_again = false;   // the server had closed the reused connection, so the request was sent
                             // again
  std::string id;
  std::string session;
  std::string error;  // never empty when status is not IFB_OK
  std::string finish_reason;
  std::string text;  // text of the answer channel, of choice 0 or of the first choice that reported
                     // text
  std::vector<std::pair<std::string, std::string>> attributes;

  [[nodiscard]] bool ok() const noexcept { return status == IFB_OK; }
};

}  // namespace inferbench::client
