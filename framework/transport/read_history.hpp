// The reads of a connection's socket, and what they prove about the time at which bytes arrived.
// The stamp of a read is the stamp of its newest byte; the other bytes may have arrived earlier.
// Belongs to the loop's thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/clock.hpp"
#include "transport/event_loop.hpp"
#include "transport/kernel_stamps.hpp"

namespace inferbench::transport {

class read_history {
 public:
  /// Forgets all reads, for a new socket. `exact`: see knows_spread().
  void begin(bool exact) noexcept {
    *this = {};
    exact_ = exact;
  }
  /// Reads once from `socket` and stores what is known about the bytes. `sent_at`: the time of the
  /// latest write; the bytes came later. Defined below, because it is called for each event.
  [[nodiscard]] received read(event_loop& loop, int socket, std::span<char> into,
                              std::uint64_t sent_at) noexcept;
  /// Counts a read that returned bytes and did not use read().
  void count() noexcept { ++reads_; }

  /// True if the stamp of a read is never earlier than the arrival of its bytes, and later by at
  /// most spread(). False with small buffers or without kernel stamps; unix sockets never have
  /// kernel stamps.
  [[nodiscard]] bool knows_spread() const noexcept { return exact_; }
  /// The longest time, in ns, by which bytes of the latest read may have arrived before its stamp.
  [[nodiscard]] std::uint64_t spread() const noexcept { return spread_; }
  /// True if bytes that follow the latest read may have arrived later than its newest byte: the
  /// read was so long that the server may have waited for room, or it has no kernel stamp.
  [[nodiscard]] bool more_behind() const noexcept { return held_back_ || !by_kernel_; }
  /// True if all bytes of the latest read came in one TCP segment with a kernel stamp. The same
  /// must be true for every read since the latest call that returned true. Makes two system calls.
  /// Call this only between two reads of `socket`.
  [[nodiscard]] bool came_at_once(int socket) noexcept;
  /// The longest time, in ns, by which the end of the stream may have arrived before `stamp`, the
  /// stamp of the end. The end always arrives after the newest byte.
  [[nodiscard]] std::uint64_t end_late(const event_loop& loop, std::uint64_t stamp) const noexcept;

 private:
  // Half of the usual initial receive buffer of 128 KiB is for data. If a read has this size or
  // more, the server may have waited for room in the buffer. Bytes that it sends after this wait
  // arrive late and have a late stamp.
  static constexpr std::size_t long_read = std::size_t{32} << 10U;
  // If two comparisons of the wall clock with the loop's clock differ by more than this, the wall
  // clock was set between them.
  static constexpr std::uint64_t clocks_apart_ns = base::ns_per_ms;

  std::uint64_t spread_ = 0;
  std::uint64_t read_at_ = 0;  // the stamp of the latest read
  std::uint64_t turn_ = 0;     // the loop's stamp of the latest read
  // After long reads: event_loop::quiet_at() of the first of these reads; otherwise 0.
  std::uint64_t full_since_ = 0;
  std::uint32_t reads_ = 0;           // reads that returned bytes
  std::uint32_t segments_ahead_ = 0;  // for came_at_once(): segments minus reads
  bool by_kernel_ = false;
  bool held_back_ = false;  // the latest read or the previous read was long
  bool exact_ = false;
};

// A read contains all bytes that have arrived before it, unless it is a long read. Bytes come in
// order, so if a stamp is earlier than the previous stamp, the wall clock was set.
inline received read_history::read(event_loop& loop, int socket, std::span<char> into,
                                   std::uint64_t sent_at) noexcept {
  received got = loop.receive(socket, into);
  if (got.size <= 0) return got;
  ++reads_;
  by_kernel_ = got.by_kernel && got.stamp + clocks_apart_ns >= std::max(read_at_, sent_at);
  if (by_kernel_) got.stamp = std::max(got.stamp, read_at_);
  // After the first program on a machine has enabled stamps, the kernel does not stamp the first
  // few packets.
  if (!by_kernel_ && exact_) got.stamp = loop.clock().now();
  const std::uint64_t since = full_since_ != 0 ? full_since_ : std::max(loop.quiet_at(), read_at_);
  spread_ = got.stamp - std::min(got.stamp, since);
  held_back_ = full_since_ != 0;
  full_since_ = static_cast<std::size_t>(got.size) >= std::min(long_read, into.size())
                    ? std::max<std::uint64_t>(since, 1)
                    : 0;
  held_back_ = held_back_ || full_since_ != 0;
  read_at_ = got.stamp;
  turn_ = loop.stamp();
  return got;
}

}  // namespace inferbench::transport
