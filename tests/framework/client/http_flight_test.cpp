// One request over a connection, with a clock that the test moves.
#include "client/http_flight.hpp"

#include <cstdio>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>

#include "client/fleet.hpp"
#include "client/large_sample.hpp"
#include "framework/client/fake_codec.hpp"
#include "framework/transport/clocks.hpp"
#include "framework/transport/loopback.hpp"

namespace inferbench::client {
namespace {

using ::testing::ElementsAre;
using testing::fake_codec;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::text_sample;

constexpr std::uint64_t http_second = base::ns_per_s;
constexpr std::uint64_t http_ms = base::ns_per_ms;

const std::string sse_chunks =
    "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
const std::string last_chunk = "0\r\n\r\n";
const std::string one_and_end = sse_chunks + "b\r\ndata: one\n\n\r\nb\r\ndata: end\n\n\r\n";

class http_flight_test : public ::testing::Test, protected flight_owner {
 protected:
  http_flight_test() {
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
    loop.on_wake(transport::callback<void()>::to<&http_flight_test::on_wake>(*this));
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

TEST_F(http_flight_test, waits_for_the_end_of_an_answer_that_its_codec_has_ended) {
  const base::fd peer = launch_to_early_end();
  EXPECT_THAT(codec.endings, ElementsAre("early"));
  EXPECT_THAT(records, IsEmpty());
  const std::uint64_t ended = clock.at;
  pass(http_ms / 2);
  transport::test::write_all(peer, last_chunk);
  turn_until([&] { return !records.empty(); });
  EXPECT_TRUE(records[0].ok()) << records[0].error;
  EXPECT_EQ(records[0].end_ns, ended);
  EXPECT_EQ(subject->over_ns, ended + http_ms / 2);
  EXPECT_EQ(pool().idle(), 1U);
  launch();
  EXPECT_THAT(request_from(peer), HasSubstr("POST /v1/x"));
  EXPECT_EQ(pool().counters().reuses, 1U);
}

TEST_F(http_flight_test, keeps_its_permit_for_a_millisecond_after_an_early_end) {
  const base::fd peer = launch_to_early_end();
  const std::uint64_t ended = clock.at;
  pass(http_ms - 1);
  EXPECT_THAT(records, IsEmpty());
  pass(1);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_TRUE(records[0].ok());
  EXPECT_EQ(records[0].end_ns, ended);
  EXPECT_EQ(subject->over_ns, ended + http_ms);
  EXPECT_EQ(codec.closed, 1);
  // The rest is read beside, while the flight has another request on another connection.
  launch();
  const base::fd other = next_connection();
  EXPECT_EQ(pool().idle(), 0U);
  transport::test::write_all(peer, "4\r\nrest\r\n" + last_chunk);
  turn_until([&] { return pool().idle() == 1; });
  EXPECT_EQ(codec.messages.size(), 2U);
  EXPECT_EQ(records.size(), 1U);
}

TEST_F(http_flight_test, leaves_a_connection_whose_answer_does_not_end) {
  const base::fd peer = launch_to_early_end();
  pass(http_ms);
  ASSERT_EQ(records.size(), 1U);
  pass(http_second - 1);
  EXPECT_EQ(pool().counters().not_reusable, 0U);
  pass(1);
  EXPECT_EQ(pool().counters().not_reusable, 1U);
  EXPECT_EQ(transport::test::read_some(peer, 1), "") << "closed";
}

TEST_F(http_flight_test, an_early_end_stays_good_whatever_happens_to_the_connection) {
  base::fd closing = launch_to_early_end();
  closing.reset();
  turn_until([&] { return records.size() == 1; });
  codec.endings.clear();
  base::fd breaking = launch_to_early_end();
  transport::test::reset(std::move(breaking));
  turn_until([&] { return records.size() == 2; });
  codec.endings.clear();
  const base::fd rubbish = launch_to_early_end();
  transport::test::write_all(rubbish, "zz");
  turn_until([&] { return records.size() == 3; });
  for (const record& r : records)
    EXPECT_TRUE(r.ok()) << r.error;
  EXPECT_EQ(pool().idle(), 0U);
}

TEST_F(http_flight_test, an_early_end_is_not_cancelled_and_does_not_time_out) {
  shared.request_timeout_ns = http_ms / 2;
  shared.idle_timeout_ns = http_ms / 4;
  const base::fd peer = launch_to_early_end();
  pass(http_ms / 2);
  EXPECT_THAT(records, IsEmpty());
  subject->cancel("cancelled: the run was stopped", clock.at);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_TRUE(records[0].ok()) << records[0].error;
}

TEST_F(http_flight_test, a_leg_after_an_early_end_goes_out_on_another_connection_at_once) {
  codec.legs = 2;
  const base::fd first = launch_to_early_end();
  const base::fd other = next_connection();
  request_from(other);
  transport::test::write_all(first, last_chunk);
  turn_until([&] { return pool().idle() == 1; });
  transport::test::write_all(other, sse_chunks + "b\r\ndata: two\n\n\r\n" + last_chunk);
  turn_until([&] { return !records.empty(); });
  EXPECT_TRUE(records[0].ok()) << records[0].error;
  EXPECT_EQ(records[0].text, "onetwo");
  EXPECT_EQ(pool().idle(), 2U);
}

TEST_F(http_flight_test, a_leg_waits_for_its_time_without_a_connection) {
  shared.idle_timeout_ns = http_second;
  shared.stall_warning_ns = http_second;
  codec.legs = 2;
  codec.not_before = clock.at + 5 * http_second;
  launch();
  const base::fd peer = listener.accept();
  request_from(peer);
  transport::test::write_all(peer, sse_chunks + "b\r\ndata: one\n\n\r\n" + last_chunk);
  turn_until([&] { return pool().idle() == 1; });
  for (int i = 0; i < 9; ++i)
    pass(http_second / 2);
  EXPECT_FALSE(waits(peer.get()));
  EXPECT_THAT(records, IsEmpty());
  EXPECT_EQ(stalled, 0) << "the silence is the codec's wish";
  pass(http_second / 2);
  EXPECT_EQ(pool().idle(), 0U);
  request_from(peer);
  transport::test::write_all(peer, sse_chunks + "b\r\ndata: two\n\n\r\n" + last_chunk);
  turn_until([&] { return !records.empty(); });
  EXPECT_TRUE(records[0].ok()) << records[0].error;
  EXPECT_EQ(records[0].text, "onetwo");
  EXPECT_EQ(records[0].late.sending_ns, 0U) << "the wait is not the client's delay";
}

TEST_F(http_flight_test, the_clients_delay_after_the_time_of_a_leg_is_its_own) {
  codec.legs = 2;
  codec.not_before = clock.at + http_second;
  launch();
  const base::fd peer = listener.accept();
  request_from(peer);
  transport::test::write_all(peer, sse_chunks + "b\r\ndata: one\n\n\r\n" + last_chunk);
  turn_until([&] { return pool().idle() == 1; });
  pass(http_second + 3 * http_ms);
  request_from(peer);
  transport::test::write_all(peer, sse_chunks + "b\r\ndata: two\n\n\r\n" + last_chunk);
  turn_until([&] { return !records.empty(); });
  EXPECT_EQ(records[0].late.sending_ns, 3 * http_ms);
}

TEST_F(http_flight_test, a_leg_whose_time_has_passed_is_sent_at_once) {
  codec.legs = 2;
  codec.not_before = clock.at;
  launch();
  const base::fd peer = listener.accept();
  request_from(peer);
  transport::test::write_all(peer, sse_chunks + "b\r\ndata: one\n\n\r\n" + last_chunk);
  request_from(peer);
  EXPECT_EQ(pool().idle(), 0U);
}

TEST_F(http_flight_test, the_time_limit_of_a_request_includes_the_wait_for_a_leg) {
  shared.request_timeout_ns = 2 * http_second;
  codec.legs = 2;
  codec.not_before = clock.at + 5 * http_second;
  launch();
  const base::fd peer = listener.accept();
  request_from(peer);
  transport::test::write_all(peer, sse_chunks + "b\r\ndata: one\n\n\r\n" + last_chunk);
  turn_until([&] { return pool().idle() == 1; });
  pass(2 * http_second);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].status, IFB_E_TIMEOUT);
  pass(10 * http_second);
  EXPECT_FALSE(waits(peer.get())) << "nothing is sent for it later";
}

TEST_F(http_flight_test, can_be_cancelled_while_a_leg_waits) {
  codec.legs = 2;
  codec.not_before = clock.at + 5 * http_second;
  launch();
  const base::fd peer = listener.accept();
  request_from(peer);
  transport::test::write_all(peer, sse_chunks + "b\r\ndata: one\n\n\r\n" + last_chunk);
  turn_until([&] { return pool().idle() == 1; });
  subject->cancel("cancelled: the run was stopped", clock.at);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].status, IFB_E_CANCELLED);
  EXPECT_EQ(codec.closed, 1);
}

