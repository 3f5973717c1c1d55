#include "transport/dialer.hpp"

#include <cerrno>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "framework/transport/clocks.hpp"
#include "framework/transport/loopback.hpp"

namespace inferbench::transport {
namespace {

using phase = connection_failure::phase;

class dialer_test : public ::testing::Test, protected watcher {
 protected:
  void on_ready(std::uint32_t, std::uint64_t) override { ready = true; }
  void on_timer(std::uint64_t now) { fired.push_back(now); }

  void next() {
    ready = false;
    socket = subject.next(*this, clock.at);
  }
  void drop() {
    loop.remove(socket.get(), *this);
    socket.reset();
  }
  [[nodiscard]] bool accepted() {
    while (!ready)
      loop.run_once(false);
    return subject.accepted(socket.get());
  }
  ~dialer_test() override {
    if (socket) drop();
  }

  test::manual_clock clock;
  event_loop loop{clock};
  test::loopback first;
  test::loopback second;
  test::loopback closed{false};
  endpoint where{parse_url("http://a"), {first.where(), second.where()}};
  dialer subject{loop, timer::action::to<&dialer_test::on_timer>(*this)};
  base::fd socket;
  bool ready = false;
  std::vector<std::uint64_t> fired;
};

TEST_F(dialer_test, an_address_that_accepts_stops_the_timer) {
  subject.begin(where, 1, clock.at + 100);
  next();
  EXPECT_TRUE(accepted());
  EXPECT_EQ(subject.address_index(), 1U);
  EXPECT_EQ(subject.tried(), 1U);
  clock.at += 100;
  loop.run_once(false);
  EXPECT_TRUE(fired.empty());
  subject.wait_for_deadline();
  loop.run_once(false);
  EXPECT_EQ(fired, std::vector{clock.at});
}

TEST_F(dialer_test, each_address_gets_an_equal_share_of_the_time_that_is_left) {
  const std::uint64_t begin = clock.at;
  subject.begin(where, 0, begin + 100);
  next();
  EXPECT_EQ(subject.share_ends(), begin + 50);
  clock.at += 60;  // the loop was late
  EXPECT_FALSE(subject.failure_at(clock.at));
  drop();
  next();
  EXPECT_EQ(subject.address_index(), 1U);
  EXPECT_EQ(subject.share_ends(), begin + 100);
  clock.at += 40;
  const auto failure = subject.failure_at(clock.at);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->when, phase::connect_timeout);
  EXPECT_EQ(failure->code, ETIMEDOUT);
  EXPECT_EQ(failure->text, "cannot connect to " + second.where().text() +
                               ": no answer within the connect timeout");
}

TEST_F(dialer_test, fails_with_the_reason_of_the_last_address_when_none_is_left) {
  where.addresses = {closed.where()};
  where.proxy = "proxy.example:3128";
  subject.begin(where, 0, timer_queue::never);
  next();
  // The kernel may refuse immediately or later.
  if (socket) {
    EXPECT_FALSE(accepted());
    drop();
    next();
  }
  EXPECT_FALSE(socket);
  loop.run_once(false);
  EXPECT_EQ(fired.size(), 1U) << "the failure is reported from the loop";
  const auto failure = subject.failure_at(clock.at);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->when, phase::connect);
  EXPECT_EQ(failure->code, ECONNREFUSED);
  EXPECT_EQ(failure->text,
            "cannot connect to the proxy " + closed.where().text() + ": Connection refused");
}

TEST_F(dialer_test, goes_from_the_last_address_to_the_first) {
  where.addresses = {first.where(), closed.where()};
  subject.begin(where, 1, timer_queue::never);
  next();
  if (subject.address_index() == 1) {
    EXPECT_FALSE(accepted());
    drop();
    next();
  }
  EXPECT_TRUE(accepted());
  EXPECT_EQ(subject.address_index(), 0U);
  EXPECT_EQ(subject.tried(), 2U);
}

}  // namespace
}  // namespace inferbench::transport
