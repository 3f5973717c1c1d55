// The connections of one worker to one endpoint. The pool owns all of them; users acquire and
// release them. Belongs to the loop's thread and must be destroyed before the loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "transport/connection.hpp"
#include "transport/tls_stream.hpp"

namespace inferbench::transport {

/// Counts since the construction of the pool.
struct connection_counters {
  std::uint64_t connects = 0;       // connections begun
  std::uint64_t opened_ahead = 0;   // connections of open_ahead() that became usable
  std::uint64_t reuses = 0;         // requests that found an idle connection
  std::uint64_t closed_idle = 0;    // connections that the server closed while they were idle
  std::uint64_t not_reusable = 0;   // released connections that cannot be used for another request
  std::uint64_t retransmits = 0;    // segments that TCP retransmitted
  std::uint64_t small_buffers = 0;  // connects for which connection::small_buffers() was true
};

class connection_pool final : private connection_listener {
 public:
  /// `where` must outlive the pool.
  connection_pool(event_loop& loop, const endpoint& where);
  connection_pool(const connection_pool&) = delete;
  connection_pool& operator=(const connection_pool&) = delete;
  ~connection_pool();

  /// Returns the most recently used idle connection that is still alive. It is connected(), send()
  /// can be called immediately, and on_connected is not called.
  ///
  /// Each idle connection is checked first, since the server may have closed it. The check takes a
  /// twentieth of the time of a short request. It is left out if two conditions are true: the
  /// connection received bytes within the last 100 us, and this server has never closed a
  /// connection that it should have kept.
  ///
  /// Some servers announce that they keep a connection, but close it right after the answer. A
  /// request sent before the close would be lost. So if a server makes this announcement, a
  /// connection is not reused within 2 ms after its answer. This rule ends when a connection was
  /// found open after the 2 ms. If a connection was closed within a second after its answer,
  /// connections are no longer reused within a second after their answer.
  ///
  /// If there is no usable idle connection, returns a new connection, which tries to connect until
  /// `connect_deadline`. After that, on_connected or on_failure of `who` is called. Each new
  /// connection begins with the next of the endpoint's addresses; addresses that did not accept
  /// before are skipped.
  [[nodiscard]] connection& acquire(connection_listener& who, std::uint64_t connect_deadline);

  /// Always returns a new connection. For the second attempt after a reused connection ended before
  /// the server had received any byte of the request.
  [[nodiscard]] connection& acquire_fresh(connection_listener& who, std::uint64_t connect_deadline);

  /// Begins `count` connections, which become idle when they are usable. If one fails, the failure
  /// is not reported to a listener and there is no second attempt.
  void open_ahead(std::size_t count, std::uint64_t connect_deadline);
  /// The number of connections of open_ahead() that are still being opened.
  [[nodiscard]] std::size_t opening() const noexcept { return opening_; }
  /// The latest failure of a connection of open_ahead(); its text is empty if no such connection
  /// has failed.
  [[nodiscard]] const connection_failure& ahead_failure() const noexcept { return ahead_failure_; }

  /// Call this if a reused connection was closed without an answer: from now on, every
  /// connection is checked.
  void distrust(const connection& what) noexcept;

  /// Gives the connection back, in any state; its listener is not called again. `reusable`: the
  /// answer is complete and both sides want to keep the connection
  /// (http1_response_parser::reusable()). If false, the connection is closed. `announced`: the
  /// answer has a Keep-Alive field.
  void release(connection& what, bool reusable, bool announced = false) noexcept;

  /// The counters. Makes a system call for every open connection, so call this only at the end of a
  /// run. The reference is valid as long as the pool; the next call updates the values.
  [[nodiscard]] const connection_counters& counters() const noexcept;
  /// The number of open, idle connections at this moment.
  [[nodiscard]] std::size_t idle() const noexcept { return idle_open_; }

 private:
  struct idle_one {
    connection* what;
    std::uint64_t since;  // when the connection was released; 0: it has not been used for a request
    bool announced;
  };
  /// How this server treats a connection after a complete answer.
  enum class habit : std::uint8_t { unknown, keeps, closes };

  void on_connected(connection& from, std::uint64_t stamp) override;
  void on_bytes(connection& from, std::string_view bytes, std::uint64_t stamp) override;
  void on_eof(connection& from, std::uint64_t stamp) override;
  void on_failure(connection& from, const connection_failure& why, std::uint64_t stamp) override;

  [[nodiscard]] connection& connect(connection_listener& who, std::uint64_t connect_deadline);
  [[nodiscard]] std::size_t next_address() noexcept;
  void note_addresses(const connection& what) noexcept;
  void put_away(connection& what) noexcept;
  void lose_idle(connection& what) noexcept;
  void note_closed(std::uint64_t since) noexcept;
  [[nodiscard]] std::uint64_t trial_ns(const idle_one& of) const noexcept;

  event_loop& loop_;
  const endpoint& where_;
  tls_sessions sessions_;
  std::vector<std::unique_ptr<connection>> all_;
  std::vector<idle_one> idle_;       // the last entry was used most recently; may contain closed
                                     // connections
  std::vector<connection*> closed_;  // closed objects that can be used for new connections
  std::vector<bool> refused_;        // for each address: whether it did not accept
  std::size_t next_address_ = 0;
  std::size_t idle_open_ = 0;
  std::size_t opening_ = 0;
  bool trusted_ = true;  // this server has not closed an idle connection so far
  habit habit_ = habit::unknown;
  connection_failure ahead_failure_;
  std::uint64_t retransmits_ = 0;  // retransmits of connections that are already closed
  mutable connection_counters counters_;
};

}  // namespace inferbench::transport
