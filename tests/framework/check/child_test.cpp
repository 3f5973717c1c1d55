#include "check/child.hpp"

#include <csignal>

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace inferbench::check {
namespace {

TEST(child, that_dies_is_reported_with_its_last_output) {
  EXPECT_EQ(cause_of_death(SIGSEGV,
                           "inferbench: Segmentation fault: crash inside backend x 1.0.0, "
                           "open\n"),
            "Segmentation fault: crash inside backend x 1.0.0, open");
  EXPECT_EQ(cause_of_death(SIGKILL, "chatter\n"), "died of Killed");
  EXPECT_EQ(cause_of_death(3 << 8, ""), "ended the process with status 3");
  EXPECT_EQ(cause_of_death(1 << 8, "==1==ERROR: AddressSanitizer: heap-use-after-free on 0x1\nx\n"),
            "ERROR: AddressSanitizer: heap-use-after-free on 0x1");
  EXPECT_EQ(
      cause_of_death(1 << 8, "==1==ASan runtime does not come first in the list; preload it\n"),
      "ASan runtime does not come first in the list; preload it");
}

TEST(child, that_cannot_be_started_is_an_error) {
  const task given{.file = "/x.so", .test = "create"};
  EXPECT_THROW(static_cast<void>(run_in_child(given, {"/there/is/no/such/program"})), base::error);
}

TEST(child, that_answers_with_something_else_has_crashed) {
  const task given{.file = "/x.so", .test = "create"};
  EXPECT_EQ(run_in_child(given, {"/bin/true"}).said, verdict::crashed);
}

TEST(child, that_dies_in_a_situation_of_its_test_is_reported_with_the_situation) {
  const task given{.file = "/x.so", .test = "no-memory"};
  const outcome out = run_in_child(given, {"/bin/false"});
  ASSERT_EQ(out.findings.size(), 1U);
  EXPECT_EQ(out.findings[0].what,
            "ended the process with status 1, after a call of alloc answered NULL");
}

TEST(child, of_an_unknown_test_is_an_error) {
  const task given{.file = "/x.so", .test = "no-such-test"};
  EXPECT_THROW(static_cast<void>(run_here(given)), base::error);
}

}  // namespace
}  // namespace inferbench::check
