#include "supervise/supervised_process.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <fstream>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child_process.hpp"
#include "base/error.hpp"
#include "base/fd.hpp"
#include "base/text.hpp"
#include "supervise/children.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::supervise {
namespace {

using testing::HasSubstr;

const auto never = supervised_process::time_point::max();
const supervised_process::time_point long_ago{};

/// Lines of sh as a supervised program, and its text.
class supervised_shell {
 public:
  explicit supervised_shell(const std::string& lines, std::vector<std::string> environment = {}) {
    process = std::make_unique<supervised_process>(
        program{.words = {"sh", "-c", lines},
                .extra_environment = std::move(environment),
                .on_text = [this](stream from, std::string_view text) { hear(from, text); }});
  }

  /// Waits until the program has written `text` to standard output.
  void await(const std::string& text) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return heard_[0].find(text) != std::string::npos; });
  }
  std::string heard(stream from = stream::output) {
    const std::lock_guard lock(mutex_);
    return heard_[static_cast<std::size_t>(from)];
  }
  int status() { return process->wait_until(never).value_or(-1); }

 private:
  void hear(stream from, std::string_view text) {
    const std::lock_guard lock(mutex_);
    heard_[static_cast<std::size_t>(from)] += text;
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::array<std::string, 2> heard_;

 public:
  std::unique_ptr<supervised_process> process;  // last: its thread calls hear()
};

bool exists(pid_t id) { return ::kill(id, 0) == 0 || errno != ESRCH; }

pid_t parent_of(pid_t id) {
  return parse_process(base::read_file("/proc/" + std::to_string(id) + "/stat")).parent;
}

/// Starts processes in the ways in which programs get rid of their parents, and writes their ids to
/// the file $PIDS: in the background, in a session of its own, as a daemon with a child, and with
/// SIGHUP ignored.
constexpr const char* family =
    "note() { echo $! >>\"$PIDS\"; }\n"
    "echo $$ >>\"$PIDS\"\n"
    "sleep 1000 & note\n"
    "setsid sh -c 'echo $$ >>\"$PIDS\"; echo >\"$PIDS.1\"; exec sleep 1000' &\n"
    "(setsid sh -c 'sleep 1000 & echo $! $$ >>\"$PIDS\"; echo >\"$PIDS.2\"; wait' &)\n"
    "nohup sleep 1000 >/dev/null 2>&1 & note\n"
    "while [ ! -e \"$PIDS.1\" ] || [ ! -e \"$PIDS.2\" ]; do sleep 0.01; done\n";

std::vector<pid_t> ids_in(const std::string& file) {
  std::vector<pid_t> out;
  std::ifstream in(file);
  for (pid_t id = 0; in >> id;)
    out.push_back(id);
  return out;
}

TEST(supervised_process, gives_its_output_and_its_status) {
  supervised_shell ran("echo hello; echo $WORD >&2; exit 3", {"WORD=a = b"});
  const int status = ran.status();
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 3);
  EXPECT_EQ(ran.heard(), "hello\n");
  EXPECT_EQ(ran.heard(stream::error), "a = b\n");
  EXPECT_THAT(ran.process->last_lines(5), testing::AnyOf("hello\na = b", "a = b\nhello"));
  EXPECT_EQ(ran.status(), status);
}

TEST(supervised_process, knows_when_its_program_was_started) {
  const auto before = std::chrono::steady_clock::now();
  const supervised_shell shell("exit 0");
  EXPECT_GT(shell.process->started(), before);
  EXPECT_LT(shell.process->started(), std::chrono::steady_clock::now());
}

TEST(supervised_process, has_all_variables_of_ours_and_the_given_ones_instead_of_ours) {
  ASSERT_EQ(::setenv("SUPERVISED_TEST_A", "1", 1), 0);
  ASSERT_EQ(::setenv("SUPERVISED_TEST_AB", "2", 1), 0);
  supervised_shell ran("env | grep ^SUPERVISED_TEST | sort", {"SUPERVISED_TEST_A=3"});
  EXPECT_EQ(ran.status(), 0);
  EXPECT_EQ(ran.heard(), "SUPERVISED_TEST_A=3\nSUPERVISED_TEST_AB=2\n");
}

