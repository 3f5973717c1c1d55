#include "base/cpu.hpp"

#include <thread>

#include <gtest/gtest.h>
#include <sys/resource.h>
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

TEST(parse_schedstat, knows_what_is_no_such_text) {
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

TEST(give_way, is_of_the_calling_thread_alone) {
  const int before = ::getpriority(PRIO_PROCESS, 0);
  int polite = 0;
  std::thread([&] {
    give_way();
    polite = ::getpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()));
  }).join();
  EXPECT_GT(polite, before);
  EXPECT_EQ(::getpriority(PRIO_PROCESS, 0), before);
}

}  // namespace
}  // namespace inferbench::base
