// The connections of one worker to one endpoint. Owns them all; lends them out and
// takes them back. Belongs to the loop's thread and must die before the loop.
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
  std::uint64_t opened_ahead = 0;   // of them, those of open_ahead() that became usable
  std::uint64_t reuses = 0;         // requests that found an idle one
  std::uint64_t closed_idle = 0;    // the server closed it while it was idle
  std::uint64_t not_reusable = 0;   // given back unfit for another request
  std::uint64_t retransmits = 0;    // segments that TCP sent again
  std::uint64_t small_buffers = 0;  // connects of connection::small_buffers()
};

class connection_pool final : private connection_listener {
 public:
  /// `where` must outlive the pool.
  connection_pool(event_loop& loop, const endpoint& where);
  connection_pool(const connection_pool&) = delete;
  connection_pool& operator=(const connection_pool&) = delete;
  ~connection_pool();

  /// The connection used last of those that are idle and still alive, ready to send on:
  /// connected() is true and on_connected does not come. Each is looked into first, unless
  /// it was heard of within 100 us and this server has never closed one that was to be
  /// kept: the look costs a twentieth of a short request. Some servers announce that they keep
  /// a connection and close it right behind the answer, and a request in between would be lost:
  /// where a server announces it, none is used sooner than 2 ms after its answer until one was
  /// found open then; and once one was closed within a second of its answer, none is used within
  /// a second.
  /// Else a new one, connecting until `connect_deadline`: on_connected or on_failure of `who`
  /// follows. New ones begin with the endpoint's addresses in turn, leaving out those that did
  /// not accept before.
  [[nodiscard]] connection& acquire(connection_listener& who, std::uint64_t connect_deadline);

  /// Always a new one: for the second try after a reused connection has turned out
  /// to be stale (it ended before the server had seen any byte of the request).
  [[nodiscard]] connection& acquire_fresh(connection_listener& who, std::uint64_t connect_deadline);

  /// Begins `count` connections that become idle ones once they are usable. What goes
  /// wrong with them is nobody's failure, and they are not tried again.
  void open_ahead(std::size_t count, std::uint64_t connect_deadline);
  /// Those of them that are still on their way.
  [[nodiscard]] std::size_t opening() const noexcept { return opening_; }
  /// Why the latest of them that failed did; without text when none has.
  [[nodiscard]] const connection_failure& ahead_failure() const noexcept { return ahead_failure_; }

  /// A connection that it gave out for another request was closed without an answer: from
  /// here on every one is looked into.
  void distrust(const connection& what) noexcept;

  /// Gives it back, in whatever state, and never touches the listener again.
  /// `reusable`: the answer is complete and both sides mean to go on (what
  /// http1_response_parser says); otherwise it is closed. `announced`: likewise, a field
  /// Keep-Alive says so.
  void release(connection& what, bool reusable, bool announced = false) noexcept;

  /// Asks the kernel about every open connection: for the end of a run. Lives as long as
  /// the pool and is brought up to date by the next call.
  [[nodiscard]] const connection_counters& counters() const noexcept;
  /// Open and idle at this moment.
  [[nodiscard]] std::size_t idle() const noexcept { return idle_open_; }

 private:
  struct idle_one {
    connection* what;
    std::uint64_t since;  // given back; 0: it has carried nothing
    bool announced;
  };
  /// The way of this server with a connection whose answer is complete.
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
  std::vector<idle_one> idle_;       // the last is the one used last; may hold closed ones
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
