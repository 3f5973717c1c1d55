// The test kit as `inferbench plugin check`: its output, its files and its errors.
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/json.hpp"
#include "base/text.hpp"
#include "framework/check/program.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::check {
namespace {

using ::testing::HasSubstr;

TEST(right_library, with_one_cxx_library_passes) {
  const ended e = run(wrong("runtime_nothing") + " --only file-");
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_THAT(e.output, HasSubstr("5 passed, 0 warned"));
}

TEST(plugin_check, lists_its_tests) {
  const ended e = run("--list");
  EXPECT_EQ(e.status, 0);
  EXPECT_THAT(e.output, HasSubstr("codec-cuts         how an answer is cut into reads"));
}

TEST(plugin_check, runs_the_tests_that_it_is_asked_for) {
  const ended e = run(wrong("backend_nothing") + " --only entry --only codec");
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_THAT(e.output, HasSubstr("  passed   entry  "));
  EXPECT_THAT(e.output, HasSubstr("  passed   codec-noise  "));
  EXPECT_THAT(e.output, testing::Not(HasSubstr("borrowing")));
}

TEST(plugin_check, takes_any_beginning_of_a_name_for_the_tests) {
  const ended e = run(wrong("backend_nothing") + " --only codec-e");
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_THAT(e.output, HasSubstr("  passed   codec-events  "));
  EXPECT_THAT(e.output, HasSubstr("1 passed, 0 warned, 0 failed"));
  EXPECT_EQ(run(wrong("backend_nothing") + " --only=").status, 2);
}

TEST(plugin_check, says_reason_and_remedy) {
  const ended e = run(wrong("backend_done-twice") + " --only codec-events");
  EXPECT_EQ(e.status, 1);
  EXPECT_THAT(e.output,
              HasSubstr("backend right 1.0.0\n"
                        "  failed   codec-events       the end of an answer is reported once, and "
                        "last\n"
                        "           the end of an answer is reported 2 times\n"
                        "           -> call on_done or on_error once\n"));
  EXPECT_THAT(e.output, HasSubstr("0 passed, 0 warned, 1 failed, 0 crashed, 0 skipped\n"));
}

TEST(plugin_check, writes_reports_for_programs) {
  const support::temporary_folder folder;
  const ended e = run(wrong("backend_header") + " --only codec-request --json " +
                      folder.quoted("r.json") + " --junit=" + folder.quoted("r.xml"));
  EXPECT_EQ(e.status, 1);
  const auto json = base::parse_json(base::read_file(folder.path("r.json")), "r.json");
  EXPECT_EQ(json["failed"].GetInt(), 1);
  EXPECT_THAT(base::read_file(folder.path("r.xml")),
              HasSubstr("<testcase classname=\"backend right\" name=\"codec-request\""));
}

TEST(plugin_check, works_in_one_process) {
  const ended e = run(wrong("reporter_nothing") + " --in-process");
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_FALSE(std::filesystem::exists("count.txt")) << "reporters write to a folder of the test";
}

TEST(plugin_check, picks_a_plugin_of_a_library) {
  const ended e = run(wrong("backend_nothing") + ":right --only create");
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_THAT(e.output, HasSubstr("backend right 1.0.0"));
  const ended none = run(wrong("backend_nothing") + ":rigt");
  EXPECT_EQ(none.status, 2);
  EXPECT_THAT(none.output, HasSubstr("holds no plugin rigt; did you mean right?"));
}

TEST(plugin_check, warns_of_a_file_in_a_plugin_folder_whose_name_is_not_the_id) {
  namespace fs = std::filesystem;
  const support::temporary_folder folder;
  fs::create_directories(folder.path("backends"));
  const auto checked = [&](const std::string& name) {
    const fs::path file = folder.path("backends/" + name);
    fs::copy_file(wrong("backend_nothing"), file);
    return run("'" + file.string() + "' --only descriptor").output;
  };
  EXPECT_THAT(checked("left.so"),
              HasSubstr("warning: the name of the file, left.so, is not the id of its plugin, "
                        "right: a run finds the plugin only as left:right\n"
                        "           -> name the file right.so\n"));
  EXPECT_THAT(checked("right.so"), HasSubstr("1 passed, 0 warned"));
}

TEST(plugin_check, sets_options_and_refuses_unknown_options) {
  EXPECT_EQ(run(wrong("backend_nothing") + " --only create --set model=x").status, 0);
  const ended unknown = run(wrong("backend_nothing") + " --set modl=x");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_THAT(unknown.output, HasSubstr("there is no such option; did you mean model?"));
  const ended no_number = run(wrong("backend_counts") + " --set count=abc");
  EXPECT_EQ(no_number.status, 2);
  EXPECT_THAT(no_number.output, HasSubstr("--set count: "));
  const ended bad = run(wrong("backend_nothing") + " --set model");
  EXPECT_EQ(bad.status, 2);
  EXPECT_THAT(bad.output, HasSubstr("--set takes OPTION=VALUE, not model"));
}

TEST(plugin_check, skips_tests_that_need_a_missing_option) {
  const ended e = run(wrong("backend_create-fails") + " --only codec-events");
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_THAT(e.output,
              HasSubstr("  skipped  codec-events       create refuses: see the test create\n"));
}

TEST(plugin_check, refuses_invalid_command_lines) {
  for (const auto& [arguments, says] : std::vector<std::pair<std::string, std::string>>{
           {"", "takes a library or the id of a plugin"},
           {"/there/is/no/such.so", "cannot read"},
           {"no-such-plugin", "no plugin no-such-plugin"},
           {INFERBENCH_SOURCE "/README.md", "is not a shared library"},
           {wrong("backend_nothing") + " --only codec-cust", "did you mean codec-cuts?"},
           {wrong("backend_nothing") + " --colour", "unknown flag --colour"},
           {wrong("backend_nothing") + " --time-limit never", "--time-limit takes seconds"},
           {wrong("backend_nothing") + " --time-limit", "--time-limit needs a value"},
           {wrong("backend_nothing") + " --list=yes", "--list takes no value"},
           {wrong("backend_nothing") + " other.so", "takes one library"}}) {
    const ended e = run(arguments);
    EXPECT_EQ(e.status, 2) << arguments << e.output;
    EXPECT_THAT(e.output, HasSubstr(says));
  }
}

}  // namespace
}  // namespace inferbench::check