TEST_F(http_flight_test, is_signed_right_before_each_leg_with_the_time_of_the_wall_clock) {
  std::vector<std::int64_t> times;
  codec.signer = [&](const ifb_http_target& target, ifb_http_request&, ifb_error*) {
    times.push_back(target.unix_ns);
    return IFB_OK;
  };
  codec.legs = 2;
  shared = codec.shared(server);
  make();
  clock.unix_at = 5;
  subject->what.sample = &sample;
  ASSERT_EQ(subject->prepare(), flight::readiness::ready);
  clock.unix_at = 6;
  subject->launch(clock.at);
  EXPECT_THAT(times, IsEmpty()) << "there is no connection yet";
  const base::fd peer = listener.accept();
  clock.unix_at = 7;
  request_from(peer);
  EXPECT_THAT(times, ElementsAre(7));
  clock.unix_at = 8;
  transport::test::write_all(peer, sse_chunks + "b\r\ndata: one\n\n\r\n" + last_chunk);
  request_from(peer);
  EXPECT_THAT(times, ElementsAre(7, 8));
}

TEST_F(http_flight_test, that_cannot_be_signed_lands_and_leaves_its_connection_unused) {
  codec.signer = [](const ifb_http_target&, ifb_http_request&, ifb_error* error) {
    return fake_codec::fail(error, IFB_E_IO, "the key is gone");
  };
  shared = codec.shared(server);
  make();
  launch();
  const base::fd peer = listener.accept();
  turn_until([&] { return !records.empty(); });
  EXPECT_EQ(records[0].error, "the key is gone");
  EXPECT_EQ(records[0].sent_ns, 0U);
  EXPECT_EQ(records[0].bytes_sent, 0U);
  EXPECT_EQ(pool().idle(), 1U);
  // The second one finds a connection, so it lands inside launch().
  launch();
  EXPECT_EQ(records.size(), 2U);
  EXPECT_EQ(pool().idle(), 1U);
  EXPECT_FALSE(waits(peer.get()));
}

