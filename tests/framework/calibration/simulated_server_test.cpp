#include "calibration/simulated_server.hpp"

#include <array>
#include <filesystem>
#include <fstream>
#include <string>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.hpp"
#include "base/fd.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::calibration {
namespace {

using ::testing::HasSubstr;

/// A script instead of the program, and a pipe whose other end the script holds: reading from it
/// waits for the script's end.
class simulated_server_test : public ::testing::Test {
 protected:
  void SetUp() override {
    program = folder / "program";
    std::array<int, 2> ends{};
    ASSERT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    life = base::fd(ends[0]);
    held = base::fd(ends[1]);
  }

  void does(const std::string& lines) const {
    std::ofstream(program) << "#!/bin/sh\n" << lines << "\n";
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  }

  std::string refusal() {
    try {
      simulated_server server(program, {"--ttft", "1ms"}, held.get());
      server.stop();
    } catch (const base::error& e) {
      return e.what();
    }
    return {};
  }

  void expect_dead() {
    held.reset();
    char byte = 0;
    EXPECT_EQ(::read(life.get(), &byte, 1), 0);
  }

  // Beside the program, because TMPDIR may be on a file system that executes nothing.
  support::temporary_folder files{std::filesystem::path(INFERBENCH_BINARY).parent_path()};
  const std::filesystem::path& folder = files.root;
  std::filesystem::path program;
  base::fd life, held;
};

constexpr const char* obedient =
    "trap 'exit 0' TERM\n"
    "echo listening on http://127.0.0.1:7\n"
    "while :; do sleep 0.01; done";
constexpr const char* stubborn =
    "trap '' TERM\n"
    "echo listening on http://127.0.0.1:7\n"
    "while :; do sleep 0.01; done";

TEST_F(simulated_server_test, prints_its_address_and_ends_on_request) {
  does(obedient);
  simulated_server server(program, {}, held.get());
  EXPECT_EQ(server.url(), "http://127.0.0.1:7");
  server.stop();
  expect_dead();
}

TEST_F(simulated_server_test, gets_its_flags_and_the_descriptor) {
  // The shell takes only one digit after >&.
  does("echo \"$@\" >/proc/self/fd/" + std::to_string(held.get()) + "\n" + obedient);
  simulated_server server(program, {"--ttft", "1ms"}, held.get());
  std::array<char, 200> said{};
  ASSERT_GT(::read(life.get(), said.data(), said.size() - 1), 0);
  EXPECT_STREQ(said.data(), "simulate --host 127.0.0.1 --port 0 --ttft 1ms\n");
}

TEST_F(simulated_server_test, dies_with_its_object) {
  does(stubborn);
  {
    const simulated_server server(program, {}, held.get());
  }
  expect_dead();
}

TEST_F(simulated_server_test, dies_with_the_process_that_started_it) {
  does(obedient);
  const pid_t other = ::fork();
  if (other == 0) {
    const simulated_server server(program, {}, held.get());
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(other, &status, 0), other);
  EXPECT_EQ(status, 0);
  expect_dead();
}

TEST_F(simulated_server_test, that_does_not_come_up_or_end_well_is_an_error) {
  EXPECT_EQ(refusal(), "the built-in simulator did not start; cannot start " + program.string() +
                           ": No such file or directory");
  does("exit 0");
  EXPECT_EQ(refusal(), "the built-in simulator did not start");
  does("echo hello");
  EXPECT_EQ(refusal(), "the built-in simulator answers \"hello\"");
  does("trap 'exit 3' TERM\necho listening on x\nwhile :; do sleep 0.01; done");
  EXPECT_EQ(refusal(), "the built-in simulator did not end well");
  does("echo listening on x\nkill -9 $$");
  EXPECT_EQ(refusal(), "the built-in simulator did not end well");
  expect_dead();
}

}  // namespace
}  // namespace inferbench::calibration
