#include "run/cancel_on_signal.hpp"

#include <future>

#include <gtest/gtest.h>

namespace inferbench::run {
namespace {

TEST(cancel_on_signal, calls_once_when_the_flag_is_set) {
  std::atomic<bool> came = false;
  std::promise<void> called;
  int calls = 0;
  {
    const cancel_on_signal watched(came, [&] {
      if (++calls == 1) called.set_value();
    });
    came = true;
    called.get_future().wait();
  }
  EXPECT_EQ(calls, 1);
}

TEST(cancel_on_signal, calls_nothing_if_the_flag_is_never_set) {
  const std::atomic<bool> came = false;
  std::atomic<int> calls = 0;
  {
    const cancel_on_signal watched(came, [&] { ++calls; });
  }
  EXPECT_EQ(calls, 0);
}

TEST(cancel_on_signal, sees_a_signal_that_came_before_it) {
  const std::atomic<bool> came = true;
  std::promise<void> called;
  const cancel_on_signal watched(came, [&] { called.set_value(); });
  called.get_future().wait();
}

}  // namespace
}  // namespace inferbench::run
