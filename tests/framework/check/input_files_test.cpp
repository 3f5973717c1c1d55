// Files that a user passes to the test kit, for the plugin to read.
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "framework/check/program.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::check {
namespace {

using ::testing::HasSubstr;

TEST(right_library, that_reads_a_file_tolerates_a_damaged_file) {
  const ended e =
      run(wrong("file_nothing") + " --set path=" INFERBENCH_SOURCE
                                  "/tests/framework/check/lines.txt --only files --only dataset");
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_THAT(e.output, HasSubstr("passed   files-damaged"));
}

TEST(plugin_check, damages_copies_of_files_below_a_folder) {
  const support::temporary_folder folder;
  folder.write("blob", "7 hello\n");
  std::filesystem::create_directories(folder.path("in/below"));
  std::filesystem::create_symlink(folder.path("blob"), folder.path("in/linked.txt"));
  std::filesystem::create_symlink("/dev/null", folder.path("in/device"));
  std::filesystem::create_directory_symlink(folder.path("in"), folder.path("in/below/round"));
  const ended e =
      run(wrong("file_nothing") + " --only files --set path=" + folder.quoted("in/below/.."));
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_THAT(e.output, HasSubstr("passed   files-damaged"));
  EXPECT_THAT(e.output, HasSubstr(" times something was damaged"));
  EXPECT_EQ(base::read_file(folder.path("blob")), "7 hello\n");
}

TEST(plugin_check, damages_small_files_and_leaves_out_large_ones) {
  const support::temporary_folder folder;
  folder.write("large", std::string(5U << 20U, '\n'));
  const ended e =
      run(wrong("file_second") + " --only files-damaged --set path=" + folder.quoted("large") +
          " --set other=" INFERBENCH_SOURCE "/tests/framework/check/lines.txt");
  EXPECT_EQ(e.status, 1) << e.output;
  EXPECT_THAT(e.output, HasSubstr("crashed  files-damaged"));
  const ended alone =
      run(wrong("file_nothing") + " --only files-damaged --set path=" + folder.quoted("large"));
  EXPECT_THAT(alone.output,
              HasSubstr("skipped  files-damaged      path is left alone: there is too much below"));
}

TEST(plugin_check, lets_a_plugin_make_the_folder_that_it_writes_to) {
  const support::temporary_folder folder;
  const ended e = run(wrong("file_makes") +
                      " --only files --set path=" INFERBENCH_SOURCE
                      "/tests/framework/check/lines.txt --set other=" +
                      folder.quoted());
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_THAT(e.output, HasSubstr("passed   files-missing"));
  EXPECT_THAT(e.output, HasSubstr("other is left alone: there is nothing in "));
}

TEST(plugin_check, notices_the_end_of_a_call_without_its_file) {
  const ended e = run(wrong("engine_reads") + " --only files --set file=" INFERBENCH_SOURCE
                                              "/tests/framework/check/lines.txt");
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_THAT(e.output, HasSubstr("passed   files-missing"));
}

TEST(plugin_check, reports_that_no_call_of_an_engine_succeeded) {
  const ended e = run(wrong("engine_reads") + " --only engine-events --set file=/nowhere");
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_THAT(e.output, HasSubstr("no call ended with on_done"));
}

TEST(plugin_check, damages_no_device) {
  const ended e = run(wrong("file_nothing") + " --only files --set path=/dev/null");
  EXPECT_EQ(e.status, 0) << e.output;
  EXPECT_THAT(e.output, HasSubstr("skipped  files-damaged"));
}

}  // namespace
}  // namespace inferbench::check
