// The steps of a connection from connect() until it is usable: address, tunnel, TLS handshake.
#include <algorithm>
#include <cerrno>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include <sys/socket.h>

#include "transport/connection.hpp"
#include "transport/proxy_tunnel.hpp"
#include "transport/secure_channel.hpp"

namespace inferbench::transport {

void connection::connect(const endpoint& where, std::size_t first, std::uint64_t deadline,
                         tls_sessions* sessions) {
  close();
  sessions_ = sessions;
  dialer_.begin(where, first, deadline);
  state_ = state::connecting;
  error_ = 0;
  forget_use();
  began_at_ = moved_at_ = loop_.clock().now();
  seen_late_ = 0;
  dial(began_at_);
}

void connection::dial(std::uint64_t now) {
  socket_ = dialer_.next(*this, now);
  if (!socket_) return;
  watched_ = EPOLLOUT;
  reads_.begin(loop_.wants_kernel_stamps() && !dialer_.small_buffers() && !dialer_.local());
}

void connection::on_timer(std::uint64_t now) {
  if (state_ != state::connecting) {
    // A plain HTTP server may interpret the TLS greeting as the beginning of a request and wait for
    // the rest.
    fail_to_establish("no answer within the connect timeout", ETIMEDOUT, now,
                      state_ == state::shaking
                          ? "check that the server speaks https, or write http:// instead"
                          : "");
    return;
  }
  if (const auto failure = dialer_.failure_at(now)) {
    fail(*failure, now);
    return;
  }
  if (socket_) {
    seen_late_ += now - std::min(now, dialer_.share_ends());
    moved_at_ = now;
    drop_socket();
  }
  dial(now);
}

void connection::finish_connect(std::uint64_t stamp) {
  if (!dialer_.accepted(socket_.get())) {
    drop_socket();
    dial(loop_.clock().now());
    return;
  }
  const endpoint& where = *dialer_.where();
  if (!where.tls) {
    std::ignore = become_usable(stamp);
    return;
  }
  dialer_.wait_for_deadline();
  if (where.tunnel.empty())
    begin_tls({}, stamp);
  else
    begin_tunnel();
}

void connection::establish(std::uint32_t events, std::uint64_t stamp) {
  if ((events & EPOLLOUT) != 0) {
    if (state_ == state::tunnelling)
      flush();
    else
      std::ignore = push();
    watch_what_is_needed();
  }
  if ((events & (EPOLLIN | EPOLLERR | EPOLLHUP)) == 0) return;
  const std::span<char> buffer = secure_channel::cipher_half(loop_.scratch());
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
  reads_.count();
  const std::string_view bytes(buffer.data(), static_cast<std::size_t>(got));
  if (state_ == state::tunnelling) {
    read_tunnel(bytes, stamp);
  } else {
    secure_->feed(bytes);
    shake(stamp);
  }
}

void connection::begin_tunnel() {
  state_ = state::tunnelling;
  tunnel_ = std::make_unique<proxy_tunnel>();
  message_.begin(dialer_.where()->tunnel, {});
  flush();
  watch_what_is_needed();
}

void connection::read_tunnel(std::string_view bytes, std::uint64_t stamp) {
  switch (tunnel_->feed(bytes)) {
    case tunnel_step::more: return;
    case tunnel_step::open: begin_tls(bytes, stamp); return;
    case tunnel_step::refused:
      fail_to_establish(tunnel_->reason(), 0, stamp, tunnel_->remedy());
      return;
  }
}

void connection::begin_tls(std::string_view behind, std::uint64_t stamp) {
  state_ = state::shaking;
  tunnel_.reset();
  const endpoint& where = *dialer_.where();
  secure_ = std::make_unique<secure_channel>(*where.tls, where.where.host, sessions_,
                                             loop_.clock().now());
  secure_->feed(behind);
  shake(stamp);
}

void connection::shake(std::uint64_t stamp) {
  const tls_step step = secure_->handshake();
  const bool all = push();  // may also send an alert, which contains the reason for the server
  switch (step) {
    case tls_step::ok: break;
    case tls_step::more: watch(all ? EPOLLIN : EPOLLIN | EPOLLOUT); return;
    case tls_step::closed: fail_to_establish("the server closed the connection", 0, stamp); return;
    case tls_step::failed: {
      tls_trouble why = secure_->trouble(dialer_.where()->where.authority());
      fail({connection_failure::phase::tls, 0, std::move(why.text), std::move(why.remedy)}, stamp);
      return;
    }
  }
  // The server may have sent tickets right after the handshake; they have been read already.
  if (become_usable(stamp)) decrypt(stamp);
}

// Reports the connection to the listener. Returns false if the listener has closed, reused or
// destroyed it.
bool connection::become_usable(std::uint64_t stamp) {
  dialer_.stop();
  state_ = state::connected;
  message_.forget_time();
  watch_what_is_needed();
  return tell([&] { listener_->on_connected(*this, stamp); });
}

void connection::fail_to_establish(const std::string& why, int code, std::uint64_t stamp,
                                   std::string remedy) {
  using phase = connection_failure::phase;
  const bool tunnel = state_ == state::tunnelling;
  const phase when = code == ETIMEDOUT ? phase::connect_timeout
                     : tunnel          ? phase::proxy
                                       : phase::tls;
  const endpoint& where = *dialer_.where();
  std::string text =
      tunnel ? "the proxy " + where.proxy + " does not connect to " + where.where.host_and_port()
             : "no TLS connection to " + where.where.authority();
  fail({when, code, text + ": " + why, std::move(remedy)}, stamp);
}

}  // namespace inferbench::transport