TEST(supervised_process, that_dies_of_a_signal_reports_the_signal) {
  supervised_shell ran("kill -SEGV $$");
  EXPECT_EQ(status_text(ran.status()), "Segmentation fault (signal 11)");
}

TEST(supervised_process, gives_all_of_a_long_output) {
  supervised_shell ran("head -c 3000000 /dev/zero; head -c 1000000 /dev/zero >&2");
  EXPECT_EQ(ran.status(), 0);
  EXPECT_EQ(ran.heard().size(), 3'000'000U);
  EXPECT_EQ(ran.heard(stream::error).size(), 1'000'000U);
}

TEST(supervised_process, of_a_program_that_cannot_be_started_is_an_error) {
  const auto refusal =
      [](const std::string& name,
         std::vector<std::string> by = {"/proc/self/exe", "supervise"}) -> std::string {
    try {
      const supervised_process process(program{.words = {name}, .supervisor = std::move(by)});
    } catch (const base::error& e) {
      return e.what();
    }
    return "none";
  };
  EXPECT_EQ(refusal("/there/is/none"), "cannot start /there/is/none: No such file or directory");
  EXPECT_EQ(refusal("no-such-program-in-the-path"),
            "cannot start no-such-program-in-the-path: No such file or directory");
  EXPECT_EQ(refusal("/etc/passwd"), "cannot start /etc/passwd: Permission denied");
  EXPECT_EQ(refusal("true", {"/there/is/none"}),
            "cannot start /there/is/none: No such file or directory");
  EXPECT_EQ(refusal("true", {"/bin/true"}),
            "cannot start true: the process that supervises it has ended at once");
  EXPECT_EQ(refusal("true", {"sh", "-c", "echo no luck >&2", "sh"}), "cannot start true: no luck");
  EXPECT_THROW(supervised_process(program{}), base::error);
  // No supervisor is left as a zombie.
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
}

TEST(supervised_process, is_not_waited_for_longer_than_until_the_deadline) {
  const supervised_shell ran("sleep 1000");
  EXPECT_EQ(ran.process->wait_until(long_ago), std::nullopt);
}

TEST(supervised_process, leads_a_session_and_inherits_three_descriptors_only) {
  const base::fd open(::open("/dev/null", O_RDONLY));  // without O_CLOEXEC
  // A pattern such as /proc/$$/fd/* would make the shell open a descriptor.
  supervised_shell ran(
      "n=0; while [ $n -lt 64 ]; do [ -e /proc/$$/fd/$n ] && echo $n; n=$((n+1)); done\n"
      "echo listed; sleep 1000");
  ran.await("listed");
  EXPECT_EQ(ran.heard(), "0\n1\n2\nlisted\n");
  const pid_t id = ran.process->id();
  EXPECT_EQ(::getpgid(id), id);
  EXPECT_EQ(::getsid(id), id);
}

