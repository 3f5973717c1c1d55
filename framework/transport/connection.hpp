// A non-blocking connection on an event loop, over TCP or a unix socket, plain or TLS, with or
// without a proxy. It connects, sends with gather writes, and passes received bytes directly to a
// listener. It uses HTTP only to request a tunnel from a proxy. Belongs to the loop's thread. Takes
// about 340 bytes of memory: the caller owns the bytes to send, and received bytes are in the
// loop's buffer.
//
// A connection passes the events of its socket on to its parts: dialer.hpp opens the socket,
// proxy_tunnel.hpp and secure_channel.hpp make it usable, gather_write.hpp has the bytes to send,
// and read_history.hpp stamps the received bytes.
//
// A listener is called from the event loop only, never from inside connect() or send(). In any of
// its calls it may close, reuse, release or destroy the connection.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <inferbench/abi.h>

#include "base/fd.hpp"
#include "transport/connection_failure.hpp"
#include "transport/dialer.hpp"
#include "transport/event_loop.hpp"
#include "transport/gather_write.hpp"
#include "transport/read_history.hpp"
#include "transport/resolver.hpp"

namespace inferbench::transport {

class connection;
class proxy_tunnel;
class secure_channel;
class tls_sessions;

/// Receives the events of a connection. All stamps are the loop's (event_loop.hpp).
class connection_listener {
 public:
  /// The connection is usable, including tunnel and TLS: send() may be called.
  virtual void on_connected(connection& from, std::uint64_t stamp) = 0;
  /// Bytes were received. `bytes` are valid until this call returns, and are never empty.
  virtual void on_bytes(connection& from, std::string_view bytes, std::uint64_t stamp) = 0;
  /// The other side has closed the connection. This object is already closed, too.
  virtual void on_eof(connection& from, std::uint64_t stamp) = 0;
  /// The connection has failed, and is already closed. No further call follows on_eof or
  /// on_failure.
  virtual void on_failure(connection& from, const connection_failure& why, std::uint64_t stamp) = 0;

 protected:
  connection_listener() = default;
  connection_listener(const connection_listener&) = default;
  connection_listener& operator=(const connection_listener&) = default;
  ~connection_listener() = default;
};

class connection final : private watcher {
 public:
  explicit connection(event_loop& loop) noexcept;
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;
  ~connection();

  /// Sets the listener for all further events. Needed before connect() and adopt().
  void set_listener(connection_listener& who) noexcept { listener_ = &who; }

  /// Starts to connect to `where`, which must live until the connection is closed. Tries the
  /// addresses in turn, beginning with index `first`, until an address accepts or `deadline` has
  /// passed. `deadline` is a time of the loop's clock; timer_queue::never means no deadline. Each
  /// address gets an equal share of the time that is left. Tunnel and handshake get the time that
  /// remains after an address has accepted. TCP_NODELAY is set. TLS resumes a session of
  /// `sessions`, which must live as long as `where`.
  void connect(const endpoint& where, std::size_t first, std::uint64_t deadline,
               tls_sessions* sessions = nullptr);

  /// Takes over a connected non-blocking socket, for example an accepted socket. Returns false,
  /// with errno set, if the loop cannot watch the socket.
  [[nodiscard]] bool adopt(base::fd socket) noexcept;

  /// Sends head and body in one gather write (with TLS, in as few records as possible). If the
  /// kernel does not accept all bytes, the rest is sent when the socket has room. The bytes and the
  /// list `body` belong to the caller and must not change until sending() is false or the
  /// connection is closed. Call this only while the connection is connected() and not sending(). An
  /// error is reported later by on_failure, after all bytes from the other side were passed to
  /// on_bytes.
  void send(std::string_view head, std::span<const ifb_bytes> body) noexcept;

  /// Closes the connection immediately; the listener gets no more calls. Has no effect if the
  /// connection is closed.
  void close() noexcept;

  /// Whether an idle connection can be used again: checks the socket once for EOF, an error or
  /// unexpected bytes. Messages of TLS itself, such as session tickets, are read and do not count.
  [[nodiscard]] bool quiet() noexcept;

