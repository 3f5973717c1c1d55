#include "transport/connection.hpp"

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/uio.h>

namespace inferbench::transport {

namespace {

using phase = connection_failure::phase;

std::string text_of(int code) {
  switch (code) {
    case EADDRNOTAVAIL:
      return "no local port is free (too many connections, open or just closed, to one address)";
    case EMFILE:
    case ENFILE: return "too many open files (raise ulimit -n)";
    default: return std::generic_category().message(code);
  }
}

std::string text_of(phase when, int code, const std::string& where) {
  switch (when) {
    case phase::connect: return "cannot connect to " + where + ": " + text_of(code);
    case phase::connect_timeout:
      return "cannot connect to " + where + ": no answer within the connect timeout";
    case phase::send: return "the connection broke while sending: " + text_of(code);
    case phase::receive: return "the connection broke: " + text_of(code);
  }
  return text_of(code);
}

}  // namespace

connection::connection(event_loop& loop) noexcept
    : loop_(loop), timer_(timer::action::to<&connection::on_timer>(*this)) {}

connection::~connection() {
  close();
  if (destroyed_ != nullptr) *destroyed_ = true;
}

void connection::watch(std::uint32_t events) noexcept {
  if (events == watched_) return;
  loop_.modify(socket_.get(), events, *this);
  watched_ = events;
}

void connection::close() noexcept {
  loop_.cancel(timer_);
  if (socket_) loop_.remove(socket_.get(), *this);
  socket_.reset();
  state_ = state::closed;
  watched_ = 0;
  head_ = {};
  body_ = {};
  unsent_ = 0;
}

bool connection::adopt(base::fd socket) noexcept {
  close();
  const int on = 1;
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (!loop_.add(socket.get(), EPOLLIN, *this)) return false;
  socket_ = std::move(socket);
  watched_ = EPOLLIN;
  state_ = state::connected;
  sends_ = error_ = 0;
  sent_at_ = 0;
  return true;
}

void connection::connect(std::span<const address> addresses, std::size_t first,
                         std::uint64_t deadline) {
  close();
  addresses_ = addresses;
  address_ = first;
  untried_ = addresses.size();
  tried_ = 0;
  deadline_ = deadline;
  state_ = state::connecting;
  error_ = 0;
  sends_ = 0;
  sent_at_ = 0;
  try_next(loop_.clock().now());
}

// Each address gets an equal share of the time that is left, so that one that drops
// packets does not use up the time of the others.
void connection::try_next(std::uint64_t now) {
  while (untried_ > 0) {
    if (tried_++ > 0) address_ = (address_ + 1) % addresses_.size();
    error_ = start(addresses_[address_]);
    const std::uint64_t share = untried_--;
    if (error_ != 0) continue;
    if (deadline_ != timer_queue::never)
      loop_.arm(timer_, now >= deadline_ ? deadline_ : now + (deadline_ - now) / share);
    return;
  }
  loop_.arm(timer_, 0);  // reports error_ from the loop
}

// 0, or the errno of a refusal that came at once.
int connection::start(const address& to) noexcept {
  base::fd socket(::socket(to.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket) return errno;
  const int on = 1;
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (::connect(socket.get(), to.get(), to.size) != 0 && errno != EINPROGRESS) return errno;
  if (!loop_.add(socket.get(), EPOLLOUT, *this)) return errno;
  socket_ = std::move(socket);
  watched_ = EPOLLOUT;
  return 0;
}

void connection::on_timer(std::uint64_t now) {
  if (!socket_) {
    fail(phase::connect, error_, now);
    return;
  }
  if (untried_ == 0) {
    fail(phase::connect_timeout, ETIMEDOUT, now);
    return;
  }
  loop_.remove(socket_.get(), *this);
  socket_.reset();
  try_next(now);
}

void connection::on_ready(std::uint32_t events, std::uint64_t stamp) {
  if (state_ == state::connecting) {
    finish_connect(stamp);
    return;
  }
  if ((events & EPOLLOUT) != 0 && unsent_ != 0) {
    flush();
    if (unsent_ == 0) watch(EPOLLIN);
    if (unsent_ == 0 && error_ == 0) {
      bool destroyed = false;
      destroyed_ = &destroyed;
      listener_->on_sent(*this, stamp);
      if (destroyed) return;
      destroyed_ = nullptr;
    }
  }
  if ((events & (EPOLLIN | EPOLLERR | EPOLLHUP)) != 0 && state_ == state::connected) receive(stamp);
}

void connection::finish_connect(std::uint64_t stamp) {
  socklen_t size = sizeof error_;
  if (::getsockopt(socket_.get(), SOL_SOCKET, SO_ERROR, &error_, &size) != 0) error_ = errno;
  loop_.cancel(timer_);
  if (error_ != 0) {
    loop_.remove(socket_.get(), *this);
    socket_.reset();
    try_next(loop_.clock().now());
    return;
  }
  state_ = state::connected;
  watch(EPOLLIN);
  listener_->on_connected(*this, stamp);
}

// One read for each call: if more is there, epoll says so again, and the others have
// had their turn.
void connection::receive(std::uint64_t stamp) {
  const std::span<char> buffer = loop_.scratch();
  const auto got = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
  if (got > 0) {
    listener_->on_bytes(*this, {buffer.data(), static_cast<std::size_t>(got)}, stamp);
    return;
  }
  const int code = errno;
  if (got < 0 && (code == EAGAIN || code == EINTR)) return;
  if (error_ != 0) {
    fail(phase::send, error_, stamp);
  } else if (got < 0) {
    fail(phase::receive, code, stamp);
  } else {
    close();
    listener_->on_eof(*this, stamp);
  }
}

void connection::send(std::string_view head, std::span<const ifb_bytes> body) noexcept {
  head_ = head;
  body_ = body;
  piece_ = offset_ = 0;
  unsent_ = head.size();
  for (const ifb_bytes& piece : body)
    unsent_ += piece.size;
  sent_at_ = 0;
  ++sends_;
  if (error_ != 0) {
    unsent_ = 0;  // an earlier send failed; on_failure is on its way
    return;
  }
  flush();
  if (unsent_ != 0) watch(EPOLLIN | EPOLLOUT);
}

void connection::flush() noexcept {
  while (unsent_ != 0) {
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
    const std::uint64_t before = sent_at_ == 0 ? loop_.clock().now() : sent_at_;
    const auto taken = ::sendmsg(socket_.get(), &message, MSG_NOSIGNAL);
    if (taken < 0) {
      if (errno == EINTR) continue;
      if (errno == EAGAIN) return;
      // Not reported here: the server may have said why before it closed (413), and
      // that is still in the receive buffer. shutdown() makes sure of an event.
      error_ = errno;
      unsent_ = 0;
      ::shutdown(socket_.get(), SHUT_RDWR);
      return;
    }
    sent_at_ = before;
    auto left = static_cast<std::size_t>(taken);
    unsent_ -= left;
    while (left != 0) {
      const std::size_t size = (piece_ == 0 ? head_.size() : body_[piece_ - 1].size) - offset_;
      if (left < size) {
        offset_ += left;
        break;
      }
      left -= size;
      offset_ = 0;
      ++piece_;
    }
  }
}

bool connection::quiet() const noexcept {
  if (state_ != state::connected || error_ != 0) return false;
  char byte = 0;
  return ::recv(socket_.get(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && errno == EAGAIN;
}

void connection::fail(phase when, int code, std::uint64_t stamp) {
  const bool connecting = when == phase::connect || when == phase::connect_timeout;
  const connection_failure why{
      when, code,
      text_of(when, code, connecting && !addresses_.empty() ? addresses_[address_].text() : "")};
  close();
  listener_->on_failure(*this, why, stamp);
}

}  // namespace inferbench::transport
