// One request over a connection, with a clock that the test moves.
#include "client/http_flight.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <poll.h>

#include "client/fleet.hpp"
#include "framework/client/fake_codec.hpp"
#include "framework/transport/clocks.hpp"
#include "framework/transport/loopback.hpp"

namespace inferbench::client {
namespace {

using testing::fake_codec;
using testing::text_sample;

constexpr std::uint64_t http_second = base::ns_per_s;

class http_flight_test : public ::testing::Test, protected flight_owner {
 protected:
  http_flight_test() {
    server.where = transport::parse_url("http://host:1");
    server.addresses = {listener.where()};
    shared = codec.shared(server);
    fleet_.emplace(shared, loop, owner());
    subject = fleet_->make();
  }
  flight_owner& owner() { return *this; }

  void on_landed(flight& which) override { records.push_back(which.land()); }
  void on_stalled(const flight&, const silence&) override {}
  void on_heard(std::size_t, std::uint64_t) noexcept override {}
  void on_shortage() noexcept override {}
  bool tell(const std::string&) override { return true; }

  void launch() {
    subject->what.sample = &sample;
    ASSERT_TRUE(subject->prepare());
    subject->launch(clock.at);
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
};

// The client does not look at its sockets for 80 ms.
TEST_F(http_flight_test, a_delay_noticed_before_sending_is_the_clients_own) {
  launch();
  const base::fd peer = listener.accept();
  clock.at += 80 * base::ns_per_ms;
  std::string request;
  transport::test::run_until(
      loop,
      [&] {
        request += transport::test::read_now(peer);
        return request.find("\r\n\r\n") != std::string::npos;
      },
      false);
  clock.at += base::ns_per_ms;
  transport::test::write_all(peer, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
  transport::test::run_until(loop, [&] { return !records.empty(); });
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].late.sending_ns, 80 * base::ns_per_ms);
  EXPECT_TRUE(records[0].late.unknown) << "this loop takes no stamps of the kernel";
  EXPECT_TRUE(records[0].late.events.empty());
}

TEST_F(http_flight_test, the_clients_own_time_in_later_legs_counts_as_well) {
  codec.legs = 2;
  launch();
  base::fd peer = listener.accept();
  const auto answer = [&](const char* text) {
    std::string request;
    transport::test::run_until(
        loop,
        [&] {
          request += transport::test::read_now(peer);
          return request.find("\r\n\r\n") != std::string::npos;
        },
        false);
    transport::test::write_all(peer, text);
  };
  answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok");
  // The second leg uses a new connection.
  transport::test::run_until(
      loop,
      [&] {
        pollfd one{listener.fd(), POLLIN, 0};
        return ::poll(&one, 1, 0) > 0;
      },
      false);
  peer = listener.accept();
  clock.at += 80 * base::ns_per_ms;
  answer("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
  transport::test::run_until(loop, [&] { return !records.empty(); });
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].late.sending_ns, 80 * base::ns_per_ms);
}

TEST_F(http_flight_test, cancelled_after_a_long_wait_for_the_first_byte_says_where_to_look) {
  launch();
  subject->cancel("cancelled: the run was stopped", clock.at + 2 * http_second);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].status, IFB_E_CANCELLED);
  EXPECT_EQ(records[0].error,
            "cancelled: the run was stopped, and the server had sent no byte of an answer for more "
            "than 1 s; see its log, check --base-url and --endpoint, or bound such waits with "
            "--first-byte-timeout");
}

TEST_F(http_flight_test, cancelled_soon_after_its_start_has_nothing_to_say_about_the_server) {
  launch();
  subject->cancel("cancelled: the run was stopped", clock.at + http_second / 2);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].error, "cancelled: the run was stopped");
}

}  // namespace
}  // namespace inferbench::client
