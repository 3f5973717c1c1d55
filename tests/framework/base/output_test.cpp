#include "base/output.hpp"

#include <cerrno>
#include <memory>
#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace inferbench::base {
namespace {

using stream = std::unique_ptr<std::FILE, decltype(&std::fclose)>;

stream opened(const char* path) { return {std::fopen(path, "we"), &std::fclose}; }

TEST(output, passes_on_the_written_text) {
  const stream file(std::tmpfile(), &std::fclose);
  output out(file.get());
  out.write("one ");
  out.write("");
  out.write(std::string(100'000, 'x'));
  out.finish();
  EXPECT_FALSE(out.failed());
  EXPECT_EQ(std::ftell(file.get()), 100'004);
}

TEST(output, reports_why_a_text_is_lost_when_the_buffer_is_written) {
  const stream full = opened("/dev/full");
  output out(full.get());
  out.write("short");
  EXPECT_FALSE(out.failed());
  out.flush();
  EXPECT_TRUE(out.failed());
  EXPECT_EQ(out.reason(), ENOSPC);
}

TEST(output, reports_why_a_text_larger_than_the_buffer_is_lost) {
  const stream full = opened("/dev/full");
  output out(full.get());
  out.write(std::string(1'000'000, 'x'));
  EXPECT_EQ(out.reason(), ENOSPC);
}

TEST(output, keeps_the_first_reason_and_writes_no_more) {
  const stream full = opened("/dev/full");
  output out(full.get());
  out.write("lost");
  out.flush();
  errno = EPIPE;
  out.write("this too");
  out.finish();
  EXPECT_EQ(out.reason(), ENOSPC);
}

TEST(output, reports_failed_writes_of_other_code_to_the_stream) {
  const stream full = opened("/dev/full");
  output out(full.get());
  std::fputs("past it", full.get());
  EXPECT_EQ(std::fflush(full.get()), EOF);
  out.finish();
  EXPECT_TRUE(out.failed());
}

// Runs in a separate process, since the streams of this process are in use.
TEST(occupy_closed_streams_death, keeps_their_numbers_from_files_that_are_opened_later) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        ::close(STDIN_FILENO);
        ::close(STDOUT_FILENO);
        ::close(STDERR_FILENO);
        occupy_closed_streams();
        char byte = 0;
        const bool dead = ::write(STDOUT_FILENO, "x", 1) < 0 &&
                          ::write(STDERR_FILENO, "x", 1) < 0 && ::read(STDIN_FILENO, &byte, 1) < 0;
        const int next = ::open("/dev/null", O_RDONLY);
        ::_exit(dead && next > STDERR_FILENO ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace inferbench::base
