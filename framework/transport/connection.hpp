// A non-blocking connection on an event loop, over TCP or a unix socket, plain or TLS, with or
// without a proxy. It connects, sends with gather writes, and passes received bytes straight to a
// listener. Its only knowledge of HTTP is how to ask a proxy for a tunnel. Belongs to the loop's
// thread. About 250 bytes: the bytes to send stay with the caller, received bytes are in the loop's
// buffer. For TLS see tls_stream.hpp.
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

#include <sys/types.h>

#include <inferbench/abi.h>

#include "base/fd.hpp"
#include "transport/event_loop.hpp"
#include "transport/resolver.hpp"

namespace inferbench::transport {

class connection;
class tls_sessions;

/// Why a connection could not be made or broke.
struct connection_failure {
  enum class phase : std::uint8_t {
    connect,          // no address accepted
    connect_timeout,  // it was not usable in time, for any reason
    proxy,            // the proxy accepted, but made no tunnel
    tls,              // no handshake, or a certificate that is not trusted
    send,
    receive
  };
  phase when = phase::connect;
  int code = 0;          // errno, or 0
  std::string text;      // "cannot connect to 127.0.0.1:8000: Connection refused"
  std::string remedy{};  // advice for the user; may be empty
};

/// All stamps are the loop's (event_loop.hpp).
class connection_listener {
 public:
  /// The connection is usable, including tunnel and TLS: send() may follow.
  virtual void on_connected(connection& from, std::uint64_t stamp) = 0;
  /// `bytes` are valid until it returns; never empty.
  virtual void on_bytes(connection& from, std::string_view bytes, std::uint64_t stamp) = 0;
  /// The other side has closed; the connection is closed already.
  virtual void on_eof(connection& from, std::uint64_t stamp) = 0;
  /// The connection is closed already. No call follows on_eof or on_failure.
  virtual void on_failure(connection& from, const connection_failure& why, std::uint64_t stamp) = 0;
  /// The kernel has taken the last byte given to send(); the caller may free the memory. Called
  /// only if send() itself could not send everything.
  virtual void on_sent(connection& /*from*/, std::uint64_t /*stamp*/) {}

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

  /// Starts connecting to `where`, which must live until the connection is closed: tries its
  /// addresses in turn, beginning with index `first`, until one accepts or `deadline` (loop clock;
  /// timer_queue::never: none) has passed. Each address gets an equal share of the time that is
  /// left; tunnel and handshake get the time that remains after an address accepted. TCP_NODELAY is
  /// set. TLS resumes a session of `sessions`, which must live as long as `where`.
  void connect(const endpoint& where, std::size_t first, std::uint64_t deadline,
               tls_sessions* sessions = nullptr);

  /// Takes over a connected non-blocking socket, such as an accepted one. False, with errno set, if
  /// the loop cannot watch it.
  [[nodiscard]] bool adopt(base::fd socket) noexcept;

  /// Sends head and body in one gather write (TLS: in as few records as possible); if the kernel
  /// does not take everything, the rest follows when it can. The bytes and the list `body` belong
  /// to the caller and must not change until sending() is false or the connection is closed. Only
  /// while connected and not sending. An error is reported later by on_failure, after all bytes
  /// from the other side were given to on_bytes.
  void send(std::string_view head, std::span<const ifb_bytes> body) noexcept;

  /// Closes at once; the listener gets no more calls. No effect if closed.
  void close() noexcept;

  /// Whether an idle connection can be used again: looks into the socket once and finds no EOF, no
  /// error and no unexpected bytes. Messages of TLS itself, such as session tickets, are read and
  /// do not count.
  [[nodiscard]] bool quiet() noexcept;

