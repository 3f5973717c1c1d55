// The common shape of a server's events: most events have the shape of an earlier event, with a
// different id, text or count. Recognising the shape takes 500 instructions; reading the event
// takes 2,300. The code is in a header because it is a template over the reader's type of event.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "cursor.hpp"
#include "event.hpp"
#include "hole_list.hpp"

namespace openai::reading {

/// Decides whether an attempt is worth its cost. After eight failures in a row only every 64th
/// attempt is made.
class patience {
 public:
  [[nodiscard]] bool worth_it() const noexcept { return failures_ < 8 || failures_ % 64 == 0; }
  void succeeded() noexcept { failures_ = 0; }
  void failed() noexcept { ++failures_; }

 private:
  unsigned failures_ = 0;  // failures and omitted attempts since the last success
};

/// Stores a text in the same member as the readers do.
template <typename event>
void put_text(event& out, meaning what, std::string_view text) noexcept {
  switch (what) {
    case meaning::text: out.text = text; break;
    case meaning::content:
      if constexpr (requires { out.content; }) out.content = text;
      break;
    case meaning::reasoning:
      if (out.reasoning.empty()) out.reasoning = text;
      break;
    case meaning::finish_reason: out.finish_reason = text; break;
    default: break;
  }
}

inline void put_number(usage& out, meaning what, const whole_number& n) noexcept {
  const std::int64_t count = n.negative && n.size != 0 ? -1 : static_cast<std::int64_t>(n.size);
  switch (what) {
    case meaning::prompt_tokens: out.prompt = count; break;
    case meaning::output_tokens: out.output = count; break;
    case meaning::cached_tokens: out.cached = count; break;
    case meaning::reasoning_tokens: out.reasoning = count; break;
    default: break;
  }
}

/// The shape of one event. `event` is openai::event, or another reader's type of event whose texts
/// and counts have the same names.
template <typename event>
class shape {
 public:
  /// Takes the shape of `data`, which was read as `what` and has the holes `holes`. No text of
  /// `what` may be joined from several strings. Returns false and changes nothing if `data` is too
  /// long or has too many holes.
  bool take(std::string_view data, const event& what, const hole_list& holes) noexcept {
    if (data.size() > bytes_.size() || data.size() <= window || !holes.complete()) return false;
    std::memcpy(bytes_.data(), data.data(), data.size());
    size_ = data.size();
    all_.size = wanted_.size = 0;
    for (std::size_t i = 0; i < holes.size(); ++i) {
      const hole one{static_cast<std::uint16_t>(holes[i].begin - data.data()),
                     static_cast<std::uint16_t>(holes[i].end - data.data()), holes[i].what};
      all_.of[all_.size++] = one;
      if (one.what > meaning::other_number) wanted_.of[wanted_.size++] = one;
    }
    varied_ = wanted_;
    rest_ = what;
    rest_.text = rest_.reasoning = rest_.finish_reason = {};
    if constexpr (requires { rest_.content; }) rest_.content = {};
    return true;
  }

  /// Returns whether `data` has this shape. If it has, `out` is the event that a reader would make
  /// of it, before invalid UTF-8 is replaced. Its texts lie in `data` or, if they have escapes, at
  /// `spare`, where `data.size()` bytes must be free. The reason why the result is correct: all
  /// bytes outside the holes are equal to the bytes of an event that was accepted. A string in a
  /// hole is still one string, and a whole number is still one whole number. Each value is stored
  /// as a reader would store it, in the same order.
  [[nodiscard]] bool fits(std::string_view data, char* spare, event& out) noexcept {
    // A cursor relies on the closing brace, which may be missing if the event was cut off.
    if (size_ == 0 || data.size() <= window || data.back() != '}') return false;
    if (!whole_.worth_it()) {
      whole_.failed();
      return fits(data, varied_, spare, out, nullptr) || fits_by_turns(data, spare, out);
    }
    if (fits(data, wanted_, spare, out, nullptr)) {
      whole_.succeeded();
      return true;
    }
    hole_list seen;
    if (!fits(data, all_, spare, out, &seen)) return false;
    whole_.failed();
    take(data, rest_, seen);
    return true;
  }

