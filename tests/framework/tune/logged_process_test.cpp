#include "tune/logged_process.hpp"

#include <cerrno>
#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "supervise/supervised_process.hpp"
#include "support/error_text.hpp"
#include "tuning_box.hpp"

namespace inferbench::tune {
namespace {

const auto never = [] { return false; };

TEST(a_logged_process, has_both_streams_in_its_file) {
  const tuning_box box;
  box.folder.write("log", "of an earlier process, which was longer");
  logged_process process({"sh", "-c", "echo out; echo error >&2; exit 7"}, box.folder.path("log"));
  const auto status = process.awaited(never);
  ASSERT_TRUE(status);
  EXPECT_EQ(supervise::status_text(*status), "exit status 7");
  EXPECT_THAT(box.text("log"), testing::AnyOf("out\nerror\n", "error\nout\n"));
  EXPECT_THAT(process.last_lines(1), testing::AnyOf("out", "error"));
  EXPECT_EQ(process.log_problem(), 0);
}

TEST(a_logged_process, remembers_a_file_that_is_full) {
  logged_process process({"echo", "text"}, "/dev/full");
  EXPECT_TRUE(process.awaited(never));
  EXPECT_EQ(process.log_problem(), ENOSPC);
}

TEST(a_logged_process, without_a_file_or_a_program_is_an_error) {
  const tuning_box box;
  EXPECT_THAT(support::error_text([&] {
                logged_process({"true"}, box.folder.path("none/log"));
                return 0;
              }),
              testing::HasSubstr("cannot write " + box.folder.path("none/log")));
  EXPECT_EQ(support::error_text([&] {
              logged_process({"/no/program"}, box.folder.path("log"));
              return 0;
            }),
            "cannot start /no/program: No such file or directory");
}

TEST(a_logged_process, is_given_up_when_the_caller_says_so) {
  const tuning_box box;
  logged_process process({"sleep", "1000"}, box.folder.path("log"));
  EXPECT_FALSE(process.awaited([] { return true; }));
  EXPECT_THROW(
      static_cast<void>(process.awaited([]() -> bool { throw std::runtime_error("stop"); })),
      std::runtime_error);
}

}  // namespace
}  // namespace inferbench::tune