  [[nodiscard]] bool connected() const noexcept { return state_ == state::connected; }
  [[nodiscard]] bool closed() const noexcept { return state_ == state::closed; }
  /// Some bytes given to send() have not been sent.
  [[nodiscard]] bool sending() const noexcept { return unsent_ != 0; }
  /// The clock right before the write that took the first byte of the latest send(); 0 if no byte
  /// was taken yet.
  [[nodiscard]] std::uint64_t sent_at() const noexcept { return sent_at_; }
  /// Whether the other side has certainly seen nothing of the latest send(): the kernel took no
  /// byte, or the peer ended the connection in order (FIN) and its TCP has acknowledged no byte. A
  /// reset alone proves nothing, since acknowledgements are delayed and a reset carries none. Bytes
  /// taken by a unix socket count as seen. Known once the connection has ended: for on_eof and
  /// on_failure.
  [[nodiscard]] bool unseen() const noexcept { return unseen_; }
  /// The loop's stamp of the latest read that brought bytes; 0: there was none, or TLS.
  [[nodiscard]] std::uint64_t heard_at() const noexcept { return heard_at_; }
  /// For on_bytes: the stamp is that of the newest byte of the latest read; the other bytes may
  /// have arrived up to so much earlier, ns.
  [[nodiscard]] std::uint64_t read_spread() const noexcept { return read_spread_; }
  /// Whether the stamp of a read is never before the arrival of a byte and read_spread() bounds its
  /// lateness. False without kernel stamps, which unix sockets never have, and with small buffers.
  [[nodiscard]] bool knows_spread() const noexcept {
    return loop_.wants_kernel_stamps() && !small_buffers_ && !local();
  }
  /// This system gave the socket so small a buffer that one side may wait for the other to read:
  /// less than 32 KiB to receive, or 8 KiB to send (net.ipv4.tcp_rmem, tcp_wmem). Valid after
  /// connect().
  [[nodiscard]] bool small_buffers() const noexcept { return small_buffers_; }
  /// Whether bytes behind the last byte given to on_bytes came later than it, or may have: because
  /// of an incomplete TLS record, a read so long that the server may have waited for room, or a
  /// missing kernel stamp.
  [[nodiscard]] bool more_behind() const noexcept {
    return secure_ != nullptr || held_back_ || !by_kernel_;
  }
  /// Whether the bytes of the latest read came at once, in one TCP segment with a kernel stamp, and
  /// so did the bytes of every read since the latest call that returned true. Two system calls;
  /// only inside on_bytes.
  [[nodiscard]] bool came_at_once() noexcept;
  /// How long this connection may have been ready to continue connecting, the handshake or sending
  /// before the loop noticed: the sum since connect(), ns.
  [[nodiscard]] std::uint64_t seen_late() const noexcept { return seen_late_; }
  /// The clock when connect() began.
  [[nodiscard]] std::uint64_t began_at() const noexcept { return began_at_; }
  /// For on_eof, with its stamp: the longest time by which the end may have arrived before the
  /// stamp. The end always arrives after the newest byte.
  [[nodiscard]] std::uint64_t end_late(std::uint64_t stamp) const noexcept;
  /// Number of send() calls since it was connected: above 1 it is reused.
  [[nodiscard]] std::uint32_t sends() const noexcept { return sends_; }
  /// Index of the address that is being tried or that was tried last.
  [[nodiscard]] std::size_t address_index() const noexcept { return address_; }
  /// Number of addresses tried so far.
  [[nodiscard]] std::size_t tried() const noexcept { return tried_; }
  /// When its TLS handshake began; 0 before that and for a plain connection. Valid until it is
  /// closed.
  [[nodiscard]] std::uint64_t tls_began_at() const noexcept;
  /// Its TLS resumed the session of an earlier connection.
  [[nodiscard]] bool tls_resumed() const noexcept;
  /// Segments that TCP has retransmitted since connect(), over all addresses tried. A system call
  /// while it is open; the last value stays when it is closed.
  [[nodiscard]] std::uint32_t retransmits() const noexcept;
  /// -1 if closed. For socket options and TCP_INFO.
  [[nodiscard]] int fd() const noexcept { return socket_.get(); }

 private:
  enum class state : std::uint8_t { closed, connecting, tunnelling, shaking, connected };
  struct secure_side;

