// The result of one request; nothing else leaves the client. A failed request is data; nothing on a
// worker throws. Everything downstream (journal, metrics, reporters) can be recomputed from records
// alone.
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

/// Stamps of stream events: the first stamp, then differences, 4 bytes for each gap below 4.29 s.
/// An answer of one event thus needs no memory of its own. One thread at a time.
class stamps {
 public:
  /// No stamp is before `origin`. Call before the first push.
  explicit stamps(std::uint64_t origin) : origin_(origin), first_(origin), last_(origin) {}
  stamps() = default;

  /// A stamp `at` below the previous stamp counts as equal to it.
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

  /// Calls visit(stamp) for each stamp, in order.
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

  /// Stands for a gap of 2^32-1 ns or more; the two halves of the gap follow, the lower first.
  static constexpr std::uint32_t escape = 0xFFFFFFFFU;
  /// The encoded gaps between consecutive stamps.
  [[nodiscard]] std::span<const std::uint32_t> words() const noexcept { return words_; }

  /// Absolute stamps, for reporters.
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

/// An event whose stamp may lie after its arrival.
struct late_event {
  std::uint32_t event = 0;  // 0-based, among record::tokens
  std::uint32_t ns = 0;     // at most so long after its arrival; UINT32_MAX: that or more
};

/// The most that this client itself can have added to the times of a request, ns. A stamp is never
/// before the arrival. docs/client-health.md explains how each bound is known.
struct lateness {
  /// No bound is known: the stamps are not the kernel's (unix sockets, --timestamps client), or an
  /// engine's threads took them. `end_ns` and `events` are not valid then.
  bool unknown = false;
  std::uint64_t launch_ns = 0;     // time before start_ns, due and with a permit
  std::uint64_t sending_ns = 0;    // client's share of start_ns to sent_ns, without connect and TLS
  std::uint64_t end_ns = 0;        // lateness of record::end_ns
  std::vector<late_event> events;  // ascending; all other events have their own kernel stamp
};

/// Stamps are in ns of the host clock; 0 if the event did not happen. Counts are -1 if unknown.
/// Movable; belongs to one thread at a time.
struct record {
  std::uint64_t sequence = 0;      // 0-based place in the schedule
  std::uint64_t due_ns = 0;        // scheduled time
  std::uint64_t start_ns = 0;      // permit obtained, about to be sent: upstream's start_time
  std::uint64_t tls_ns = 0;        // the TLS handshake began; 0 on a kept or plain connection
  std::uint64_t connected_ns = 0;  // the connection was usable
  std::uint64_t sent_ns = 0;       // the first byte was handed to the kernel
  std::uint64_t first_byte_ns = 0;
  std::uint64_t first_text_ns = 0;    // first event with text, any channel
  std::uint64_t last_text_ns = 0;     // last event with text, any channel
  std::uint64_t first_answer_ns = 0;  // first text of the answer channel
  std::uint64_t end_ns = 0;           // answer complete, or failure
  stamps tokens;                      // one per on_token; origin is start_ns
  lateness late;                      // of the times above

  std::int64_t sample_tokens = -1;  // prompt length, counted by the client
  std::int64_t wanted_tokens = -1;  // requested output length
  std::int64_t prompt_tokens = -1;  // server's usage
  std::int64_t cached_tokens = -1;
  std::int64_t output_tokens = -1;  // server's usage; counted from text in metrics if unknown
  std::int64_t reasoning_tokens = -1;
  /// Events with text, by ifb_channel: answer, reasoning, tool call, any other.
  std::array<std::uint32_t, 4> text_events{};
  std::uint64_t bytes_sent = 0;
  std::uint64_t bytes_received = 0;

  ifb_status status = IFB_E_INTERNAL;  // IFB_OK, or why it failed
  std::uint32_t http_status = 0;
  std::uint32_t server = 0;  // index of the base URL
  std::uint32_t turn = 0;    // 0-based number of this request in its session
  bool sent_again = false;   // its kept connection had been closed: sent once more
  std::string id;
  std::string session;
  std::string error;  // never empty when status is not IFB_OK
  std::string finish_reason;
  std::string text;  // of the answer channel, choice 0
  std::vector<std::pair<std::string, std::string>> attributes;

  [[nodiscard]] bool ok() const noexcept { return status == IFB_OK; }
};

}  // namespace inferbench::client
