#include "engines/python-engine/worker_process.hpp"

#include <array>
#include <cerrno>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine_host.hpp"

namespace python_engine {
namespace {

using steady = std::chrono::steady_clock;

worker_command shell(const std::string& script) { return {{"sh", "-c", script}}; }

int status_of(worker_process& process) {
  return process.wait_until(worker_process::time_point::max()).value_or(-1);
}

void wait_for_the_end_of(pid_t process) {
  while (::kill(process, 0) == 0)
    ::sched_yield();
}

TEST(worker_process, has_the_socket_as_descriptor_3_and_no_other) {
  worker_process process(
      shell("echo text; ls /proc/self/fd; read line <&3; echo \"got $line\" >&2"));
  const descriptor socket = process.take_socket();
  ASSERT_EQ(::write(socket.get(), "hello\n", 6), 6);
  EXPECT_EQ(status_of(process), 0);
  // The last number is the folder that ls reads.
  EXPECT_EQ(process.last_lines(9), "text\n0\n1\n2\n3\n4\ngot hello");
}

TEST(worker_process, has_its_own_session_and_an_extra_environment) {
  worker_command command = shell("echo $X; cat /proc/$$/stat | cut -d' ' -f5,6; echo $$");
  command.extra_environment = {"X=from us"};
  worker_process process(std::move(command));
  EXPECT_EQ(status_of(process), 0);
  const std::string id = std::to_string(process.id());
  EXPECT_EQ(process.last_lines(9), "from us\n" + id + " " + id + "\n" + id);
}

TEST(worker_process, has_an_end_with_a_text) {
  worker_process fails(shell("exit 3"));
  EXPECT_EQ(status_text(status_of(fails)), "exit status 3");
  worker_process killed(shell("kill -9 $$"));
  EXPECT_EQ(status_text(status_of(killed)), "signal 9 (Killed)");
  worker_process waits(shell("sleep 1000"));
  EXPECT_FALSE(waits.wait_until(steady::now()));
}

TEST(worker_process, takes_its_children_with_it) {
  worker_process process(shell("sleep 1000 & echo $!; wait"));
  while (process.last_lines(1).empty())
    ::sched_yield();
  const pid_t child = std::stoi(process.last_lines(1));
  process.kill();
  EXPECT_EQ(::kill(child, 0), -1);
  EXPECT_EQ(::kill(process.id(), 0), -1);
}

TEST(worker_process, ends_if_this_process_is_killed) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const pid_t us = ::fork();
  if (us == 0) {
    try {
      const worker_process process(shell("sleep 1000 & sleep 1000"));
      const pid_t id = process.id();
      static_cast<void>(!::write(ends[1], &id, sizeof id));
      ::raise(SIGKILL);
    } catch (...) {  // there are too many processes
    }
    ::_exit(1);
  }
  ::close(ends[1]);  // so that the end of our copy ends the wait for its id
  pid_t worker = 0;
  ASSERT_EQ(::read(ends[0], &worker, sizeof worker), static_cast<ssize_t>(sizeof worker));
  ASSERT_GT(worker, 1);
  EXPECT_EQ(::waitpid(us, nullptr, 0), us);
  wait_for_the_end_of(worker);
  ::close(ends[0]);
}

TEST(worker_process, survives_the_end_of_its_warden_only_as_a_killed_program) {
  worker_process process(shell("echo $PPID; sleep 1000"));
  while (process.last_lines(1).empty())
    ::sched_yield();
  ::kill(std::stoi(process.last_lines(1)), SIGKILL);
  EXPECT_EQ(status_text(status_of(process)), "signal 9 (Killed)");
}

TEST(worker_process, that_does_not_exist_is_refused) {
  EXPECT_EQ(engine_test::message_of([] { worker_process({{"no-such-program"}}); }),
            "cannot start no-such-program: No such file or directory");
}

}  // namespace
}  // namespace python_engine