  void on_ready(std::uint32_t events, std::uint64_t stamp) override;
  void try_next(std::uint64_t now);
  [[nodiscard]] int start(const address& to) noexcept;
  void finish_connect(std::uint64_t stamp);
  [[nodiscard]] bool become_usable(std::uint64_t stamp);
  void receive(std::uint64_t stamp);
  [[nodiscard]] bool local() const noexcept;
  [[nodiscard]] received read_into(std::span<char> buffer) noexcept;
  void note_progress(std::uint64_t stamp) noexcept;
  void forget_use() noexcept;
  void end_of_input(bool broken, int code, std::uint64_t stamp);
  void flush() noexcept;
  void flush_plain() noexcept;
  [[nodiscard]] ssize_t send_pieces() const noexcept;
  void advance(std::size_t sent) noexcept;
  void break_sending(int code) noexcept;
  void note_unseen(bool in_order) noexcept;
  void watch(std::uint32_t events) noexcept;
  void watch_what_is_needed() noexcept;
  void drop_socket() noexcept;
  void on_timer(std::uint64_t now);
  void fail(const connection_failure& why, std::uint64_t stamp);
  void fail_to_connect(connection_failure::phase when, int code, std::uint64_t stamp);
  /// Calls the listener. False if the listener has closed, reused or destroyed this connection.
  template <typename call>
  [[nodiscard]] bool tell(const call& what) {
    bool gone = false;
    gone_ = &gone;
    what();
    if (gone) return false;
    gone_ = nullptr;
    return true;
  }

  // In connection_secure.cpp: tunnel and TLS.
  void begin_tunnel();
  void begin_tls(std::string_view behind, std::uint64_t stamp);
  void establish(std::uint32_t events, std::uint64_t stamp);
  void read_tunnel(std::string_view bytes, std::uint64_t stamp);
  void shake(std::uint64_t stamp);
  void receive_secure(std::uint64_t stamp);
  void decrypt(std::uint64_t stamp);
  void flush_secure() noexcept;
  [[nodiscard]] std::size_t gather(std::span<char> into) const noexcept;
  [[nodiscard]] bool push() noexcept;
  [[nodiscard]] bool quiet_secure() noexcept;
  [[nodiscard]] bool pushing() const noexcept;
  void say_goodbye() noexcept;
  void fail_to_establish(const std::string& why, int code, std::uint64_t stamp,
                         std::string remedy = {});

  event_loop& loop_;
  connection_listener* listener_ = nullptr;
  base::fd socket_;
  state state_ = state::closed;
  std::uint32_t watched_ = 0;
  int error_ = 0;  // of the last address tried, or of send()
  std::uint32_t sends_ = 0;
  std::uint32_t retransmits_ = 0;  // on sockets that are closed
  const endpoint* where_ = nullptr;
  std::size_t address_ = 0;
  std::size_t untried_ = 0;
  std::size_t tried_ = 0;
  std::uint64_t deadline_ = 0;
  timer timer_;
  std::string_view head_;
  std::span<const ifb_bytes> body_;
  std::size_t piece_ = 0;   // 0: head_, n: body_[n - 1]
  std::size_t offset_ = 0;  // into that piece
  std::size_t unsent_ = 0;
  std::size_t written_ = 0;  // bytes of the latest send() that the kernel took; for TLS, encrypted
  bool unseen_ = false;
  std::uint64_t sent_at_ = 0;
  std::uint64_t heard_at_ = 0;
  std::uint64_t read_spread_ = 0;
  std::uint64_t read_at_ = 0;    // the stamp of the latest read
  std::uint64_t read_turn_ = 0;  // the loop's stamp of the latest read
  std::uint64_t began_at_ = 0;
  std::uint64_t share_ends_ = 0;  // deadline of the address that is being tried
  std::uint64_t full_since_ =
      0;  // after a long read: event_loop::quiet_at() of the first such read
  std::uint64_t seen_late_ = 0;
  std::uint64_t moved_at_ = 0;        // when it last made progress in connecting or sending
  std::uint32_t reads_ = 0;           // reads that brought bytes, since connect()
  std::uint32_t segments_ahead_ = 0;  // came_at_once(): segments less reads
  bool by_kernel_ = false;
  bool small_buffers_ = false;
  bool held_back_ = false;  // the latest read or the previous one was long
  struct secure_deleter {
    void operator()(secure_side* what) const noexcept;
  };
  std::unique_ptr<secure_side, secure_deleter> secure_;  // null: plain
  bool* gone_ = nullptr;  // set by close() while a listener is called
};

}  // namespace inferbench::transport
