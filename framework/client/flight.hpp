// One request on its way: it listens to its connection, feeds the exchange, and
// watches the clock for it. Owned by its worker, used again for one request after
// another; everything on the worker's thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "client/exchange.hpp"
#include "client/source.hpp"
#include "transport/connection_pool.hpp"
#include "transport/event_loop.hpp"

namespace inferbench::client {

class flight;

/// What a flight needs of its worker.
class flight_owner {
 public:
  /// The record is complete. The flight may be used for another request from here on.
  virtual void on_landed(flight& which) = 0;
  /// It has heard nothing for the stall-warning time: once for each silence.
  virtual void on_stalled(const flight& which, std::uint64_t silent_ns) = 0;
  /// `bytes` were waiting in its socket; `stamp`: theirs.
  virtual void on_heard(std::size_t bytes, std::uint64_t stamp) noexcept = 0;
  /// This machine had no port or descriptor for it.
  virtual void on_shortage() noexcept = 0;

 protected:
  flight_owner() = default;
  flight_owner(const flight_owner&) = default;
  flight_owner& operator=(const flight_owner&) = default;
  ~flight_owner() = default;
};

class flight final : private transport::connection_listener {
 public:
  /// All references outlive it.
  flight(const backend& shared, head_writer& heads, transport::event_loop& loop,
         flight_owner& owner);
  flight(const flight&) = delete;
  flight& operator=(const flight&) = delete;
  ~flight() = default;

  exchange work;
  job what;
  std::size_t place = 0;  // in the worker's list of those under way

  /// Its permit is there: takes a connection of `pool` and sends.
  void launch(transport::connection_pool& pool, std::uint64_t now);
  /// Ends it from outside; the owner is told.
  void cancel(std::string reason, std::uint64_t now);
  /// Gives its connection back and forgets its timer; the record is taken from `work`.
  void land() noexcept;

 private:
  void send();
  void send_again(std::uint64_t stamp);
  void change_connection(std::uint64_t stamp);
  void act(exchange::progress p);
  void watch(std::uint64_t now);
  void on_watch(std::uint64_t now);
  void time_out(std::string reason, std::uint64_t now);
  [[nodiscard]] bool stale(const transport::connection& from) const;
  [[nodiscard]] std::uint64_t connect_deadline(std::uint64_t from) const noexcept;

  void on_connected(transport::connection& from, std::uint64_t stamp) override;
  void on_bytes(transport::connection& from, std::string_view bytes, std::uint64_t stamp) override;
  void on_eof(transport::connection& from, std::uint64_t stamp) override;
  void on_failure(transport::connection& from, const transport::connection_failure& why,
                  std::uint64_t stamp) override;

  const backend& shared_;
  transport::event_loop& loop_;
  flight_owner& owner_;
  transport::connection_pool* pool_ = nullptr;
  transport::connection* wire_ = nullptr;
  // One timer for all limits. Reads only note the time: the timer finds out when it
  // fires whether anything has come meanwhile, so that an event costs no timer.
  transport::timer watch_;
  std::uint64_t heard_ns_ = 0;  // the latest sign of life: start, or a read
  bool kept_ = false;           // wire_ was open before this request took it
  bool named_ = false;          // its present silence has been reported
};

}  // namespace inferbench::client
