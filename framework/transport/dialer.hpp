// Opens the socket of a connection without blocking: tries the addresses of an endpoint in turn
// until an address accepts or a deadline has passed. Each address gets an equal share of the time
// that is left. So an address that drops packets does not use the time of the other addresses.
// Belongs to the loop's thread. The owner of the dialer owns the socket.
//
//   dialer.begin(where, first, deadline);
//   socket = dialer.next(who, now);                 // `who` watches the socket
//   // when the socket is ready:
//   if (!dialer.accepted(socket.get())) ...;        // close the socket, then next()
//   // when the timer fires:
//   if (auto failure = dialer.failure_at(now)) ...; // the end; otherwise close, then next()
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <sys/socket.h>

#include "base/fd.hpp"
#include "transport/connection_failure.hpp"
#include "transport/event_loop.hpp"
#include "transport/resolver.hpp"
#include "transport/timer.hpp"

namespace inferbench::transport {

class dialer {
 public:
  /// The loop calls `on_timer` when the owner has to call failure_at(), or when the deadline of
  /// wait_for_deadline() has passed.
  dialer(event_loop& loop, timer::action on_timer) noexcept : loop_(loop), timer_(on_timer) {}

  /// Prepares to try the addresses of `where`, beginning with index `first`. `where` must live as
  /// long as the dialer is used for it. `deadline` is a time of the loop's clock;
  /// timer_queue::never means no deadline.
  void begin(const endpoint& where, std::size_t first, std::uint64_t deadline) noexcept;
  /// Begins to connect to the next address that does not refuse immediately, and arms the timer.
  /// Returns the socket, which `who` watches for EPOLLOUT. Returns no socket if no address is left,
  /// or if a unix socket has a full queue; the timer fires in both cases.
  [[nodiscard]] base::fd next(watcher& who, std::uint64_t now);
  /// Call this when the socket is ready. Stops the timer. Returns whether the address has accepted.
  [[nodiscard]] bool accepted(int socket) noexcept;
  /// Call this when the timer has fired before the socket was ready. Returns the failure if no
  /// address or no time is left.
  [[nodiscard]] std::optional<connection_failure> failure_at(std::uint64_t now) const;

  /// Arms the timer for the deadline of begin(), for steps after an address has accepted.
  void wait_for_deadline() {
    if (deadline_ != timer_queue::never) loop_.arm(timer_, deadline_);
  }
  void stop() noexcept { loop_.cancel(timer_); }
  /// Forgets the endpoint of begin(): the owner has a socket that this object did not open.
  void forget() noexcept { where_ = nullptr; }

  /// The endpoint of begin(); null before the first begin().
  [[nodiscard]] const endpoint* where() const noexcept { return where_; }
  /// Whether the address that is being tried or was tried last is a unix socket.
  [[nodiscard]] bool local() const noexcept {
    return where_ != nullptr && where_->addresses[address_].family() == AF_UNIX;
  }
  /// The index of the address that is being tried or was tried last.
  [[nodiscard]] std::size_t address_index() const noexcept { return address_; }
  /// The number of addresses tried since begin().
  [[nodiscard]] std::size_t tried() const noexcept { return tried_; }
  /// When the share of the address that is being tried ends.
  [[nodiscard]] std::uint64_t share_ends() const noexcept { return share_ends_; }
  /// Whether the system gave the latest socket buffers of less than 32 KiB to receive or less than
  /// 8 KiB to send.
  [[nodiscard]] bool small_buffers() const noexcept { return small_buffers_; }

 private:
  [[nodiscard]] base::fd start(const address& to, watcher& who) noexcept;

  event_loop& loop_;
  timer timer_;
  const endpoint* where_ = nullptr;
  std::size_t address_ = 0;
  std::size_t untried_ = 0;
  std::size_t tried_ = 0;
  std::uint64_t deadline_ = 0;
  std::uint64_t share_ends_ = 0;
  int error_ = 0;         // errno of the address tried last
  bool waiting_ = false;  // next() has returned a socket
  bool small_buffers_ = false;
};

}  // namespace inferbench::transport
