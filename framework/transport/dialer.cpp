#include "transport/dialer.hpp"

#include <algorithm>
#include <cerrno>
#include <string>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>

#include "base/clock.hpp"
#include "transport/kernel_stamps.hpp"

namespace inferbench::transport {

namespace {

// connect() to a unix socket with a full queue fails immediately, so there is a pause before the
// next attempt.
constexpr std::uint64_t full_queue_pause_ns = base::ns_per_ms;

constexpr int least_receive_buffer = 32 << 10;
constexpr int least_send_buffer = 8 << 10;

bool is_below(int socket, int option, int least) noexcept {
  int size = 0;
  socklen_t length = sizeof size;
  return ::getsockopt(socket, SOL_SOCKET, option, &size, &length) == 0 && size < least;
}

}  // namespace

void dialer::begin(const endpoint& where, std::size_t first, std::uint64_t deadline) noexcept {
  where_ = &where;
  address_ = first;
  untried_ = where.addresses.size();
  tried_ = 0;
  deadline_ = deadline;
  error_ = 0;
}

base::fd dialer::next(watcher& who, std::uint64_t now) {
  waiting_ = false;
  while (untried_ > 0) {
    if (tried_++ > 0) address_ = (address_ + 1) % where_->addresses.size();
    base::fd socket = start(where_->addresses[address_], who);
    if (error_ == EAGAIN && local()) {
      --tried_;
      loop_.arm(timer_, std::min(deadline_, now + full_queue_pause_ns));
      return {};
    }
    const std::uint64_t share = untried_--;
    if (error_ != 0) continue;
    if (deadline_ != timer_queue::never) {
      share_ends_ = now >= deadline_ ? deadline_ : now + (deadline_ - now) / share;
      loop_.arm(timer_, share_ends_);
    }
    waiting_ = true;
    return socket;
  }
  loop_.arm(timer_, 0);  // so that the failure is reported from the event loop
  return {};
}

// Sets error_.
base::fd dialer::start(const address& to, watcher& who) noexcept {
  const auto refused = [&] {
    error_ = errno;
    return base::fd();
  };
  base::fd socket(::socket(to.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket) return refused();
  const int on = 1;
  if (to.family() != AF_UNIX) ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  small_buffers_ = is_below(socket.get(), SO_RCVBUF, least_receive_buffer) ||
                   is_below(socket.get(), SO_SNDBUF, least_send_buffer);
  if (loop_.wants_kernel_stamps()) kernel_stamps::enable(socket.get());
  if (::connect(socket.get(), to.get(), to.size) != 0 && errno != EINPROGRESS) return refused();
  if (!loop_.add(socket.get(), EPOLLOUT, who)) return refused();
  error_ = 0;
  return socket;
}

bool dialer::accepted(int socket) noexcept {
  socklen_t size = sizeof error_;
  if (::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error_, &size) != 0) error_ = errno;
  loop_.cancel(timer_);
  return error_ == 0;
}

std::optional<connection_failure> dialer::failure_at(std::uint64_t now) const {
  using phase = connection_failure::phase;
  const bool refused = !waiting_ && (error_ != EAGAIN || untried_ == 0);
  const bool late = waiting_ ? untried_ == 0 : now >= deadline_;
  if (!refused && !late) return std::nullopt;

  std::string text = "cannot connect to ";
  if (!where_->proxy.empty()) text += "the proxy ";
  if (address_ < where_->addresses.size()) text += where_->addresses[address_].text();
  if (refused)
    return connection_failure{phase::connect, error_, text + ": " + socket_error_text(error_)};
  return connection_failure{phase::connect_timeout, ETIMEDOUT,
                            text + ": no answer within the connect timeout"};
}

}  // namespace inferbench::transport
