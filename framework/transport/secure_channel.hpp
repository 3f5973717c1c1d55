// The TLS of one connection together with its socket: writes what tls_stream.hpp encrypts.
// Reading from the socket is left to the connection, which stamps its reads. Belongs to the loop's
// thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "transport/gather_write.hpp"
#include "transport/tls_stream.hpp"

namespace inferbench::transport {

class secure_channel {
 public:
  /// The parameters of tls_stream. `now`: the time at which the handshake begins.
  secure_channel(const tls_context& context, const std::string& host, tls_sessions* sessions,
                 std::uint64_t now)
      : tls_(context, host, sessions), began_at_(now) {}

  /// The halves of the loop's scratch buffer: the first is for ciphertext, the second for
  /// plaintext. Plaintext is never longer than its ciphertext.
  [[nodiscard]] static std::span<char> cipher_half(std::span<char> scratch) noexcept {
    return scratch.first(scratch.size() / 2);
  }
  [[nodiscard]] static std::span<char> plain_half(std::span<char> scratch) noexcept {
    return scratch.subspan(scratch.size() / 2);
  }

  /// The handshake, and bytes from the socket: see tls_stream.
  [[nodiscard]] tls_step handshake() { return tls_.handshake(); }
  void feed(std::string_view received) noexcept { tls_.feed(received); }
  /// Decrypts records into `room` as long as a whole record fits, and at least a part of a record.
  /// Sets `filled` to the number of bytes, which may be above 0 with any result.
  [[nodiscard]] tls_step read(std::span<char> room, std::size_t& filled) {
    filled = 0;
    tls_step step = tls_step::ok;
    do {
      std::size_t got = 0;
      step = tls_.read(room.subspan(filled), got);
      filled += got;
    } while (step == tls_step::ok && room.size() - filled >= tls_stream::max_record);
    return step;
  }
  /// Reads the fed bytes. True if they contain only messages of TLS itself, such as session
  /// tickets; otherwise the stream has lost a byte and cannot be used any more.
  [[nodiscard]] bool holds_no_data() {
    char byte = 0;
    std::size_t got = 0;
    return tls_.read({&byte, 1}, got) == tls_step::more;
  }
  [[nodiscard]] tls_trouble trouble(const std::string& server) const {
    return tls_.trouble(server);
  }

  /// Whether TLS has produced bytes that are not sent.
  [[nodiscard]] bool pushing() const noexcept { return !tls_.unsent().empty(); }
  /// Sends the bytes that TLS has produced. `message`: the message whose encrypted bytes may be
  /// among them. If the socket has no room, pushing() stays true. Returns 0, or the errno if the
  /// connection is broken; in that case the bytes are dropped.
  [[nodiscard]] int push(int socket, gather_write& message, const base::clock& clock) noexcept;
  /// Encrypts and sends the bytes of `message`, after the bytes of push(). Returns the same as
  /// push(), and EPIPE if TLS fails.
  [[nodiscard]] int write(int socket, gather_write& message, const base::clock& clock) noexcept;
  /// Makes one attempt to send the end of the stream, because closing must not wait. Has no effect
  /// while pushing().
  void say_goodbye(int socket) noexcept;

  [[nodiscard]] std::uint64_t began_at() const noexcept { return began_at_; }

 private:
  tls_stream tls_;
  std::size_t encrypted_ = 0;  // bytes of the message that are in tls_.unsent()
  std::uint64_t began_at_;
};

}  // namespace inferbench::transport
