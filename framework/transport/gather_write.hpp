// The bytes of one send() of a connection: a head and the pieces of a body, written in as few
// gather writes as possible. Keeps the place up to which they are written. The memory belongs to
// the caller of begin(). Belongs to the loop's thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include <sys/types.h>

#include <inferbench/abi.h>

#include "base/clock.hpp"

namespace inferbench::transport {

class gather_write {
 public:
  /// Prepares to write `head` and `body`. The bytes and the list `body` must not change until
  /// unsent() is 0 or drop() is called.
  void begin(std::string_view head, std::span<const ifb_bytes> body) noexcept {
    head_ = head;
    body_ = body;
    piece_ = offset_ = 0;
    unsent_ = head.size();
    for (const ifb_bytes& piece : body)
      unsent_ += piece.size;
    sent_at_ = 0;
    written_ = 0;
  }
  /// Forgets the bytes that are not written. sent_at() and written() are kept.
  void drop() noexcept {
    head_ = {};
    body_ = {};
    unsent_ = 0;
  }
  /// Makes sent_at() 0, because a use of the connection begins.
  void forget_time() noexcept { sent_at_ = 0; }

  /// Writes to `socket` until all bytes are written or the socket has no room. Returns 0, or the
  /// errno if the connection is broken.
  [[nodiscard]] int write_to(int socket, const base::clock& clock) noexcept;

  // For a secure_channel, which encrypts copies of the bytes and writes the ciphertext.
  /// Copies the next bytes, as many as fit. Returns their number.
  [[nodiscard]] std::size_t copy(std::span<char> into) const noexcept;
  /// Counts a write of `size` bytes, for which sent_at() is `at`.
  void note_write(std::size_t size, std::uint64_t at) noexcept {
    written_ += size;
    sent_at_ = at;
  }
  /// Takes `size` bytes off the front.
  void advance(std::size_t size) noexcept;

  /// The number of bytes that are not written.
  [[nodiscard]] std::size_t unsent() const noexcept { return unsent_; }
  /// The time right before the write in which the kernel accepted the first byte; 0 if it has
  /// accepted no byte.
  [[nodiscard]] std::uint64_t sent_at() const noexcept { return sent_at_; }
  /// The number of bytes that the kernel has accepted; with TLS, encrypted bytes.
  [[nodiscard]] std::size_t written() const noexcept { return written_; }
  /// Whether the peer's TCP has acknowledged no byte. Makes a system call.
  [[nodiscard]] bool unacknowledged(int socket) const noexcept;

 private:
  [[nodiscard]] ssize_t write_pieces(int socket) const noexcept;

  std::string_view head_;
  std::span<const ifb_bytes> body_;
  std::size_t piece_ = 0;   // index of the current piece; 0: head_, n: body_[n - 1]
  std::size_t offset_ = 0;  // offset in the current piece
  std::size_t unsent_ = 0;
  std::size_t written_ = 0;
  std::uint64_t sent_at_ = 0;
};

}  // namespace inferbench::transport
