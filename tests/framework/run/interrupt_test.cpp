#include "run/interrupt.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <string_view>
#include <thread>

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/error.hpp"
#include "base/log.hpp"
#include "plugin/breadcrumb.hpp"

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

TEST(interrupt, keeps_the_sighup_of_a_closed_terminal_like_other_signals) {
  interrupt signals;
  signals.hold();
  send(SIGHUP);
  EXPECT_TRUE(signals.wait(seconds(20)));
}

TEST(interrupt, leaves_a_hangup_ignored_that_was_ignored_before) {
  const auto before = std::signal(SIGHUP, SIG_IGN);
  {
    interrupt signals(nullptr, {.echo = std::chrono::milliseconds(0)});
    signals.hold();
    send(SIGHUP);
    send(SIGTERM);
    EXPECT_TRUE(signals.wait(seconds(20)));
    // If SIGHUP were caught as well, SIGTERM would be the second signal and end this program: with
    // an `echo` of 0 it is not a duplicate.
  }
  EXPECT_EQ(std::signal(SIGHUP, before), SIG_IGN);
}

TEST(interrupt, ends_the_set_up_and_remembers_the_signal) {
  interrupt signals;
  signals.hold();
  EXPECT_FALSE(signals.came());
  signals.end_set_up();
  send(SIGINT);
  EXPECT_TRUE(signals.wait(seconds(20)));
  EXPECT_TRUE(signals.came());
  EXPECT_THROW(signals.end_set_up(), base::error);
}

TEST(interrupt, ignores_duplicates_of_the_first_signal) {
  interrupt signals(nullptr, {.echo = std::chrono::hours(1)});
  signals.hold();
  send(SIGINT);
  EXPECT_TRUE(signals.wait(seconds(20)));
  send(SIGINT);
  send(SIGTERM);
  EXPECT_FALSE(signals.wait(std::chrono::milliseconds(20)));
}

// The last signals are mostly not received yet when the object is destroyed.
TEST(interrupt, ignores_duplicates_that_are_pending_in_the_destructor) {
  for (int i = 0; i < 100; ++i) {
    interrupt signals(nullptr, {.echo = std::chrono::hours(1)});
    signals.hold();
    send(SIGINT);
    EXPECT_TRUE(signals.wait(seconds(20)));
    for (const int number : {SIGINT, SIGTERM, SIGHUP})
      send(number);
  }
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

TEST(interrupt_death, ends_the_program_at_the_second_signal) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        interrupt signals(nullptr, {.echo = std::chrono::milliseconds(0)});
        signals.hold();
        send(SIGINT);
        if (!signals.wait(seconds(20))) ::_exit(0);
        send(SIGTERM);
        for (;;)
          ::pause();
      },
      KilledBySignal(SIGTERM), "");
}

// Prints a line of the log, and then ends the process with the status `ends` unless it is 0.
void print(std::string_view line, int ends) {
  std::fprintf(stderr, "%.*s\n", static_cast<int>(line.size()), line.data());
  if (ends != 0) ::_exit(ends);
}

ifb_plugin blocked() {
  ifb_plugin out{};
  out.kind = IFB_REPORTER;
  out.id = "one";
  out.version = "1.0.0";
  return out;
}

TEST(interrupt_death, names_the_call_of_a_plugin_that_keeps_the_run_from_ending) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        plugin::report_crashes();
        const ifb_plugin one = blocked();
        base::log log(base::log_level::info,
                      [](base::log_level, std::string_view line) { print(line, 7); });
        interrupt signals(&log, {.patience = std::chrono::milliseconds(1)});
        signals.hold();
        const plugin::breadcrumb crumb(&one, "destroy");
        send(SIGINT);
        for (;;)
          ::pause();
      },
      ::testing::ExitedWithCode(7),
      "the run does not end yet: a thread is inside reporter one 1.0.0, destroy; the next signal "
      "ends the process at once");
}

TEST(interrupt_death, names_each_call_once) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        plugin::report_crashes();
        const ifb_plugin one = blocked();
        std::atomic<int> lines = 0;
        base::log log(base::log_level::info, [&](base::log_level, std::string_view line) {
          ++lines;
          print(line, line.find("begin") == std::string_view::npos ? 0 : 10 + lines);
        });
        interrupt signals(&log, {.patience = std::chrono::milliseconds(1)});
        signals.hold();
        send(SIGINT);
        const plugin::breadcrumb crumb(&one, "end");
        std::thread([&] {
          while (lines == 0)
            std::this_thread::yield();
          // The signal thread now sees both calls: first that of main, which has a line already.
          const plugin::breadcrumb second(&one, "begin");
          for (;;)
            ::pause();
        }).join();
      },
      ::testing::ExitedWithCode(12), "inside reporter one 1.0.0, end.*inside reporter one 1.0.0");
}

TEST(interrupt_death, names_the_call_in_progress_when_a_signal_comes_before_hold) {
  ::testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        plugin::report_crashes();
        const ifb_plugin one = blocked();
        base::log log(base::log_level::info,
                      [](base::log_level, std::string_view line) { print(line, 0); });
        const interrupt signals(&log);
        const plugin::breadcrumb crumb(&one, "create");
        send(SIGINT);
        for (;;)
          ::pause();
      },
      KilledBySignal(SIGINT), "^stopped inside reporter one 1.0.0, create\n$");
}

}  // namespace
}  // namespace inferbench::run
