// A flight over a connection: feeds the bytes of the connection to an exchange. See flight.hpp.
//
// If the codec has ended the request before the end of the answer, the flight waits a moment for
// the end, so that the next request can use the connection. After that it lands, and the rest of
// the answer is read beside (drain.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "client/drain.hpp"
#include "client/exchange.hpp"
#include "client/flight.hpp"
#include "client/serialiser.hpp"
#include "transport/connection_pool.hpp"

namespace inferbench::client {

/// One pool for each base URL.
using connection_pools = std::vector<std::unique_ptr<transport::connection_pool>>;

/// The objects that the flights of one worker share.
struct flight_parts {
  head_writer& heads;
  const connection_pools& pools;  // one pool for each server while a request is in flight
  drains& rests;
  serialiser& large;
};

class http_flight final : public flight,
                          private transport::connection_listener,
                          private serialiser::task {
 public:
  /// All references, also those of `parts`, must outlive the flight.
  http_flight(const backend& shared, const flight_parts& parts, transport::event_loop& loop,
              flight_owner& owner);

  [[nodiscard]] readiness prepare() override;
  [[nodiscard]] bool withdraw() override;
  void launch(std::uint64_t now) override;
  [[nodiscard]] record land() override;

 private:
  [[nodiscard]] answer& work() noexcept override { return work_; }
  [[nodiscard]] life signs() override;
  void end_error(std::uint64_t now) override;
  void end_early(ifb_status status, std::string reason, std::uint64_t now) override;

  void serialise() override { work_.serialise(); }
  void on_serialised() override;

  void take_connection(std::uint64_t since, std::uint64_t now);
  void leave_connection();
  void change_connection(std::uint64_t stamp);
  void send();
  void next_leg(std::uint64_t stamp);
  [[nodiscard]] bool prepare_leg(std::uint64_t stamp);
  void on_leg_serialised();
  void send_leg(std::uint64_t stamp);
  void fail(ifb_status status, std::string reason, std::uint64_t now);
  void linger();
  void end_linger(std::uint64_t over);
  void on_later(std::uint64_t now);
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
  const flight_parts parts_;
  transport::timer later_;  // for the end of linger(), or for exchange::not_before()
  bool lingers_ = false;    // the record is complete; the end of the answer is awaited
  transport::connection_pool* pool_ = nullptr;
  transport::connection* wire_ = nullptr;  // null while the next leg waits for its time
  // Input of note_sending(). For this leg: the time when the leg could have been sent (since_ns_),
  // the time when it got its connection (wired_ns_), and connection::seen_late() at the beginning
  // of the leg (seen_late_). For the previous legs: the sum of their delays (own_ns_).
  std::uint64_t since_ns_ = 0;
  std::uint64_t wired_ns_ = 0;
  std::uint64_t seen_late_ = 0;
  std::uint64_t own_ns_ = 0;
  bool noted_ = false;           // own_ns_ includes this leg
  std::uint64_t heard_ns_ = 0;   // time of the latest sign of life: the start or a read; while the
                                 // next leg waits, the time until which it waits
  bool preparing_leg_ = false;   // another thread may be serialising the next leg
  std::uint64_t leg_stamp_ = 0;  // if preparing_leg_: the stamp of the end of the previous leg
  // The failure of a request that was ended while a thread was inside the codec; nullopt: none.
  std::optional<std::pair<ifb_status, std::string>> failure_;
  std::uint64_t error_ns_ = 0;  // time when the status of an error answer arrived whose body has
                                // not ended; 0: there is no such answer
};

}  // namespace inferbench::client