class large_http_flight : public http_flight_test {
 protected:
  large_http_flight() {
    sample.prompt = {&part, 1, sizeof part};
    codec.opening = [this](const ifb_sample&) {
      thread = std::this_thread::get_id();
      begun.set_value();
      go.get_future().wait();
    };
    subject->what.sample = &sample;
  }

  const std::string text = std::string(large_sample_bytes, 'x');
  const ifb_part part{sizeof(ifb_part), IFB_PART_TEXT, nullptr, {text.data(), text.size()}, {}, {}};
  std::promise<void> begun;
  std::promise<void> go;
  std::thread::id thread;
};

TEST_F(large_http_flight, is_serialised_on_another_thread) {
  ASSERT_EQ(subject->prepare(), flight::readiness::later);
  EXPECT_TRUE(subject->preparing());
  begun.get_future().wait();
  EXPECT_NE(thread, std::this_thread::get_id());
  EXPECT_EQ(subject->name(), "request 0 (bench-0)");
  EXPECT_THAT(prepared, IsEmpty());
  go.set_value();
  transport::test::run_until(loop, [&] { return !prepared.empty(); });
  EXPECT_THAT(prepared, ElementsAre(true));
  EXPECT_FALSE(subject->preparing());
  subject->launch(clock.at);
  const base::fd peer = listener.accept();
  EXPECT_THAT(request_from(peer), HasSubstr("POST /v1/x HTTP/1.1"));
}

