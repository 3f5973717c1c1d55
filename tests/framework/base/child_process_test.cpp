#include "base/child_process.hpp"

#include <algorithm>
#include <array>
#include <csignal>
#include <map>
#include <optional>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "base/error.hpp"

namespace inferbench::base {
namespace {

using testing::HasSubstr;
using testing::Not;

const auto never = child_process::time_point::max();
const child_process::time_point long_ago{};

child_setup with_descriptors(std::map<int, int> descriptors) {
  child_setup out;
  out.descriptors = std::move(descriptors);
  return out;
}

/// Runs lines of sh and reads their standard output through a pipe.
struct shell {
  explicit shell(const std::string& lines, child_setup setup = {}) {
    pipe_ends pipe = make_pipe();
    setup.words = {"sh", "-c", lines};
    setup.descriptors.emplace(STDOUT_FILENO, pipe.writing.get());
    child.emplace(setup);
    output.reading = std::move(pipe.reading);
  }
  std::string text() {
    EXPECT_TRUE(read_all({&output, 1}, never));
    return output.text;
  }
  int status() {
    EXPECT_TRUE(child->wait_until(never));
    return child->status();
  }

  child_output output{.most = 100'000};
  std::optional<child_process> child;
};

TEST(child_process, gives_its_output_and_its_status) {
  shell ran("echo hello; exit 3");
  EXPECT_EQ(ran.text(), "hello\n");
  const int status = ran.status();
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 3);
}

TEST(child_process, that_dies_of_a_signal_reports_the_signal) {
  shell ran("kill -SEGV $$");
  const int status = ran.status();
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(signal_text(WTERMSIG(status)), "Segmentation fault");
  EXPECT_EQ(signal_text(SIGRTMIN + 6), "signal " + std::to_string(SIGRTMIN + 6));
}

TEST(child_process, gets_its_arguments_untouched) {
  pipe_ends pipe = make_pipe();
  child_process child({.words = {"/usr/bin/printf", "<%s>", "a b", "", "\"c\"", "$HOME *"},
                       .descriptors = {{STDOUT_FILENO, pipe.writing.get()}}});
  pipe.writing.reset();
  child_output output{.reading = std::move(pipe.reading), .most = 100};
  EXPECT_TRUE(read_all({&output, 1}, never));
  EXPECT_EQ(output.text, "<a b><><\"c\"><$HOME *>");
}

TEST(child_process, of_a_program_that_cannot_be_started_is_an_error) {
  const auto refusal = [](const std::string& program) -> std::string {
    try {
      const child_process child({.words = {program, "x"}});
    } catch (const error& e) {
      return e.what();
    }
    return "none";
  };
  EXPECT_EQ(refusal("/there/is/none"), "cannot start /there/is/none: No such file or directory");
  EXPECT_EQ(refusal("no-such-program-in-the-path"),
            "cannot start no-such-program-in-the-path: No such file or directory");
  EXPECT_EQ(refusal("/etc/passwd"), "cannot start /etc/passwd: Permission denied");
  // A child that failed is reaped.
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(child_process, reads_nothing_of_our_standard_input) {
  shell ran("cat; echo over");
  EXPECT_EQ(ran.text(), "over\n");
}

TEST(child_process, has_the_descriptors_that_it_is_given_and_none_that_close_on_exec) {
  const pipe_ends ours = make_pipe();
  const fd high(::fcntl(ours.reading.get(), F_DUPFD_CLOEXEC, 50));
  shell ran("for n in 0 1 2 3 7 " + std::to_string(high.get()) +
                "; do [ -e /proc/$$/fd/$n ] && echo $n $(readlink /proc/$$/fd/$n); done; :",
            with_descriptors({{3, ours.writing.get()},
                              {7, ours.reading.get()},
                              {STDERR_FILENO, child_setup::null_device}}));
  const std::string text = ran.text();
  EXPECT_THAT(text, HasSubstr("0 /dev/null\n1 pipe:"));
  EXPECT_THAT(text, HasSubstr("\n2 /dev/null\n3 pipe:"));
  EXPECT_THAT(text, HasSubstr("\n7 pipe:"));
  EXPECT_THAT(text, Not(HasSubstr("\n" + std::to_string(high.get()) + " ")));
}

// Each of the two descriptors gets the number of the other descriptor in the child.
TEST(child_process, may_get_descriptors_of_ours_that_change_places) {
  const pipe_ends first = make_pipe();
  const pipe_ends second = make_pipe();
  const int a = first.writing.get();
  const int b = second.writing.get();
  if (std::max(a, b) > 9) GTEST_SKIP() << "sh takes only one digit after >&";
  shell ran("echo first >&" + std::to_string(b) + "; echo second >&" + std::to_string(a),
            with_descriptors({{a, b}, {b, a}}));
  ASSERT_EQ(ran.status(), 0);
  std::array<char, 20> text{};
  EXPECT_EQ(::read(first.reading.get(), text.data(), text.size()), 6);
  EXPECT_EQ(::read(second.reading.get(), text.data(), text.size()), 7);
}

TEST(child_process, keeps_a_descriptor_under_its_number) {
  const pipe_ends ours = make_pipe();
  const int number = ours.writing.get();
  if (number > 9) GTEST_SKIP() << "sh takes only one digit after >&";
  shell ran("echo here >&" + std::to_string(number), with_descriptors({{number, number}}));
  ASSERT_EQ(ran.status(), 0);
  std::array<char, 20> text{};
  EXPECT_EQ(::read(ours.reading.get(), text.data(), text.size()), 5);
}

TEST(child_process, has_our_environment_or_that_which_is_named) {
  ::setenv("INFERBENCH_TEST_OF_A_CHILD", "ours", 1);
  EXPECT_EQ(shell("echo $INFERBENCH_TEST_OF_A_CHILD").text(), "ours\n");
  child_setup setup;
  setup.environment = {"INFERBENCH_TEST_OF_A_CHILD=theirs", "OTHER=x"};
  EXPECT_EQ(shell("echo $INFERBENCH_TEST_OF_A_CHILD $OTHER", setup).text(), "theirs x\n");
  ::unsetenv("INFERBENCH_TEST_OF_A_CHILD");
}

TEST(child_process, begins_with_no_signal_blocked_or_ignored) {
  sigset_t blocked;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGUSR1);
  ::pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
  ::signal(SIGUSR2, SIG_IGN);
  for (const int number : {SIGUSR1, SIGUSR2}) {
    shell ran("kill -" + std::to_string(number) + " $$; exit 0");
    const int status = ran.status();
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == number) << number;
  }
  ::signal(SIGUSR2, SIG_DFL);
  ::pthread_sigmask(SIG_UNBLOCK, &blocked, nullptr);
}

TEST(child_process, that_goes_on_is_waited_for_until_the_deadline_and_can_be_killed) {
  shell ran("exec sleep 1000");
  EXPECT_FALSE(ran.child->wait_until(long_ago));
  EXPECT_EQ(read_some({&ran.output, 1}, long_ago), read_result::timed_out);
  EXPECT_FALSE(read_all({&ran.output, 1}, long_ago));
  ran.child->kill();
  EXPECT_EQ(WTERMSIG(ran.child->status()), SIGKILL);
  ran.child->kill();  // a second call makes no difference
  EXPECT_TRUE(ran.child->wait_until(long_ago));
}

TEST(child_process, gets_signals_together_with_its_own_children) {
  // `sh -c` starts a new sh: a fork of the first sh would lose a signal that comes before its exec.
  shell ran("trap 'wait; exit 4' TERM; sh -c 'echo up; exec sleep 1000' & wait");
  while (ran.output.text.empty())
    ASSERT_EQ(read_some({&ran.output, 1}, never), read_result::more);
  ran.child->signal(SIGTERM);
  EXPECT_EQ(WEXITSTATUS(ran.status()), 4);
  EXPECT_EQ(ran.text(), "up\n");
}

TEST(child_process, leaves_no_process_of_its_group_when_it_ends) {
  shell ran("sleep 1000 & echo up");
  EXPECT_EQ(ran.status(), 0);
  EXPECT_EQ(ran.text(), "up\n");  // sleep was killed, so its end of the pipe is closed
}

TEST(child_process, dies_with_its_object) {
  shell ran("sleep 1000 & echo up; wait");
  while (ran.output.text.empty())
    ASSERT_EQ(read_some({&ran.output, 1}, never), read_result::more);
  ran.child.reset();
  EXPECT_EQ(ran.text(), "up\n");
}

TEST(child_process, gets_a_signal_when_the_thread_that_started_it_ends) {
  std::optional<shell> ran;
  child_setup setup;
  setup.signal_at_our_end = SIGTERM;
  std::thread([&] { ran.emplace("exec sleep 1000", setup); }).join();
  EXPECT_EQ(WTERMSIG(ran->status()), SIGTERM);
}

TEST(child_process, started_beside_others_does_not_keep_their_pipes_open) {
  constexpr int each = 5;
  std::vector<std::thread> threads;
  std::array<std::vector<shell>, 4> sleeping;  // must live until all other outputs have been read
  for (std::vector<shell>& mine : sleeping)
    threads.emplace_back([&mine] {
      for (int i = 0; i < each; ++i) {
        mine.emplace_back("exec sleep 1000");
        EXPECT_EQ(shell("echo x").text(), "x\n");
      }
    });
  for (std::thread& thread : threads)
    thread.join();
}

TEST(child_output, holds_no_more_than_it_may_and_lets_the_child_go_on) {
  pipe_ends pipe = make_pipe();
  child_process child({.words = {"sh", "-c", "head -c 1000000 /dev/zero; exit 3"},
                       .descriptors = {{STDOUT_FILENO, pipe.writing.get()}}});
  pipe.writing.reset();
  child_output output{.reading = std::move(pipe.reading), .most = 100'001};
  EXPECT_TRUE(read_all({&output, 1}, never));
  EXPECT_EQ(output.text, std::string(100'001, '\0'));
  EXPECT_TRUE(child.wait_until(never));
  EXPECT_EQ(WEXITSTATUS(child.status()), 3);
}

TEST(child_output, of_several_pipes_is_read_in_turn) {
  pipe_ends first = make_pipe();
  pipe_ends second = make_pipe();
  child_process child({.words = {"sh", "-c", "head -c 200000 /dev/zero; echo x >&2"},
                       .descriptors = {{STDOUT_FILENO, first.writing.get()},
                                       {STDERR_FILENO, second.writing.get()}}});
  first.writing.reset();
  second.writing.reset();
  std::array<child_output, 2> outputs = {
      child_output{.reading = std::move(second.reading), .most = 10},
      child_output{.reading = std::move(first.reading), .most = 10}};
  EXPECT_TRUE(read_all(outputs, never));
  EXPECT_EQ(outputs[0].text, "x\n");
  EXPECT_EQ(outputs[1].text, std::string(10, '\0'));
}

}  // namespace
}  // namespace inferbench::base
