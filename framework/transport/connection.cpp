#include "transport/connection.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <tuple>
#include <utility>

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "transport/proxy_tunnel.hpp"
#include "transport/secure_channel.hpp"
#include "transport/tcp_facts.hpp"

namespace inferbench::transport {

namespace {

using phase = connection_failure::phase;

std::uint32_t total_retransmits(int socket) noexcept {
  const auto facts = tcp_facts_of(socket);
  return facts ? facts->retransmits : 0;
}

}  // namespace

connection::connection(event_loop& loop) noexcept
    : loop_(loop), dialer_(loop, timer::action::to<&connection::on_timer>(*this)) {}

connection::~connection() { close(); }

void connection::watch(std::uint32_t events) noexcept {
  if (events == watched_) return;
  loop_.modify(socket_.get(), events, *this);
  watched_ = events;
}

void connection::watch_what_is_needed() noexcept {
  const bool more = message_.unsent() != 0 || (secure_ && secure_->pushing());
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
  dialer_.stop();
  if (secure_ && state_ == state::connected && error_ == 0) secure_->say_goodbye(socket_.get());
  drop_socket();
  secure_.reset();
  tunnel_.reset();
  state_ = state::closed;
  message_.drop();
}

bool connection::adopt(base::fd socket) noexcept {
  close();
  dialer_.forget();
  const int on = 1;
  ::setsockopt(socket.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (!loop_.add(socket.get(), EPOLLIN, *this)) return false;
  socket_ = std::move(socket);
  watched_ = EPOLLIN;
  state_ = state::connected;
  error_ = 0;
  forget_use();
  reads_.begin(loop_.wants_kernel_stamps());
  return true;
}

void connection::forget_use() noexcept {
  sends_ = retransmits_ = 0;
  heard_at_ = 0;
  message_.forget_time();
  reads_.begin(false);
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
    note_progress(stamp);
    flush();
    watch_what_is_needed();
  }
  if ((events & (EPOLLIN | EPOLLERR | EPOLLHUP)) != 0) receive(stamp);
}

// Reads once for each call. If more bytes are waiting, epoll reports the socket again, after the
// other sockets have been read.
void connection::receive(std::uint64_t stamp) {
  if (secure_) {
    receive_secure(stamp);
    return;
  }
  const std::span<char> buffer = loop_.scratch();
  const received got = reads_.read(loop_, socket_.get(), buffer, message_.sent_at());
  if (got.size <= 0) {
    end_of_input(got.size < 0, errno, stamp);
    return;
  }
  heard_at_ = loop_.stamp();
  listener_->on_bytes(*this, {buffer.data(), static_cast<std::size_t>(got.size)}, got.stamp);
}

void connection::receive_secure(std::uint64_t stamp) {
  const std::span<char> buffer = secure_channel::cipher_half(loop_.scratch());
  const received got = reads_.read(loop_, socket_.get(), buffer, message_.sent_at());
  if (got.size <= 0) {
    end_of_input(got.size < 0, errno, stamp);
    return;
  }
  secure_->feed({buffer.data(), static_cast<std::size_t>(got.size)});
  decrypt(got.stamp);
}

// Decrypts all received bytes: epoll would not report bytes that wait inside TLS. The listener is
// called once for all records that fit into the buffer.
void connection::decrypt(std::uint64_t stamp) {
  const std::span<char> room = secure_channel::plain_half(loop_.scratch());
  for (;;) {
    std::size_t filled = 0;
    const tls_step step = secure_->read(room, filled);
    if (filled != 0 && !tell([&] { listener_->on_bytes(*this, {room.data(), filled}, stamp); }))
      return;
    switch (step) {
      case tls_step::ok: continue;
      case tls_step::closed: end_of_input(false, 0, stamp); return;
      case tls_step::more:
        // The other side has changed its keys, and TLS may have produced an answer to be sent.
        if (secure_->pushing() && !push()) watch_what_is_needed();
        return;
      case tls_step::failed: {
        std::ignore = push();
        tls_trouble why = secure_->trouble(dialer_.where()->where.authority());
        fail({phase::receive, 0, std::move(why.text), std::move(why.remedy)}, stamp);
        return;
      }
    }
  }
}

// The connection became ready after the latest time at which the loop found it quiet, and after its
// latest progress. The delay is counted from the later of these times.
void connection::note_progress(std::uint64_t stamp) noexcept {
  const std::uint64_t since = std::max({loop_.quiet_at(), moved_at_, message_.sent_at()});
  seen_late_ += stamp - std::min(stamp, since);
  moved_at_ = loop_.clock().now();
}

void connection::end_of_input(bool broken, int code, std::uint64_t stamp) {
  if (broken && (code == EAGAIN || code == EINTR)) return;
  if (error_ == 0) note_unseen(!broken);
  if (error_ != 0) {
    fail({phase::send, error_, "the connection broke while sending: " + socket_error_text(error_)},
         stamp);
  } else if (broken) {
    fail({phase::receive, code, "the connection broke: " + socket_error_text(code)}, stamp);
  } else {
    close();
    listener_->on_eof(*this, stamp);
  }
}

void connection::send(std::string_view head, std::span<const ifb_bytes> body) noexcept {
  message_.begin(head, body);
  unseen_ = error_ != 0;
  ++sends_;
  if (error_ != 0) {
    message_.drop();  // an earlier send failed; on_failure will follow
    return;
  }
  flush();
  if (message_.unsent() != 0) watch(EPOLLIN | EPOLLOUT);
}

void connection::flush() noexcept {
  const int code = secure_ ? secure_->write(socket_.get(), message_, loop_.clock())
                           : message_.write_to(socket_.get(), loop_.clock());
  if (code != 0) break_sending(code);
}

// Sends the bytes that TLS has produced. Returns false if some bytes are left.
bool connection::push() noexcept {
  const int code = secure_->push(socket_.get(), message_, loop_.clock());
  if (code != 0) break_sending(code);
  return code == 0 && !secure_->pushing();
}

// The error is not reported here: the server may have sent an answer with the reason (such as 413)
// before it closed the connection. This answer is still in the receive buffer. shutdown()
// guarantees that epoll reports the socket.
void connection::break_sending(int code) noexcept {
  char byte = 0;
  note_unseen(::recv(socket_.get(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0);
  error_ = code;
  message_.drop();
  ::shutdown(socket_.get(), SHUT_RDWR);
}

void connection::note_unseen(bool in_order) noexcept {
  unseen_ = message_.written() == 0 || (in_order && dialer_.where() != nullptr &&
                                        !dialer_.local() && message_.unacknowledged(socket_.get()));
}

bool connection::quiet() noexcept {
  if (state_ != state::connected || error_ != 0) return false;
  if (secure_) return quiet_secure();
  char byte = 0;
  return ::recv(socket_.get(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && errno == EAGAIN;
}

// Uses its own buffer, because it may be called while the loop's buffer contains bytes of another
// connection.
bool connection::quiet_secure() noexcept {
  for (;;) {
    std::array<char, 4096> buffer;
    const auto got = ::recv(socket_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got <= 0) return got < 0 && errno == EAGAIN;
    secure_->feed({buffer.data(), static_cast<std::size_t>(got)});
    if (!secure_->holds_no_data()) return false;
    if (secure_->pushing() && !push()) watch_what_is_needed();
  }
}

std::uint64_t connection::tls_began_at() const noexcept {
  return secure_ ? secure_->began_at() : 0;
}

void connection::fail(const connection_failure& why, std::uint64_t stamp) {
  close();
  listener_->on_failure(*this, why, stamp);
}

}  // namespace inferbench::transport
