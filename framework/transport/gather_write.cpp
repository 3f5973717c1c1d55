#include "transport/gather_write.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>

namespace inferbench::transport {

int gather_write::write_to(int socket, const base::clock& clock) noexcept {
  while (unsent_ != 0) {
    const std::uint64_t before = sent_at_ == 0 ? clock.now() : sent_at_;
    const auto taken =
        body_.empty() ? ::send(socket, head_.data() + offset_, head_.size() - offset_, MSG_NOSIGNAL)
                      : write_pieces(socket);
    if (taken < 0) {
      if (errno == EINTR) continue;
      return errno == EAGAIN ? 0 : errno;
    }
    note_write(static_cast<std::size_t>(taken), before);
    advance(static_cast<std::size_t>(taken));
  }
  return 0;
}

// Writes all pieces in one gather write and returns the result of sendmsg().
ssize_t gather_write::write_pieces(int socket) const noexcept {
  std::array<iovec, 64> pieces;
  std::size_t count = 0;
  std::size_t offset = offset_;
  for (std::size_t i = piece_; i <= body_.size() && count < pieces.size(); ++i) {
    const char* const data = i == 0 ? head_.data() : static_cast<const char*>(body_[i - 1].data);
    const std::size_t size = (i == 0 ? head_.size() : body_[i - 1].size) - offset;
    if (size != 0) pieces[count++] = {const_cast<char*>(data) + offset, size};
    offset = 0;
  }
  msghdr message{};
  message.msg_iov = pieces.data();
  message.msg_iovlen = count;
  return ::sendmsg(socket, &message, MSG_NOSIGNAL);
}

std::size_t gather_write::copy(std::span<char> into) const noexcept {
  std::size_t filled = 0;
  std::size_t offset = offset_;
  for (std::size_t i = piece_; i <= body_.size() && filled < into.size(); ++i) {
    const char* const data = i == 0 ? head_.data() : static_cast<const char*>(body_[i - 1].data);
    const std::size_t left = (i == 0 ? head_.size() : body_[i - 1].size) - offset;
    const std::size_t size = std::min(left, into.size() - filled);
    if (size != 0) std::memcpy(into.data() + filled, data + offset, size);
    filled += size;
    offset = 0;
  }
  return filled;
}

void gather_write::advance(std::size_t size) noexcept {
  unsent_ -= size;
  while (size != 0) {
    const std::size_t left = (piece_ == 0 ? head_.size() : body_[piece_ - 1].size) - offset_;
    if (size < left) {
      offset_ += size;
      return;
    }
    size -= left;
    offset_ = 0;
    ++piece_;
  }
}

// SIOCOUTQ returns the number of bytes without an acknowledgement. If all written bytes are among
// them, the peer has acknowledged no byte. TCP_INFO's tcpi_bytes_acked contains the same
// information, but would need a system call before each write. The peer's FIN acknowledges all
// bytes that its kernel had when the peer closed the connection.
bool gather_write::unacknowledged(int socket) const noexcept {
  int waiting = 0;
  return ::ioctl(socket, SIOCOUTQ, &waiting) == 0 && waiting >= 0 &&
         static_cast<std::size_t>(waiting) >= written_;
}

}  // namespace inferbench::transport