  [[nodiscard]] bool connected() const noexcept { return state_ == state::connected; }
  [[nodiscard]] bool closed() const noexcept { return state_ == state::closed; }
  /// True if some bytes of the latest send() have not been sent.
  [[nodiscard]] bool sending() const noexcept { return message_.unsent() != 0; }
  /// The time right before the write in which the kernel accepted the first byte of the latest
  /// send(); 0 if no byte was accepted yet.
  [[nodiscard]] std::uint64_t sent_at() const noexcept { return message_.sent_at(); }
  /// Whether it is certain that the other side has received no byte of the latest send(). It is
  /// certain if the kernel accepted no byte, or if the peer closed the connection normally (FIN)
  /// and its TCP has acknowledged no byte. A reset is not enough, since acknowledgements are
  /// delayed and a reset does not contain an acknowledgement. Bytes that a unix socket accepted
  /// count as received. Valid after the connection has ended: for on_eof and on_failure.
  [[nodiscard]] bool unseen() const noexcept { return unseen_; }
  /// The loop's stamp of the latest read that returned bytes; 0 if there was no such read, or for
  /// TLS.
  [[nodiscard]] std::uint64_t heard_at() const noexcept { return heard_at_; }
  /// For use in on_bytes. The stamp of a read is the stamp of its newest byte; the other bytes may
  /// have arrived earlier, by at most this time in ns.
  [[nodiscard]] std::uint64_t read_spread() const noexcept { return reads_.spread(); }
  /// True if the stamp of a read is never earlier than the arrival of its bytes, and later by at
  /// most read_spread(). False with small buffers or without kernel stamps; unix sockets never have
  /// kernel stamps.
  [[nodiscard]] bool knows_spread() const noexcept { return reads_.knows_spread(); }
  /// True if this system gave the socket such small buffers that one side may have to wait until
  /// the other side reads: less than 32 KiB to receive, or less than 8 KiB to send
  /// (net.ipv4.tcp_rmem, tcp_wmem). Valid after connect().
  [[nodiscard]] bool small_buffers() const noexcept { return dialer_.small_buffers(); }
  /// True if bytes that follow the last byte passed to on_bytes may have arrived later than that
  /// byte. Possible reasons: an incomplete TLS record, a read so long that the server may have
  /// waited for room, or a missing kernel stamp.
  [[nodiscard]] bool more_behind() const noexcept {
    return secure_ != nullptr || reads_.more_behind();
  }
  /// True if all bytes of the latest read came in one TCP segment with a kernel stamp. The same
  /// must be true for every read since the latest call that returned true. Makes two system calls.
  /// Call this only inside on_bytes.
  [[nodiscard]] bool came_at_once() noexcept { return reads_.came_at_once(socket_.get()); }
  /// The time for which this connection may have been ready to continue connecting, the handshake
  /// or sending, before the loop noticed this: the sum since connect(), ns.
  [[nodiscard]] std::uint64_t seen_late() const noexcept { return seen_late_; }
  /// The time at which connect() began.
  [[nodiscard]] std::uint64_t began_at() const noexcept { return began_at_; }
  /// For use in on_eof, with its stamp. Returns the longest time, in ns, by which the end may have
  /// arrived before the stamp. The end always arrives after the newest byte.
  [[nodiscard]] std::uint64_t end_late(std::uint64_t stamp) const noexcept {
    return reads_.end_late(loop_, stamp);
  }
  /// The number of send() calls since the connection was established. Above 1, the connection is
  /// reused.
  [[nodiscard]] std::uint32_t sends() const noexcept { return sends_; }
  /// The index of the address that is being tried or was tried last.
  [[nodiscard]] std::size_t address_index() const noexcept { return dialer_.address_index(); }
  /// The number of addresses tried so far.
  [[nodiscard]] std::size_t tried() const noexcept { return dialer_.tried(); }
  /// When the TLS handshake began; 0 before the handshake and for a plain connection. Valid until
  /// the connection is closed.
  [[nodiscard]] std::uint64_t tls_began_at() const noexcept;
  /// The number of segments that TCP has retransmitted since connect(), over all addresses tried.
  /// Makes a system call while the connection is open. After it is closed, the last value is kept.
  [[nodiscard]] std::uint32_t retransmits() const noexcept;
  /// The socket, for socket options and TCP_INFO; -1 if closed.
  [[nodiscard]] int fd() const noexcept { return socket_.get(); }

 private:
  enum class state : std::uint8_t { closed, connecting, tunnelling, shaking, connected };

  void on_ready(std::uint32_t events, std::uint64_t stamp) override;
  void note_progress(std::uint64_t stamp) noexcept;
  void receive(std::uint64_t stamp);
  void receive_secure(std::uint64_t stamp);
  void decrypt(std::uint64_t stamp);
  void end_of_input(bool broken, int code, std::uint64_t stamp);
  void flush() noexcept;
  [[nodiscard]] bool push() noexcept;
  void break_sending(int code) noexcept;
  void note_unseen(bool in_order) noexcept;
  [[nodiscard]] bool quiet_secure() noexcept;
  void watch(std::uint32_t events) noexcept;
  void watch_what_is_needed() noexcept;
  void drop_socket() noexcept;
  void forget_use() noexcept;
  void fail(const connection_failure& why, std::uint64_t stamp);

  // The steps up to on_connected, defined in connection_establishment.cpp.
  void dial(std::uint64_t now);
  void on_timer(std::uint64_t now);
  void finish_connect(std::uint64_t stamp);
  void establish(std::uint32_t events, std::uint64_t stamp);
  void begin_tunnel();
  void read_tunnel(std::string_view bytes, std::uint64_t stamp);
  void begin_tls(std::string_view behind, std::uint64_t stamp);
  void shake(std::uint64_t stamp);
  [[nodiscard]] bool become_usable(std::uint64_t stamp);
  void fail_to_establish(const std::string& why, int code, std::uint64_t stamp,
                         std::string remedy = {});

  /// Calls the listener. Returns false if the listener has closed, reused or destroyed this
  /// connection.
  template <typename call>
  [[nodiscard]] bool tell(const call& what) {
    bool gone = false;
    gone_ = &gone;
    what();
    if (gone) return false;
    gone_ = nullptr;
    return true;
  }

  event_loop& loop_;
  connection_listener* listener_ = nullptr;
  base::fd socket_;
  state state_ = state::closed;
  bool unseen_ = false;
  std::uint32_t watched_ = 0;
  int error_ = 0;  // errno of send()
  std::uint32_t sends_ = 0;
  std::uint32_t retransmits_ = 0;  // retransmits on sockets that are already closed
  std::uint64_t heard_at_ = 0;
  read_history reads_;
  gather_write message_;                    // the latest send(), or the request for a tunnel
  std::unique_ptr<secure_channel> secure_;  // set from the handshake on; null: plain connection
  bool* gone_ = nullptr;                    // set by close() while a listener is called

  dialer dialer_;
  std::unique_ptr<proxy_tunnel> tunnel_;  // set while the tunnel is being requested
  tls_sessions* sessions_ = nullptr;
  std::uint64_t began_at_ = 0;
  std::uint64_t seen_late_ = 0;
  std::uint64_t moved_at_ = 0;  // when connecting or sending last made progress
};

}  // namespace inferbench::transport
