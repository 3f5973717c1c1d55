#include "tune/logged_process.hpp"

#include <stdexcept>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/error_text.hpp"
#include "tuning_box.hpp"

namespace inferbench::tune {
namespace {

const auto never = [] { return false; };

TEST(a_logged_process, has_both_streams_in_its_file) {
  const tuning_box box;
  box.folder.write("log", "of an earlier process, which was longer");
  logged_process process({.words = {"sh", "-c", "echo out $X; echo error >&2; exit 7"},
                          .variables = {"X=y"},
                          .log = box.folder.path("log")});
  const auto status = awaited(process, never);
  ASSERT_TRUE(status);
  EXPECT_EQ(supervise::status_text(*status), "exit status 7");
  EXPECT_THAT(box.text("log"), testing::AnyOf("out y\nerror\n", "error\nout y\n"));
  EXPECT_THAT(process.last_lines_clause(),
              testing::StartsWith("; the last lines of its output:\n"));
  EXPECT_EQ(process.write_problem(), 0);
}

TEST(a_logged_process, says_that_it_has_printed_nothing) {
  const tuning_box box;
  logged_process process({.words = {"true"}, .log = box.folder.path("log")});
  EXPECT_TRUE(awaited(process, never));
  EXPECT_EQ(process.last_lines_clause(), "; it has printed nothing");
}

TEST(a_logged_process, remembers_a_file_that_is_full) {
  logged_process process({.words = {"echo", "text"}, .log = "/dev/full"});
  EXPECT_TRUE(awaited(process, never));
  EXPECT_EQ(process.write_problem(), ENOSPC);
}

TEST(a_logged_process, without_a_file_or_a_program_is_an_error) {
  const tuning_box box;
  EXPECT_THAT(support::error_text([&] {
                logged_process({.words = {"true"}, .log = box.folder.path("none/log")});
                return 0;
              }),
              testing::HasSubstr("cannot write " + box.folder.path("none/log")));
  EXPECT_EQ(support::error_text([&] {
              logged_process({.words = {"/no/program"}, .log = box.folder.path("log")});
              return 0;
            }),
            "cannot start /no/program: No such file or directory");
}

TEST(a_logged_process, is_given_up_when_the_caller_says_so) {
  const tuning_box box;
  logged_process process({.words = {"sleep", "1000"}, .log = box.folder.path("log")});
  EXPECT_FALSE(awaited(process, [] { return true; }));
  EXPECT_THROW(
      static_cast<void>(awaited(process, []() -> bool { throw std::runtime_error("stop"); })),
      std::runtime_error);
}

}  // namespace
}  // namespace inferbench::tune
