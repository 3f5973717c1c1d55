#include "base/cpu.hpp"

#include <thread>

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

namespace inferbench::base {
namespace {

TEST(run_delay, is_the_second_number_of_schedstat) {
  EXPECT_EQ(run_delay_of("123 456 7\n"), 456U);
  EXPECT_EQ(run_delay_of("0 0 1\n"), 0U);
}

TEST(run_delay, is_unknown_where_the_text_is_another) {
  EXPECT_EQ(run_delay_of(""), std::nullopt);
  EXPECT_EQ(run_delay_of("123"), std::nullopt);
  EXPECT_EQ(run_delay_of("123 x"), std::nullopt);
  EXPECT_EQ(run_delay_of("1 99999999999999999999999 1"), std::nullopt);
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
