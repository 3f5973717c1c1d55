// The base of the tests of one request over a connection: its flight with the fake codec, a server
// that a test plays, and a clock that the test moves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <poll.h>

#include <inferbench/abi.h>

#include "base/clock.hpp"
#include "base/fd.hpp"
#include "client/backend.hpp"
#include "client/fleet.hpp"
#include "client/flight.hpp"
#include "client/record.hpp"
#include "framework/client/fake_codec.hpp"
#include "framework/transport/clocks.hpp"
#include "framework/transport/loopback.hpp"
#include "transport/connection_pool.hpp"
#include "transport/event_loop.hpp"
#include "transport/resolver.hpp"
#include "transport/url.hpp"

namespace inferbench::client::testing {

class http_flight_bench : public ::testing::Test, protected flight_owner {
 protected:
  static constexpr std::uint64_t http_second = base::ns_per_s;
  static constexpr std::uint64_t http_ms = base::ns_per_ms;

  // Parts of an answer: the head of a stream, the last chunk of a body, and a stream without a last
  // chunk, which the codec ends at its second event.
  static inline const std::string sse_chunks =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
  static inline const std::string last_chunk = "0\r\n\r\n";
  static inline const std::string one_and_end =
      sse_chunks + "b\r\ndata: one\n\n\r\nb\r\ndata: end\n\n\r\n";

  http_flight_bench() {
    server.where = transport::parse_url("http://host:1");
    server.addresses = {listener.where()};
    shared = codec.shared(server);
    make();
  }
  flight_owner& owner() { return *this; }

  /// Makes the flight with the current settings of the test.
  void make() {
    subject.reset();
    fleet_.emplace(shared, loop, owner());
    loop.on_wake(transport::callback<void()>::to<&http_flight_bench::on_wake>(*this));
    subject = fleet_->make();
  }
  void on_wake() { fleet_->collect(); }

  void on_prepared(flight&, bool accepted) override { prepared.push_back(accepted); }
  void on_landed(flight& which) override { records.push_back(which.land()); }
  void on_stalled(const flight&, const silence&) override { ++stalled; }
  void on_heard(std::size_t, std::uint64_t) noexcept override {}
  void on_shortage() noexcept override {}
  bool tell(const std::string&) override { return true; }

  void launch() {
    subject->what.sample = &sample;
    ASSERT_EQ(subject->prepare(), flight::readiness::ready);
    subject->launch(clock.at);
  }

  /// Runs the loop without waiting until `done`.
  template <typename predicate>
  void turn_until(predicate&& done) {
    transport::test::run_until(loop, done, false);
  }
  /// Moves the clock on and handles the timers that are due.
  void pass(std::uint64_t ns) {
    clock.at += ns;
    loop.run_once(false);
  }
  /// The next request on `peer`, with its body.
  std::string request_from(const base::fd& peer) {
    std::string request;
    turn_until([&] {
      request += transport::test::read_now(peer);
      const auto head = request.find("\r\n\r\n");
      return head != std::string::npos && request.size() == head + 4 + 7;
    });
    return request;
  }
  /// Whether a new connection or bytes wait to be taken by the server.
  static bool waits(int fd) {
    pollfd one{fd, POLLIN, 0};
    return ::poll(&one, 1, 0) > 0;
  }
  base::fd next_connection() {
    turn_until([&] { return waits(listener.fd()); });
    return listener.accept();
  }
  [[nodiscard]] transport::connection_pool& pool() { return *fleet_->pools()[0]; }

  /// Launches a request whose codec ends it before the end of the answer; returns its connection.
  base::fd launch_to_early_end() {
    launch();
    base::fd peer = listener.accept();
    request_from(peer);
    transport::test::write_all(peer, one_and_end);
    turn_until([&] { return !codec.endings.empty(); });
    return peer;
  }

  transport::test::manual_clock clock;
  transport::test::loopback listener;  // accepts and sends nothing
  transport::endpoint server;
  fake_codec codec;
  backend shared;
  ifb_sample sample = text_sample();
  transport::event_loop loop{clock};
  std::optional<fleet> fleet_;
  std::unique_ptr<flight> subject;  // declared last: destroyed before the fleet
  std::vector<record> records;
  std::vector<bool> prepared;
  int stalled = 0;
};

}  // namespace inferbench::client::testing
