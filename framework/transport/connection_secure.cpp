// The tunnel through a proxy and the TLS of a connection.
#include "transport/connection_secure.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <tuple>
#include <utility>

#include <sys/socket.h>

namespace inferbench::transport {

namespace {

using phase = connection_failure::phase;

// The two halves of the loop's scratch buffer: the first is for ciphertext, the second for
// plaintext. Plaintext is never longer than its ciphertext.
std::span<char> cipher_half(std::span<char> scratch) { return scratch.first(scratch.size() / 2); }
std::span<char> plain_half(std::span<char> scratch) { return scratch.subspan(scratch.size() / 2); }

}  // namespace

void connection::secure_deleter::operator()(secure_side* what) const noexcept { delete what; }

std::uint64_t connection::tls_began_at() const noexcept { return secure_ ? secure_->began_at : 0; }

bool connection::tls_resumed() const noexcept {
  return secure_ && secure_->tls && secure_->tls->resumed();
}

bool connection::pushing() const noexcept {
  return secure_->tls && !secure_->tls->unsent().empty();
}

void connection::begin_tunnel() {
  state_ = state::tunnelling;
  secure_->tunnel = std::make_unique<http1_response_parser>();
  // Like an answer to HEAD: bytes after the head come from the server, not from the proxy.
  secure_->tunnel->begin(true);
  head_ = where_->tunnel;
  body_ = {};
  piece_ = offset_ = 0;
  unsent_ = head_.size();
  flush_plain();
  watch_what_is_needed();
}

void connection::begin_tls(std::string_view behind, std::uint64_t stamp) {
  state_ = state::shaking;
  secure_->tunnel.reset();
  secure_->began_at = loop_.clock().now();
  secure_->tls = std::make_unique<tls_stream>(*where_->tls, where_->where.host, secure_->sessions);
  secure_->tls->feed(behind);
  shake(stamp);
}

void connection::establish(std::uint32_t events, std::uint64_t stamp) {
  if ((events & EPOLLOUT) != 0) {
    if (state_ == state::tunnelling)
      flush_plain();
    else
      std::ignore = push();
    watch_what_is_needed();
  }
  if ((events & (EPOLLIN | EPOLLERR | EPOLLHUP)) == 0) return;
  const std::span<char> buffer = cipher_half(loop_.scratch());
  const auto got = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
  if (got <= 0) {
    const int code = got < 0 ? errno : error_;
    if (code == EAGAIN || code == EINTR) return;
    fail_to_establish(code != 0                     ? std::generic_category().message(code)
                      : state_ == state::tunnelling ? "it closed the connection"
                                                    : "the server closed the connection",
                      code, stamp);
    return;
  }
  ++reads_;
  const std::string_view bytes(buffer.data(), static_cast<std::size_t>(got));
  if (state_ == state::tunnelling) {
    read_tunnel(bytes, stamp);
  } else {
    secure_->tls->feed(bytes);
    shake(stamp);
  }
}

void connection::read_tunnel(std::string_view bytes, std::uint64_t stamp) {
  http1_response_parser& answer = *secure_->tunnel;
  for (;;) {
    switch (answer.next(bytes).kind) {
      case http1_piece::more: return;
      case http1_piece::body: break;
      case http1_piece::failed: fail_to_establish(answer.error(), 0, stamp); return;
      case http1_piece::end: begin_tls(bytes, stamp); return;
      case http1_piece::head:
        if (answer.status() / 100 == 2) break;
        std::string why = "HTTP " + std::to_string(answer.status());
        if (!answer.reason().empty()) why.append(" ").append(answer.reason());
        fail_to_establish(why, 0, stamp,
                          answer.status() == 407
                              ? "give its URL a user and a password: http://USER:PASSWORD@HOST:PORT"
                              : "");
        return;
    }
  }
}

void connection::shake(std::uint64_t stamp) {
  tls_stream& tls = *secure_->tls;
  const tls_step step = tls.handshake();
  const bool all = push();  // may also send an alert, which contains the reason for the server
  switch (step) {
    case tls_step::ok: break;
    case tls_step::more: watch(all ? EPOLLIN : EPOLLIN | EPOLLOUT); return;
    case tls_step::closed: fail_to_establish("the server closed the connection", 0, stamp); return;
    case tls_step::failed: {
      tls_trouble why = tls.trouble(where_->where.authority());
      fail({phase::tls, 0, std::move(why.text), std::move(why.remedy)}, stamp);
      return;
    }
  }
  // The server may have sent tickets right after the handshake; they have been read already.
  if (become_usable(stamp)) decrypt(stamp);
}

void connection::receive_secure(std::uint64_t stamp) {
  const std::span<char> buffer = cipher_half(loop_.scratch());
  const received got = read_into(buffer);
  if (got.size <= 0) {
    end_of_input(got.size < 0, errno, stamp);
    return;
  }
  secure_->tls->feed({buffer.data(), static_cast<std::size_t>(got.size)});
  decrypt(got.stamp);
}

// Decrypts all received bytes: epoll would not report bytes that wait inside TLS. The listener is
// called once for all records that fit into the buffer.
void connection::decrypt(std::uint64_t stamp) {
  const std::span<char> room = plain_half(loop_.scratch());
  tls_stream& tls = *secure_->tls;
  for (;;) {
    std::size_t filled = 0;
    tls_step step = tls_step::ok;
    do {
      std::size_t got = 0;
      step = tls.read(room.subspan(filled), got);
      filled += got;
    } while (step == tls_step::ok && room.size() - filled >= tls_stream::max_record);
    if (filled != 0 && !tell([&] { listener_->on_bytes(*this, {room.data(), filled}, stamp); }))
      return;
    switch (step) {
      case tls_step::ok: continue;
      case tls_step::closed: end_of_input(false, 0, stamp); return;
      case tls_step::more:
        // The other side has changed its keys, and TLS may have produced an answer to be sent.
        if (pushing() && !push()) watch_what_is_needed();
        return;
      case tls_step::failed: {
        std::ignore = push();
        tls_trouble why = tls.trouble(where_->where.authority());
        fail({phase::receive, 0, std::move(why.text), std::move(why.remedy)}, stamp);
        return;
      }
    }
  }
}

// Sends the bytes that TLS has produced. Returns false if some bytes are left.
bool connection::push() noexcept {
  tls_stream& tls = *secure_->tls;
  while (!tls.unsent().empty()) {
    const std::string_view bytes = tls.unsent();
    const bool stamped = sent_at_ != 0 || secure_->encrypted == 0;
    const std::uint64_t before = stamped ? sent_at_ : loop_.clock().now();
    const auto taken = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (taken < 0) {
      if (errno == EINTR) continue;
      if (errno == EAGAIN) return false;
      tls.sent(bytes.size());  // the connection has failed: the bytes are dropped
      secure_->encrypted = 0;
      break_sending(errno);
      return false;
    }
    sent_at_ = before;
    written_ += static_cast<std::size_t>(taken);
    tls.sent(static_cast<std::size_t>(taken));
  }
  advance(std::exchange(secure_->encrypted, 0));
  return true;
}

// Encrypts one record at a time, and each record only after the kernel has accepted the previous
// record. So at most one record waits in memory.
void connection::flush_secure() noexcept {
  while (push() && unsent_ != 0) {
    std::array<char, tls_stream::max_record> record;
    const std::size_t size = gather(record);
    if (!secure_->tls->write({record.data(), size})) {
      break_sending(EPIPE);
      return;
    }
    secure_->encrypted = size;
  }
}

// Copies the next bytes of head and body into one buffer, so that a request that fits is sent as
// one record.
std::size_t connection::gather(std::span<char> into) const noexcept {
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

// Uses its own buffer, because it may be called while the loop's buffer contains bytes of another
// connection.
bool connection::quiet_secure() noexcept {
  for (;;) {
    std::array<char, 4096> buffer;
    const auto got = ::recv(socket_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (got <= 0) return got < 0 && errno == EAGAIN;
    secure_->tls->feed({buffer.data(), static_cast<std::size_t>(got)});
    char byte = 0;
    std::size_t plain = 0;
    if (secure_->tls->read({&byte, 1}, plain) != tls_step::more) return false;
    if (pushing() && !push()) watch_what_is_needed();
  }
}

// Makes only one attempt to send the end of the stream, because closing must not wait.
void connection::say_goodbye() noexcept {
  if (pushing() || error_ != 0) return;
  secure_->tls->finish();
  const std::string_view bytes = secure_->tls->unsent();
  if (!bytes.empty())
    std::ignore = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
}

void connection::fail_to_establish(const std::string& why, int code, std::uint64_t stamp,
                                   std::string remedy) {
  const bool tunnel = state_ == state::tunnelling;
  const phase when = code == ETIMEDOUT ? phase::connect_timeout
                     : tunnel          ? phase::proxy
                                       : phase::tls;
  std::string text = tunnel ? "the proxy " + where_->proxy + " does not connect to " +
                                  where_->where.host_and_port()
                            : "no TLS connection to " + where_->where.authority();
  fail({when, code, text + ": " + why, std::move(remedy)}, stamp);
}

}  // namespace inferbench::transport
