#include "run/interrupt.hpp"

#include <chrono>

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/error.hpp"

namespace inferbench::run {
namespace {

using std::chrono::seconds;
using ::testing::KilledBySignal;

void send(int number) { ASSERT_EQ(::kill(::getpid(), number), 0); }

TEST(interrupt, hands_the_first_signal_over_once) {
  interrupt signals;
  signals.hold();
  EXPECT_FALSE(signals.wait(seconds(0)));
  send(SIGTERM);
  EXPECT_TRUE(signals.wait(seconds(20)));
  EXPECT_FALSE(signals.wait(seconds(0)));
}

TEST(interrupt, takes_a_terminal_that_is_gone_for_the_same_wish) {
  interrupt signals;
  signals.hold();
  send(SIGHUP);
  EXPECT_TRUE(signals.wait(seconds(20)));
}

TEST(interrupt, leaves_a_hangup_ignored_that_was_ignored_before) {
  const auto before = std::signal(SIGHUP, SIG_IGN);
  {
    interrupt signals;
    signals.hold();
    send(SIGHUP);
    send(SIGTERM);
    EXPECT_TRUE(signals.wait(seconds(20)));
    // If SIGHUP were caught as well, SIGTERM would be the second signal and end this program.
  }
  EXPECT_EQ(std::signal(SIGHUP, before), SIG_IGN);
}

TEST(interrupt, ends_the_set_up_and_remembers_that_it_came) {
  interrupt signals;
  signals.hold();
  EXPECT_FALSE(signals.came());
  signals.end_set_up();
  send(SIGINT);
  EXPECT_TRUE(signals.wait(seconds(20)));
  EXPECT_TRUE(signals.came());
  EXPECT_THROW(signals.end_set_up(), base::error);
}

TEST(interrupt, takes_an_echo_of_the_first_signal_for_the_same) {
  interrupt signals(std::chrono::hours(1));
  signals.hold();
  send(SIGINT);
  EXPECT_TRUE(signals.wait(seconds(20)));
  send(SIGINT);
  send(SIGTERM);
  EXPECT_FALSE(signals.wait(std::chrono::milliseconds(20)));
}

TEST(interrupt, can_be_made_again) {
  for (int i = 0; i < 3; ++i) {
    interrupt signals;
    signals.hold();
    send(SIGINT);
    EXPECT_TRUE(signals.wait(seconds(20)));
  }
}

TEST(interrupt_death, ends_the_program_immediately_if_signals_are_not_held) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        const interrupt signals;
        send(SIGINT);
        for (;;)
          ::pause();
      },
      KilledBySignal(SIGINT), "");
}

TEST(interrupt_death, comes_with_the_second_signal) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        interrupt signals(std::chrono::milliseconds(0));
        signals.hold();
        send(SIGINT);
        if (!signals.wait(seconds(20))) ::_exit(0);
        send(SIGTERM);
        for (;;)
          ::pause();
      },
      KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace inferbench::run
