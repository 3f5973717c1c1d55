// A flight over a connection: feeds the bytes of the connection to an exchange. See flight.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "client/exchange.hpp"
#include "client/flight.hpp"
#include "transport/connection_pool.hpp"

namespace inferbench::client {

/// One pool for each base URL.
using connection_pools = std::vector<std::unique_ptr<transport::connection_pool>>;

class http_flight final : public flight, private transport::connection_listener {
 public:
  /// All references must outlive the flight. `pools` must contain one pool for each server while a
  /// request is in flight.
  http_flight(const backend& shared, head_writer& heads, const connection_pools& pools,
              transport::event_loop& loop, flight_owner& owner);

  [[nodiscard]] bool prepare() override;
  void launch(std::uint64_t now) override;
  [[nodiscard]] record land() override;

 private:
  [[nodiscard]] answer& work() noexcept override { return work_; }
  [[nodiscard]] life signs() override;
  void end_error(std::uint64_t now) override;
  void end_early(ifb_status status, std::string reason, std::uint64_t now) override;

  void send();
  void change_connection(std::uint64_t stamp);
  void note_sending(const transport::connection& from);
  void begin_sending(std::uint64_t since);
  void act(exchange::progress p, std::uint64_t stamp);
  [[nodiscard]] bool goes_once_more(const transport::connection& from, std::uint64_t stamp);
  [[nodiscard]] std::uint64_t connect_deadline(std::uint64_t from) const noexcept;

  void on_connected(transport::connection& from, std::uint64_t stamp) override;
  void on_bytes(transport::connection& from, std::string_view bytes, std::uint64_t stamp) override;
  void on_eof(transport::connection& from, std::uint64_t stamp) override;
  void on_failure(transport::connection& from, const transport::connection_failure& why,
                  std::uint64_t stamp) override;

  exchange work_;
  const connection_pools& pools_;
  transport::connection_pool* pool_ = nullptr;
  transport::connection* wire_ = nullptr;
  // Input of note_sending(). For this leg: the time when the leg could have been sent (since_ns_),
  // the time when it got its connection (wired_ns_), and connection::seen_late() at the beginning
  // of the leg (seen_late_). For the previous legs: the sum of their delays (own_ns_).
  std::uint64_t since_ns_ = 0;
  std::uint64_t wired_ns_ = 0;
  std::uint64_t seen_late_ = 0;
  std::uint64_t own_ns_ = 0;
  bool noted_ = false;          // own_ns_ includes this leg
  std::uint64_t heard_ns_ = 0;  // time of the latest sign of life: the start or a read
  std::uint64_t error_ns_ = 0;  // time when the status of an error answer arrived whose body has
                                // not ended; 0: there is no such answer
};

}  // namespace inferbench::client
