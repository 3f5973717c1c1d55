// The connections of one worker to one endpoint. Owns all of them, lends them out and takes them
// back. Belongs to the loop's thread and must be destroyed before the loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "transport/connection.hpp"
#include "transport/tls_stream.hpp"

namespace inferbench::transport {

/// Since construction.
struct connection_counters {
  std::uint64_t connects = 0;       // connections begun
  std::uint64_t opened_ahead = 0;   // connections of open_ahead() that became usable
  std::uint64_t reuses = 0;         // requests that found an idle connection
  std::uint64_t closed_idle = 0;    // connections that the server closed while they were idle
  std::uint64_t not_reusable = 0;   // connections given back that cannot carry another request
  std::uint64_t retransmits = 0;    // segments that TCP retransmitted
  std::uint64_t small_buffers = 0;  // connects of connection::small_buffers()
};

class connection_pool final : private connection_listener {
 public:
  /// `where` must outlive the pool.
  connection_pool(event_loop& loop, const endpoint& where);
  connection_pool(const connection_pool&) = delete;
  connection_pool& operator=(const connection_pool&) = delete;
  ~connection_pool();

  /// Returns the connection used last among the idle connections that are still alive; it is
  /// connected() and can be sent on at once, and on_connected is not called.
  /// Each idle connection is checked first, unless it was heard of within 100 us and this server
  /// has never closed a connection that was to be kept: the check costs a twentieth of a short
  /// request. Some servers announce that they keep a connection and close it right after the
  /// answer; a request in between would be lost. If a server makes that announcement, no connection
  /// is reused within 2 ms after its answer until one was found open at that time; once one was
  /// closed within a second after its answer, none is reused within a second.
  /// If there is no idle connection, returns a new one that connects until `connect_deadline`;
  /// on_connected or on_failure of `who` follows. New connections begin with the endpoint's
  /// addresses in turn, skipping addresses that did not accept before.
  [[nodiscard]] connection& acquire(connection_listener& who, std::uint64_t connect_deadline);

  /// Always returns a new connection: for the second try after a reused connection turned out to be
  /// stale (it ended before the server had seen any byte of the request).
  [[nodiscard]] connection& acquire_fresh(connection_listener& who, std::uint64_t connect_deadline);

  /// Begins `count` connections that become idle once they are usable. Their failures are not
  /// reported to a listener, and they are not tried again.
  void open_ahead(std::size_t count, std::uint64_t connect_deadline);
  /// Number of connections of open_ahead() that are still being opened.
  [[nodiscard]] std::size_t opening() const noexcept { return opening_; }
  /// Why the latest failed connection of open_ahead() failed; without text if none has failed.
  [[nodiscard]] const connection_failure& ahead_failure() const noexcept { return ahead_failure_; }

  /// Call this if a reused connection was closed without an answer: from now on, every
  /// connection is checked.
  void distrust(const connection& what) noexcept;

  /// Gives the connection back, in any state; its listener is not called again. `reusable`: the
  /// answer is complete and both sides want to keep the connection
  /// (http1_response_parser::reusable()); otherwise it is closed. `announced`: the answer has a
  /// Keep-Alive field.
  void release(connection& what, bool reusable, bool announced = false) noexcept;

  /// Asks the kernel about every open connection: for the end of a run. The reference is valid as
  /// long as the pool; the next call updates the values.
  [[nodiscard]] const connection_counters& counters() const noexcept;
  /// Number of open, idle connections at this moment.
  [[nodiscard]] std::size_t idle() const noexcept { return idle_open_; }

 private:
  struct idle_one {
    connection* what;
    std::uint64_t since;  // when it was given back; 0: it has carried no request
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
  std::vector<idle_one> idle_;       // the last entry was used last; may hold closed connections
  std::vector<connection*> closed_;  // objects to be used again
  std::vector<bool> refused_;        // addresses that did not accept
  std::size_t next_address_ = 0;
  std::size_t idle_open_ = 0;
  std::size_t opening_ = 0;
  bool trusted_ = true;  // this server has closed no idle connection so far
  habit habit_ = habit::unknown;
  connection_failure ahead_failure_;
  std::uint64_t retransmits_ = 0;  // of connections that are closed
  mutable connection_counters counters_;
};

}  // namespace inferbench::transport
