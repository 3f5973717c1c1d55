#include "transport/connection.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <tuple>
#include <utility>

#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "transport/connection_secure.hpp"
#include "transport/tcp_facts.hpp"

namespace inferbench::transport {

namespace {

using phase = connection_failure::phase;

// connect() to a unix socket with a full queue fails immediately, so there is a pause before the
// next attempt.
constexpr std::uint64_t full_queue_pause_ns = base::ns_per_ms;

// Half of the usual initial receive buffer of 128 KiB is for data. If a read has this size or more,
// the server may have waited for room in the buffer. Bytes that it sends after this wait arrive
// late and have a late stamp.
constexpr std::size_t long_read = std::size_t{32} << 10U;

// If two comparisons of the wall clock with the loop's clock differ by more than this, the wall
// clock was set between them.
constexpr std::uint64_t clocks_apart_ns = base::ns_per_ms;

constexpr int least_receive_buffer = 32 << 10;
constexpr int least_send_buffer = 8 << 10;

bool is_below(int socket, int option, int least) noexcept {
  int size = 0;
  socklen_t length = sizeof size;
  return ::getsockopt(socket, SOL_SOCKET, option, &size, &length) == 0 && size < least;
}

std::string text_of(int code) {
  switch (code) {
    case EADDRNOTAVAIL:
      return "no local port is free (too many connections, open or just closed, to one address)";
    case EMFILE: return "too many open files (raise ulimit -n, or use more --workers)";
    default: return std::generic_category().message(code);
  }
}

std::uint32_t total_retransmits(int socket) noexcept {
  const auto facts = tcp_facts_of(socket);
  return facts ? facts->retransmits : 0;
}

}  // namespace

connection::connection(event_loop& loop) noexcept
    : loop_(loop), timer_(timer::action::to<&connection::on_timer>(*this)) {}

connection::~connection() { close(); }

void connection::watch(std::uint32_t events) noexcept {
  if (events == watched_) return;
  loop_.modify(socket_.get(), events, *this);
  watched_ = events;
}

void connection::watch_what_is_needed() noexcept {
  const bool more = unsent_ != 0 || (secure_ && pushing());
  watch(more ? EPOLLIN | EPOLLOUT : EPOLLIN);
}

void connection::drop_socket() noexcept {
  if (!socket_) return;
  retransmits_ += total_retransmits(socket_.get());
  loop_.remove(socket_.get(), *this);
  socket_.reset();
  watched_ = 0;
}

std::uint32_t connection::retransmits() const noexcept {
  return retransmits_ + (socket_ ? total_retransmits(socket_.get()) : 0);
}

void connection::close() noexcept {
  if (gone_ != nullptr) *std::exchange(gone_, nullptr) = true;
  loop_.cancel(timer_);
  if (secure_ && state_ == state::connected) say_goodbye();
  drop_socket();
  secure_.reset();
  state_ = state::closed;
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
  error_ = 0;
  forget_use();
  return true;
}

void connection::forget_use() noexcept {
  sends_ = retransmits_ = 0;
  sent_at_ = heard_at_ = 0;
  read_at_ = read_turn_ = full_since_ = 0;
  reads_ = segments_ahead_ = 0;
}

void connection::connect(const endpoint& where, std::size_t first, std::uint64_t deadline,
                         tls_sessions* sessions) {
  close();
  where_ = &where;
  if (where.tls) secure_.reset(new secure_side{sessions});
  address_ = first;
  untried_ = where.addresses.size();
  tried_ = 0;
  deadline_ = deadline;
  state_ = state::connecting;
  error_ = 0;
  forget_use();
  began_at_ = moved_at_ = loop_.clock().now();
  seen_late_ = 0;
  try_next(began_at_);
}

// Each address gets an equal share of the time that is left. So an address that drops packets does
// not use the time of the other addresses.
void connection::try_next(std::uint64_t now) {
  while (untried_ > 0) {
    if (tried_++ > 0) address_ = (address_ + 1) % where_->addresses.size();
    error_ = start(where_->addresses[address_]);
    if (error_ == EAGAIN && where_->addresses[address_].family() == AF_UNIX) {
      --tried_;
      loop_.arm(timer_, std::min(deadline_, now + full_queue_pause_ns));
      return;
    }
    const std::uint64_t share = untried_--;
    if (error_ != 0) continue;
    if (deadline_ != timer_queue::never) {
      share_ends_ = now >= deadline_ ? deadline_ : now + (deadline_ - now) / share;
      loop_.arm(timer_, share_ends_);
    }
    return;
  }
  loop_.arm(timer_, 0);  // so that error_ is reported from the event loop
}

// Returns 0, or the errno of an immediate refusal.
int connection::start(const address& to) noexcept {
  base::fd socket(::socket(to.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket) return errno;
  const int on = 1;
  if (to.family() != AF_UNIX) ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  small_buffers_ = is_below(socket.get(), SO_RCVBUF, least_receive_buffer) ||
                   is_below(socket.get(), SO_SNDBUF, least_send_buffer);
  if (loop_.wants_kernel_stamps()) kernel_stamps::enable(socket.get());
  if (::connect(socket.get(), to.get(), to.size) != 0 && errno != EINPROGRESS) return errno;
  if (!loop_.add(socket.get(), EPOLLOUT, *this)) return errno;
  socket_ = std::move(socket);
  watched_ = EPOLLOUT;
  return 0;
}

void connection::on_timer(std::uint64_t now) {
  if (!socket_) {
    if (error_ != EAGAIN || untried_ == 0)
      fail_to_connect(phase::connect, error_, now);
    else if (now >= deadline_)
      fail_to_connect(phase::connect_timeout, ETIMEDOUT, now);
    else
      try_next(now);
    return;
  }
  if (untried_ == 0 || state_ != state::connecting) {
    fail_to_connect(phase::connect_timeout, ETIMEDOUT, now);
    return;
  }
  seen_late_ += now - std::min(now, share_ends_);
  moved_at_ = now;
  drop_socket();
  try_next(now);
}

void connection::on_ready(std::uint32_t events, std::uint64_t stamp) {
  if (state_ != state::connected) {
    note_progress(stamp);
    if (state_ == state::connecting)
      finish_connect(stamp);
    else
      establish(events, stamp);
    return;
  }
  if ((events & EPOLLOUT) != 0) {
    const bool sending = unsent_ != 0;
    note_progress(stamp);
    flush();
    watch_what_is_needed();
    if (sending && unsent_ == 0 && error_ == 0 && !tell([&] { listener_->on_sent(*this, stamp); }))
      return;
  }
  if ((events & (EPOLLIN | EPOLLERR | EPOLLHUP)) != 0) receive(stamp);
}

void connection::finish_connect(std::uint64_t stamp) {
  socklen_t size = sizeof error_;
  if (::getsockopt(socket_.get(), SOL_SOCKET, SO_ERROR, &error_, &size) != 0) error_ = errno;
  loop_.cancel(timer_);
  if (error_ != 0) {
    drop_socket();
    try_next(loop_.clock().now());
    return;
  }
  if (!secure_) {
    std::ignore = become_usable(stamp);
    return;
  }
  if (deadline_ != timer_queue::never) loop_.arm(timer_, deadline_);
  if (where_->tunnel.empty())
    begin_tls({}, stamp);
  else
    begin_tunnel();
}

// Reports the connection to the listener. Returns false if the listener has closed, reused or
// destroyed it.
bool connection::become_usable(std::uint64_t stamp) {
  loop_.cancel(timer_);
  state_ = state::connected;
  sent_at_ = 0;
  watch_what_is_needed();
  return tell([&] { listener_->on_connected(*this, stamp); });
}

// Reads once for each call. If more bytes are waiting, epoll reports the socket again, after the
// other sockets have been read.
void connection::receive(std::uint64_t stamp) {
  if (secure_) {
    receive_secure(stamp);
    return;
  }
  const std::span<char> buffer = loop_.scratch();
  const received got = read_into(buffer);
  if (got.size <= 0) {
    end_of_input(got.size < 0, errno, stamp);
    return;
  }
  heard_at_ = loop_.stamp();
  listener_->on_bytes(*this, {buffer.data(), static_cast<std::size_t>(got.size)}, got.stamp);
}

// Whether the connection goes over a unix socket.
bool connection::local() const noexcept {
  return where_ != nullptr && where_->addresses[address_].family() == AF_UNIX;
}

// A read contains all bytes that have arrived before it, unless it is a long read. Bytes come in
// order, so if a stamp is earlier than the previous stamp, the wall clock was set.
received connection::read_into(std::span<char> buffer) noexcept {
  received got = loop_.receive(socket_.get(), buffer);
  if (got.size <= 0) return got;
  ++reads_;
  by_kernel_ = got.by_kernel && got.stamp + clocks_apart_ns >= std::max(read_at_, sent_at_);
  if (by_kernel_) got.stamp = std::max(got.stamp, read_at_);
  // After the first program on a machine has enabled stamps, the kernel does not stamp the first
  // few packets.
  if (!by_kernel_ && knows_spread()) got.stamp = loop_.clock().now();
  const std::uint64_t since = full_since_ != 0 ? full_since_ : std::max(loop_.quiet_at(), read_at_);
  read_spread_ = got.stamp - std::min(got.stamp, since);
  held_back_ = full_since_ != 0;
  full_since_ = static_cast<std::size_t>(got.size) >= std::min(long_read, buffer.size())
                    ? std::max<std::uint64_t>(since, 1)
                    : 0;
  held_back_ = held_back_ || full_since_ != 0;
  read_at_ = got.stamp;
  read_turn_ = loop_.stamp();
  return got;
}

// True if there were as many segments as reads since the previous count. If segments are unread,
// the count would include them. In that case the result is unknown and the previous count is kept.
bool connection::came_at_once() noexcept {
  const auto facts = tcp_facts_of(socket_.get());
  int waiting = 0;
  if (!facts || ::ioctl(socket_.get(), SIOCINQ, &waiting) != 0 || waiting != 0) return false;
  const std::uint32_t ahead = facts->data_segments_in - reads_;
  return std::exchange(segments_ahead_, ahead) == ahead && !held_back_ && by_kernel_;
}

// The end of a TLS stream may come in the same read as data. The end of a plain connection is
// always read after its data. If epoll reported the socket, the socket was not quiet at that time.
std::uint64_t connection::end_late(std::uint64_t stamp) const noexcept {
  if (read_turn_ == loop_.stamp()) return read_spread_;
  const std::uint64_t newest = by_kernel_ ? read_at_ : read_at_ - std::min(read_at_, read_spread_);
  const std::uint64_t since =
      read_turn_ > loop_.quiet_at() ? newest : std::max(loop_.quiet_at(), newest);
  return stamp - std::min(stamp, since);
}

// The connection became ready after the latest time at which the loop found it quiet, and after its
// latest progress. The delay is counted from the later of these times.
void connection::note_progress(std::uint64_t stamp) noexcept {
  const std::uint64_t since = std::max({loop_.quiet_at(), moved_at_, sent_at_});
  seen_late_ += stamp - std::min(stamp, since);
  moved_at_ = loop_.clock().now();
}

void connection::end_of_input(bool broken, int code, std::uint64_t stamp) {
  if (broken && (code == EAGAIN || code == EINTR)) return;
  if (error_ == 0) note_unseen(!broken);
  if (error_ != 0) {
    fail({phase::send, error_, "the connection broke while sending: " + text_of(error_)}, stamp);
  } else if (broken) {
    fail({phase::receive, code, "the connection broke: " + text_of(code)}, stamp);
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
  written_ = 0;
  unseen_ = error_ != 0;
  ++sends_;
  if (error_ != 0) {
    unsent_ = 0;  // an earlier send failed; on_failure will follow
    return;
  }
  flush();
  if (unsent_ != 0) watch(EPOLLIN | EPOLLOUT);
}

void connection::flush() noexcept {
  if (secure_)
    flush_secure();
  else
    flush_plain();
}

// The error is not reported here: the server may have sent an answer with the reason (such as 413)
// before it closed the connection. This answer is still in the receive buffer. shutdown()
// guarantees that epoll reports the socket.
void connection::break_sending(int code) noexcept {
  char byte = 0;
  note_unseen(::recv(socket_.get(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0);
  error_ = code;
  unsent_ = 0;
  ::shutdown(socket_.get(), SHUT_RDWR);
}

void connection::flush_plain() noexcept {
  while (unsent_ != 0) {
    const std::uint64_t before = sent_at_ == 0 ? loop_.clock().now() : sent_at_;
    const auto taken = body_.empty() ? ::send(socket_.get(), head_.data() + offset_,
                                              head_.size() - offset_, MSG_NOSIGNAL)
                                     : send_pieces();
    if (taken < 0) {
      if (errno == EINTR) continue;
      if (errno != EAGAIN) break_sending(errno);
      return;
    }
    sent_at_ = before;
    written_ += static_cast<std::size_t>(taken);
    advance(static_cast<std::size_t>(taken));
  }
}

// SIOCOUTQ returns the number of bytes without an acknowledgement. If all written bytes are among
// them, the peer has acknowledged no byte. TCP_INFO's tcpi_bytes_acked contains the same
// information, but would need a system call before each write. The peer's FIN acknowledges all
// bytes that its kernel had when the peer closed the connection.
void connection::note_unseen(bool in_order) noexcept {
  int waiting = 0;
  unseen_ = written_ == 0 || (in_order && where_ != nullptr && !local() &&
                              ::ioctl(socket_.get(), SIOCOUTQ, &waiting) == 0 && waiting >= 0 &&
                              static_cast<std::size_t>(waiting) >= written_);
}

// Sends all pieces in one gather write and returns the result of sendmsg().
ssize_t connection::send_pieces() const noexcept {
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
  return ::sendmsg(socket_.get(), &message, MSG_NOSIGNAL);
}

void connection::advance(std::size_t sent) noexcept {
  unsent_ -= sent;
  while (sent != 0) {
    const std::size_t size = (piece_ == 0 ? head_.size() : body_[piece_ - 1].size) - offset_;
    if (sent < size) {
      offset_ += sent;
      return;
    }
    sent -= size;
    offset_ = 0;
    ++piece_;
  }
}

bool connection::quiet() noexcept {
  if (state_ != state::connected || error_ != 0) return false;
  if (secure_) return quiet_secure();
  char byte = 0;
  return ::recv(socket_.get(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && errno == EAGAIN;
}

void connection::fail_to_connect(phase when, int code, std::uint64_t stamp) {
  const std::string why =
      when == phase::connect ? text_of(code) : "no answer within the connect timeout";
  if (state_ != state::connecting) {
    // A plain HTTP server may interpret the TLS greeting as the beginning of a request and wait for
    // the rest.
    fail_to_establish(why, code, stamp,
                      state_ == state::shaking
                          ? "check that the server speaks https, or write http:// instead"
                          : "");
    return;
  }
  std::string text = "cannot connect to ";
  if (!where_->proxy.empty()) text += "the proxy ";
  if (address_ < where_->addresses.size()) text += where_->addresses[address_].text();
  fail({when, code, text + ": " + why}, stamp);
}

void connection::fail(const connection_failure& why, std::uint64_t stamp) {
  close();
  listener_->on_failure(*this, why, stamp);
}

}  // namespace inferbench::transport