 private:
  struct hole {
    std::uint16_t begin = 0;  // offset in bytes_
    std::uint16_t end = 0;
    meaning what = meaning::other_text;
  };
  struct list {
    std::array<hole, hole_list::most> of;
    std::size_t size = 0;
  };

  /// Reads `data` with all its holes, and learns which of them differ.
  [[nodiscard]] bool fits_by_turns(std::string_view data, char* spare, event& out) noexcept {
    hole_list seen;
    if (!fits(data, all_, spare, out, &seen)) return false;
    std::size_t known = 0;
    list varied;
    for (std::size_t i = 0; i < all_.size; ++i) {
      const hole& one = all_.of[i];
      const bool was_open = known < varied_.size && varied_.of[known].begin == one.begin;
      const std::string_view here(seen[i].begin, seen[i].end);
      const std::string_view before(bytes_.data() + one.begin, bytes_.data() + one.end);
      if (was_open) ++known;
      if (was_open || here != before) varied.of[varied.size++] = one;
    }
    varied_ = varied;
    return true;
  }

  static bool is_number(meaning what) noexcept {
    return what == meaning::other_number || what >= meaning::prompt_tokens;
  }

  /// Compares with the holes `open` only. `seen`, if not null, receives the holes of `data`.
  [[nodiscard]] bool fits(std::string_view data, const list& open, char* spare, event& out,
                          hole_list* seen) const noexcept {
    const char* at = data.data();
    const char* const last = at + data.size() - 1;
    const char* known = bytes_.data();
    out = rest_;
    for (std::size_t i = 0; i < open.size; ++i) {
      const auto [begin, end, what] = open.of[i];
      const auto before = static_cast<std::size_t>(bytes_.data() + begin - known);
      if (static_cast<std::size_t>(last - at) < before || std::memcmp(at, known, before) != 0)
        return false;
      at += before;
      known = bytes_.data() + end;
      const char* const from = at;
      if (is_number(what)) {
        cursor here(at, last);
        whole_number n;
        if (!here.whole(n)) return false;
        at = here.at();
        put_number(out.usage, what, n);
      } else if (at = plain_end(at, last); *at == '"') {
        put_text(out, what, {from, static_cast<std::size_t>(at - from)});
      } else {
        const auto [behind, to] = decode_text(from, at, last, spare);
        if (behind == nullptr) return false;
        put_text(out, what, {spare, static_cast<std::size_t>(to - spare)});
        spare = to;
        at = behind - 1;
      }
      if (seen != nullptr) seen->add(from, at, what);
    }
    const auto left = static_cast<std::size_t>(bytes_.data() + size_ - known);
    return static_cast<std::size_t>(last + 1 - at) == left && std::memcmp(at, known, left) == 0;
  }

  std::array<char, 1000> bytes_;  // the text of the event
  std::size_t size_ = 0;          // 0: no shape was taken
  list all_;
  list wanted_;
  list varied_;  // the wanted holes, and the holes that differed between answers
  event rest_;
  patience whole_;
};

/// The shapes of the most recent events, for all answers that a thread reads. Allocates nothing.
template <typename event>
class shapes {
 public:
  /// Like shape::fits(), for any of the shapes.
  [[nodiscard]] bool fit(std::string_view data, char* spare, event& out) noexcept {
    if (any_.worth_it()) {
      const std::size_t likely = next_[last_];
      for (std::size_t i = 0; i < count; ++i) {
        const std::size_t one = (likely + i) % count;
        if (!known_[one].fits(data, spare, out)) continue;
        next_[last_] = one;
        last_ = one;
        any_.succeeded();
        return true;
      }
    }
    any_.failed();
    return false;
  }
  /// Like shape::take(); to be called after fit() found no shape. If few events resemble one
  /// another, fit() and take() do nothing for most events.
  void take(std::string_view data, const event& what, const hole_list& holes) noexcept {
    if (!any_.worth_it() || !known_[oldest_].take(data, what, holes)) return;
    next_[last_] = oldest_;
    last_ = oldest_;
    oldest_ = (oldest_ + 1) % count;
  }

 private:
  static constexpr std::size_t count = 4;
  std::array<shape<event>, count> known_;
  std::array<std::size_t, count> next_{};  // the shape that came after each shape
  std::size_t last_ = 0;                   // the shape that fitted or was taken last
  std::size_t oldest_ = 0;
  patience any_;
};

}  // namespace openai::reading
