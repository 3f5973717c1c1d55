#include "simulator/connection.hpp"

#include <cerrno>
#include <utility>

#include <sys/socket.h>

#include "simulator/wire.hpp"

namespace inferbench::simulator {

namespace {

constexpr std::size_t keep_unread = std::size_t{64} << 10U;
constexpr std::size_t keep_buffer = std::size_t{16} << 10U;
constexpr std::uint64_t linger_ns = 2 * base::ns_per_s;

}  // namespace

connection::connection(base::fd socket, const request_parser::limits& bounds,
                       transport::event_loop& loop, owner& who)
    : socket_(std::move(socket)),
      loop_(loop),
      owner_(who),
      parser_(bounds),
      linger_(transport::timer::action::to<&connection::on_linger_end>(*this)) {}

connection::~connection() {
  if (watched_ != 0) loop_.remove(socket_.get(), *this);
}

bool connection::watch() noexcept {
  watched_ = EPOLLIN;
  if (loop_.add(socket_.get(), watched_, *this)) return true;
  watched_ = 0;
  return false;
}

// Makes no system call if the events stay the same, which is so after most answers.
void connection::watch_for() {
  std::uint32_t wanted = EPOLLIN;
  if (later_.size() >= keep_unread) wanted = EPOLLRDHUP;
  if (phase_ == phase::closing) wanted = 0;
  if (blocked()) wanted |= EPOLLOUT;
  if (wanted == watched_) return;
  watched_ = wanted;
  loop_.modify(socket_.get(), watched_, *this);
}

void connection::on_ready(std::uint32_t epoll_events, std::uint64_t) {
  if ((epoll_events & EPOLLOUT) != 0 && blocked()) {
    flush();
    if (!broken_ && !blocked() && phase_ == phase::answering) owner_.on_drained(*this);
    if (!broken_ && !blocked() && phase_ == phase::reading) resume();
  }
  if (!over() && (epoll_events & ~std::uint32_t{EPOLLOUT}) != 0) {
    if ((watched_ & EPOLLIN) != 0)
      read_some();
    else
      broken_ = true;  // only the end of the connection was watched, and it has come
  }
  if (over())
    owner_.on_over(*this);
  else
    watch_for();
}

void connection::read_some() {
  const auto buffer = loop_.scratch();
  const auto size = ::recv(socket_.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (size <= 0) {
    if (size == 0 || (errno != EAGAIN && errno != EINTR)) broken_ = true;
    return;
  }
  received_ = phase_ == phase::reading ? loop_.clock().now() : received_;
  if (phase_ != phase::lingering) take({buffer.data(), static_cast<std::size_t>(size)});
}

void connection::take(std::string_view bytes) {
  // Do not read further requests while the client does not read its answers.
  while (!bytes.empty() && phase_ == phase::reading && !blocked() && !broken_) {
    bytes.remove_prefix(parser_.feed(bytes));
    switch (parser_.state()) {
      case request_parser::status::unfinished:
        if (parser_.awaits_continue() && !std::exchange(continued_, true)) write(continue_head);
        break;
      case request_parser::status::complete:
        phase_ = phase::answering;
        owner_.on_request(*this);
        // Frees the memory of the request: an answer may take minutes, and the body of its request
        // may have megabytes.
        if (phase_ == phase::answering) parser_.reset();
        break;
      case request_parser::status::failed:
        phase_ = phase::answering;
        owner_.on_refused(*this);
        return;
    }
  }
  if (phase_ != phase::closing) later_.append(bytes);
}

void connection::resume() {
  if (phase_ == phase::reading && !later_.empty()) {
    received_ = loop_.clock().now();
    take(std::exchange(later_, {}));
  }
  if (!over()) watch_for();
}

void connection::finish(bool keep_alive) {
  continued_ = false;
  parser_.reset();
  phase_ = keep_alive ? phase::reading : phase::closing;
}

void connection::finish_refused() {
  phase_ = phase::lingering;
  loop_.arm(linger_, loop_.clock().now() + linger_ns);
  if (!blocked()) ::shutdown(socket_.get(), SHUT_WR);
}

void connection::on_linger_end(std::uint64_t) {
  broken_ = true;
  owner_.on_over(*this);
}

void connection::write(std::string_view bytes) {
  if (broken_) return;
  if (!blocked()) {
    const auto size =
        ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (size == static_cast<ssize_t>(bytes.size())) return;
    if (size < 0 && errno != EAGAIN && errno != EINTR) {
      broken_ = true;
      return;
    }
    if (size > 0) bytes.remove_prefix(static_cast<std::size_t>(size));
  }
  unsent_.append(bytes);
  watch_for();
}

void connection::flush() {
  const auto size = ::send(socket_.get(), unsent_.data() + sent_, unsent_.size() - sent_,
                           MSG_NOSIGNAL | MSG_DONTWAIT);
  if (size < 0) {
    if (errno != EAGAIN && errno != EINTR) broken_ = true;
    return;
  }
  sent_ += static_cast<std::size_t>(size);
  if (blocked()) return;
  sent_ = 0;
  if (unsent_.capacity() > keep_buffer) unsent_ = {};
  unsent_.clear();
  if (phase_ == phase::lingering) ::shutdown(socket_.get(), SHUT_WR);
}

}  // namespace inferbench::simulator