class later_leg : public large_http_flight {
 protected:
  later_leg() {
    codec.legs = 2;
    codec.opening = {};
    codec.requesting = [this](int leg) {
      if (leg != 2) return;
      thread = std::this_thread::get_id();
      begun.set_value();
      go.get_future().wait();
    };
  }

  /// Sends the first leg, and waits until a thread serialises the second leg.
  base::fd answer_first_leg() {
    EXPECT_EQ(subject->prepare(), flight::readiness::later);
    transport::test::run_until(loop, [&] { return !prepared.empty(); });
    subject->launch(clock.at);
    base::fd peer = listener.accept();
    request_from(peer);
    transport::test::write_all(peer, sse_chunks + last_chunk);
    turn_until([&] { return !codec.endings.empty(); });
    begun.get_future().wait();
    return peer;
  }
};

TEST_F(later_leg, is_serialised_on_another_thread) {
  const base::fd peer = answer_first_leg();
  EXPECT_NE(thread, std::this_thread::get_id());
  EXPECT_EQ(pool().idle(), 1U) << "other requests may use the connection meanwhile";
  go.set_value();
  EXPECT_THAT(request_from(peer), HasSubstr("POST /v1/x HTTP/1.1"));
  transport::test::write_all(peer, one_and_end + last_chunk);
  turn_until([&] { return !records.empty(); });
  EXPECT_TRUE(records[0].ok()) << records[0].error;
}

TEST_F(later_leg, may_be_refused_by_the_codec) {
  const base::fd peer = answer_first_leg();
  codec.request_status = IFB_E_UNSUPPORTED;
  go.set_value();
  turn_until([&] { return !records.empty(); });
  EXPECT_EQ(records[0].error, "no second thought");
  EXPECT_EQ(codec.closed, 1);
  EXPECT_FALSE(waits(peer.get()));
}

TEST_F(later_leg, is_cancelled_when_the_thread_has_left_the_codec) {
  const base::fd peer = answer_first_leg();
  subject->cancel("stopped", clock.at);
  EXPECT_THAT(records, IsEmpty());
  go.set_value();
  turn_until([&] { return !records.empty(); });
  EXPECT_EQ(records[0].status, IFB_E_CANCELLED);
  EXPECT_EQ(records[0].error, "stopped");
  EXPECT_EQ(codec.closed, 1);
}

TEST_F(later_leg, keeps_to_the_time_limit_of_the_request) {
  shared.request_timeout_ns = 2 * http_second;
  make();
  subject->what.sample = &sample;
  const base::fd peer = answer_first_leg();
  pass(http_second);
  go.set_value();
  request_from(peer);
  pass(http_second);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].status, IFB_E_TIMEOUT);
}

TEST_F(large_http_flight, may_be_refused_later) {
  codec.open_status = IFB_E_UNSUPPORTED;
  ASSERT_EQ(subject->prepare(), flight::readiness::later);
  go.set_value();
  transport::test::run_until(loop, [&] { return !prepared.empty(); });
  EXPECT_THAT(prepared, ElementsAre(false));
  subject->refuse(clock.at);
  EXPECT_EQ(subject->land().error, "this prompt has no shape");
}

TEST_F(large_http_flight, can_be_withdrawn_only_while_no_thread_is_inside_the_codec) {
  ASSERT_EQ(subject->prepare(), flight::readiness::later);
  begun.get_future().wait();
  EXPECT_FALSE(subject->withdraw());
  EXPECT_TRUE(subject->preparing());
  go.set_value();
  transport::test::run_until(loop, [&] { return !prepared.empty(); });
  EXPECT_TRUE(subject->withdraw());
  EXPECT_EQ(subject->land().id, "bench-0");
  EXPECT_EQ(codec.closed, 1);
}

}  // namespace
}  // namespace inferbench::client
