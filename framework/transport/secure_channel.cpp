#include "transport/secure_channel.hpp"

#include <array>
#include <cerrno>
#include <tuple>
#include <utility>

#include <sys/socket.h>

namespace inferbench::transport {

int secure_channel::push(int socket, gather_write& message, const base::clock& clock) noexcept {
  while (pushing()) {
    const std::string_view bytes = tls_.unsent();
    const bool stamped = message.sent_at() != 0 || encrypted_ == 0;
    const std::uint64_t before = stamped ? message.sent_at() : clock.now();
    const auto taken = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (taken < 0) {
      const int code = errno;
      if (code == EINTR) continue;
      if (code == EAGAIN) return 0;
      tls_.sent(bytes.size());
      encrypted_ = 0;
      return code;
    }
    message.note_write(static_cast<std::size_t>(taken), before);
    tls_.sent(static_cast<std::size_t>(taken));
  }
  message.advance(std::exchange(encrypted_, 0));
  return 0;
}

// Encrypts one record at a time, and each record only after the kernel has accepted the previous
// record. So at most one record waits in memory. A request that fits is sent as one record, so its
// bytes are copied into one buffer.
int secure_channel::write(int socket, gather_write& message, const base::clock& clock) noexcept {
  for (;;) {
    const int code = push(socket, message, clock);
    if (code != 0 || pushing() || message.unsent() == 0) return code;
    std::array<char, tls_stream::max_record> record;
    const std::size_t size = message.copy(record);
    if (!tls_.write({record.data(), size})) return EPIPE;
    encrypted_ = size;
  }
}

void secure_channel::say_goodbye(int socket) noexcept {
  if (pushing()) return;
  tls_.finish();
  const std::string_view bytes = tls_.unsent();
  if (!bytes.empty())
    std::ignore = ::send(socket, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace inferbench::transport