TEST(supervised_process, has_no_signal_blocked_or_ignored) {
  // exec, because a shell blocks signals while it starts a process.
  supervised_shell ran("exec grep -E '^Sig(Blk|Ign)' /proc/self/status");
  EXPECT_EQ(ran.status(), 0);
  EXPECT_EQ(ran.heard(), "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
}

TEST(supervised_process, gets_signals_with_its_group) {
  supervised_shell ran("trap 'exit 7' TERM; echo ready; while :; do sleep 0.01; done");
  ran.await("ready");
  ran.process->signal(SIGTERM);
  EXPECT_EQ(status_text(ran.status()), "exit status 7");
  ran.process->signal(SIGTERM);  // has no effect
}

TEST(supervised_process, is_killed_with_all_processes_that_it_has_started) {
  const support::temporary_folder files;
  supervised_shell ran(std::string(family) + "echo ready; trap '' TERM; wait",
                       {"PIDS=" + files.path("pids")});
  ran.await("ready");
  const std::vector<pid_t> ids = ids_in(files.path("pids"));
  ASSERT_EQ(ids.size(), 6U);
  for (const pid_t id : ids)
    EXPECT_TRUE(exists(id)) << id;
  ran.process->kill();
  for (const pid_t id : ids)
    EXPECT_FALSE(exists(id)) << id;
  EXPECT_EQ(status_text(ran.status()), "Killed (signal 9)");
}

TEST(supervised_process, that_ends_leaves_no_process_behind) {
  const support::temporary_folder files;
  supervised_shell ran(std::string(family) + "exit 5", {"PIDS=" + files.path("pids")});
  EXPECT_EQ(status_text(ran.status()), "exit status 5");
  const std::vector<pid_t> ids = ids_in(files.path("pids"));
  ASSERT_EQ(ids.size(), 6U);
  for (const pid_t id : ids)
    EXPECT_FALSE(exists(id)) << id;
}

TEST(supervised_process, that_starts_processes_without_end_is_killed) {
  supervised_shell ran(
      "storm() { echo running; while :; do sleep 0.001 & done; }; storm & storm & "
      "(setsid sh -c 'while :; do sleep 0.001 & done' &) ; wait");
  ran.await("running");
  ran.process->kill();
  EXPECT_EQ(status_text(ran.status()), "Killed (signal 9)");
}

// The whole family holds the writing end of a FIFO: the end of file proves that the family is gone.
TEST(supervised_process, ends_with_all_its_processes_when_our_process_is_killed) {
  const support::temporary_folder files;
  const std::string fifo = files.path("fifo");
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const base::fd life(::open(fifo.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  base::pipe_ends said = base::make_pipe();
  base::child_process parent({.words = {"/proc/self/exe", "parent", "sh", "-c",
                                        "exec 9>'" + fifo + "'; PIDS='" + files.path("pids") +
                                            "'; export PIDS\n" + family + "echo ready; wait"},
                              .descriptors = {{STDOUT_FILENO, said.writing.get()}}});
  said.writing.reset();
  base::child_output output{.reading = std::move(said.reading), .most = 1000};
  while (output.text.find("ready") == std::string::npos)
    ASSERT_EQ(base::read_some({&output, 1}, never), base::read_result::more);
  ASSERT_EQ(ids_in(files.path("pids")).size(), 6U);
  parent.signal(SIGKILL);
  pollfd waiting{life.get(), 0, 0};  // POLLHUP only: no process writes to the FIFO
  ASSERT_EQ(::poll(&waiting, 1, 60'000), 1) << "a process lives on";
}

TEST(supervised_process, survives_signals_of_the_terminal_to_its_supervisor) {
  supervised_shell ran("trap 'exit 7' USR1; echo ready; while :; do sleep 0.01; done");
  ran.await("ready");
  const pid_t supervisor = parent_of(ran.process->id());
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP})
    EXPECT_EQ(::kill(supervisor, number), 0);
  ran.process->signal(SIGUSR1);
  EXPECT_EQ(status_text(ran.status()), "exit status 7");
}

TEST(supervised_process, dies_with_its_supervisor_and_its_group_too) {
  const support::temporary_folder files;
  supervised_shell ran("sleep 1000 & echo $! >'" + files.path("pids") + "'; echo ready; wait");
  ran.await("ready");
  EXPECT_EQ(::kill(parent_of(ran.process->id()), SIGKILL), 0);
  EXPECT_EQ(status_text(ran.status()), "Killed (signal 9)");
  EXPECT_EQ(ran.process->last_lines(1),
            "inferbench: somebody has ended the process that supervises sh, so sh was ended, too");
  EXPECT_THAT(ran.heard(stream::error), HasSubstr("so sh was ended, too\n"));
}

TEST(supervised_process, is_killed_even_if_its_supervisor_was_stopped) {
  supervised_shell ran("echo ready; sleep 1000");
  ran.await("ready");
  const pid_t id = ran.process->id();
  EXPECT_EQ(::kill(parent_of(id), SIGSTOP), 0);
  ran.process->kill();
  EXPECT_FALSE(exists(id));
}

TEST(supervised_process, does_not_keep_another_one_alive) {
  supervised_shell first("echo ready; sleep 1000");
  first.await("ready");
  const supervised_shell second("sleep 1000");
  const pid_t id = first.process->id();
  first.process.reset();
  EXPECT_FALSE(exists(id));
  EXPECT_EQ(second.process->wait_until(long_ago), std::nullopt);
}

TEST(status_text, names_the_status_or_the_signal) {
  EXPECT_EQ(status_text(3 << 8), "exit status 3");
  EXPECT_EQ(status_text(0), "exit status 0");
  EXPECT_EQ(status_text(SIGKILL), "Killed (signal 9)");
  EXPECT_EQ(status_text(40), "signal 40");
}

}  // namespace
}  // namespace inferbench::supervise
