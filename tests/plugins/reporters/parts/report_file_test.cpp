#include "reporters/common/report_file.hpp"

#include <csignal>
#include <fstream>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <inferbench/guard.hpp>

#include "support/temporary_folder.hpp"

namespace {

using inferbench::support::temporary_folder;

std::string content_of(const std::string& file) {
  std::ostringstream out;
  out << std::ifstream(file, std::ios::binary).rdbuf();
  return out.str();
}

TEST(growing_file, lines_can_be_read_while_the_file_grows) {
  const temporary_folder files;
  files.write("r", "an earlier, longer file");
  reporters::growing_file file(files.path("r"));
  EXPECT_EQ(content_of(files.path("r")), "");
  file.write("one\n");
  file.write("two\n");
  EXPECT_EQ(content_of(files.path("r")), "one\ntwo\n");
  file.close();
}

TEST(growing_file, what_was_written_stays_if_nobody_closes_the_file) {
  const temporary_folder files;
  {
    reporters::growing_file(files.path("r")).write("one\n");
  }
  EXPECT_EQ(content_of(files.path("r")), "one\n");
}

TEST(growing_file, a_write_that_fails_leaves_whole_lines) {
  const temporary_folder files;
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  reporters::growing_file file(files.path("r"));
  file.write("one\n");
  rlimit small = before;
  small.rlim_cur = 8;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  EXPECT_THROW(file.write("a line that is too long\n"), ifb::failure);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(content_of(files.path("r")), "one\n");
}

TEST(report_path, a_folder_or_nothing_is_no_file) {
  const temporary_folder files;
  EXPECT_EQ(reporters::report_path({"a.csv"}), "a.csv");
  EXPECT_THROW((void)reporters::report_path({""}), ifb::failure);
  EXPECT_THROW((void)reporters::report_path({files.path()}), ifb::failure);
}

}  // namespace
