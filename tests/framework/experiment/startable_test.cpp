#include "experiment/startable.hpp"

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/statvfs.h>

#include "support/temporary_folder.hpp"
#include "sweep/command.hpp"

namespace inferbench::experiment {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

namespace fs = std::filesystem;

TEST(startable, finds_a_program_in_the_path_or_by_its_path) {
  EXPECT_EQ(program_obstacle("sh"), 0);
  EXPECT_EQ(program_obstacle("/bin/sh"), 0);
  EXPECT_EQ(why_no_program("sh"), "");
  EXPECT_EQ(program_obstacle("there-is-no-such-program"), ENOENT);
  EXPECT_EQ(why_no_program("there-is-no-such-program"),
            "the program there-is-no-such-program is not in $PATH");
  EXPECT_EQ(why_no_program("/no/such/program"),
            "the program /no/such/program is not there: No such file or directory");
  EXPECT_EQ(program_obstacle("/dev/null/program"), ENOTDIR);
}

TEST(startable, needs_the_right_to_execute_a_file) {
  const support::temporary_folder box;
  const std::string file = box.write("run", "#!/bin/sh\n");
  EXPECT_EQ(program_obstacle(file), EACCES);
  EXPECT_EQ(why_no_program(file), "the program " + file + " cannot be executed: Permission denied");
  EXPECT_EQ(program_obstacle(box.path()), EACCES);
  fs::permissions(file, fs::perms::owner_exec, fs::perm_options::add);
  struct statvfs where{};
  ASSERT_EQ(::statvfs(box.path().c_str(), &where), 0);
  EXPECT_EQ(program_obstacle(file), (where.f_flag & ST_NOEXEC) != 0 ? EACCES : 0);
}

TEST(startable, knows_how_long_arguments_can_be) {
  EXPECT_EQ(why_too_long({"true", std::string(sweep::longest_argument, 'x')}), "");
  EXPECT_THAT(why_too_long({"true", std::string(sweep::longest_argument + 1, 'x')}),
              AllOf(StartsWith("cannot start true: its arguments have 1310"),
                    HasSubstr("the longest 131072; ")));
  EXPECT_THAT(why_too_long(std::vector<std::string>(70, std::string(100'000, 'x'))),
              HasSubstr("the longest 100000; "));
}

TEST(startable, names_the_programs_of_a_plan_by_their_settings) {
  sweep::plan plan;
  plan.bench_command = {"bench", "x"};
  plan.after_bench = {"after"};
  const auto settings = [&] {
    std::string out;
    for (const program_use& each : programs_of(plan))
      out += each.setting + "=" + each.name + " ";
    return out;
  };
  EXPECT_EQ(settings(), "--bench-cmd=bench --after-bench-cmd=after ");
  plan.serve_command = {"serve"};
  EXPECT_EQ(settings(), "--serve-cmd=serve --bench-cmd=bench --after-bench-cmd=after ");
  plan.result_reporter = "json";
  EXPECT_EQ(settings(),
            "sweep.server.command=serve --bench-cmd=bench sweep.server.after-bench=after ");
}

TEST(startable, names_the_exceptions_of_python) {
  EXPECT_EQ(python_exception(ENOENT), "FileNotFoundError");
  EXPECT_EQ(python_exception(ENOTDIR), "NotADirectoryError");
  EXPECT_EQ(python_exception(EACCES), "PermissionError");
  EXPECT_EQ(python_exception(E2BIG), "OSError");
  EXPECT_EQ(python_exception(0), "OSError");
}

}  // namespace
}  // namespace inferbench::experiment
