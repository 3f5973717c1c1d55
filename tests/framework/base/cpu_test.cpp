#include "base/cpu.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <thread>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace inferbench::base {
namespace {

TEST(parse_schedstat, reads_running_and_waiting) {
  const auto said = parse_schedstat("123 456 7\n");
  ASSERT_TRUE(said);
  EXPECT_EQ(said->cpu_ns, 123U);
  EXPECT_EQ(said->run_delay_ns, 456U);
  EXPECT_TRUE(parse_schedstat("0 0 1\n"));
}

TEST(parse_schedstat, rejects_a_text_of_another_format) {
  for (const char* text :
       {"", "123", "123 x", "x 1 2", "-1 2 3", "1  2 3", "1,2,3", "1 99999999999999999999999 1"})
    EXPECT_FALSE(parse_schedstat(text)) << text;
}

TEST(thread_usage, counts_the_time_that_this_thread_has_worked) {
  const thread_usage before = usage_of_this_thread();
  thread_usage after = before;
  while (after.cpu_ns < before.cpu_ns + 1'000'000)
    after = usage_of_this_thread();
  EXPECT_GE(after.run_delay_ns, before.run_delay_ns);
}

// The time slice of this thread in ns; 0: this version of Linux does not report it.
std::uint64_t turn() {
  std::array<std::uint64_t, 6> scheduling{};  // a struct sched_attr; element 3 is sched_runtime
  if (::syscall(SYS_sched_getattr, 0, scheduling.data(), sizeof scheduling, 0) != 0) return 0;
  return scheduling[3];
}

TEST(take_short_turns, changes_only_the_calling_thread_and_keeps_its_priority) {
  const std::uint64_t before = turn();
  if (before == 0) GTEST_SKIP() << "Linux before 6.12 has the same time slice for all threads";
  std::uint64_t asked = 0;
  int outer = 0;
  int inner = 0;
  std::thread([&] {
    give_way();
    outer = ::getpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()));
    take_short_turns();
    asked = turn();
    inner = ::getpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()));
  }).join();
  EXPECT_EQ(asked, 100'000U);
  EXPECT_EQ(inner, outer);
  EXPECT_EQ(turn(), before);
}

constexpr int lowest_priority = 19;

int niceness() { return ::getpriority(PRIO_PROCESS, static_cast<id_t>(::gettid())); }

TEST(give_way, changes_only_the_calling_thread_at_any_priority_of_the_program) {
  const int before = niceness();
  int polite = 0;
  std::thread([&] {
    give_way();
    polite = niceness();
  }).join();
  EXPECT_EQ(polite, std::min(before + 10, lowest_priority));
  EXPECT_EQ(niceness(), before);
}

TEST(give_way, adds_nothing_in_a_thread_of_one_that_gives_way) {
  int outer = 0;
  int inner = 0;
  std::thread([&] {
    give_way();
    outer = niceness();
    std::thread([&] {
      give_way();
      inner = niceness();
    }).join();
  }).join();
  EXPECT_EQ(inner, outer);
}

// Runs in a separate process, since a lowered priority cannot be raised again.
TEST(give_way_death, leaves_room_below_a_program_that_is_nice_already) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        const int given = std::min(niceness() + 5, lowest_priority);
        ::setpriority(PRIO_PROCESS, static_cast<id_t>(::getpid()), given);
        bool below = false;
        std::thread([&] {
          give_way();
          below = niceness() == std::min(given + 10, lowest_priority);
        }).join();
        ::_exit(below ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace inferbench::base
