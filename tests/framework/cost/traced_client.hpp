// A child process whose system calls are counted with ptrace. The child stops before each wait for
// events (epoll_wait and its variants). The parent can then make one event ready as the server, so
// each wait finds exactly one event, whatever the speed of the machine.
#pragma once

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <functional>
#include <map>

#include <gtest/gtest.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace inferbench::cost {

/// Traces one child process; the destructor kills the child if it still runs. The thread that
/// creates the object must make all calls, because ptrace accepts no other thread.
class traced_client {
 public:
  /// Forks, and runs `body` in the child as soon as the parent calls to_next_wait(). The result of
  /// `body` becomes the exit status of the child.
  explicit traced_client(const std::function<int()>& body) {
    child_ = ::fork();
    if (child_ == 0) {
      // The child exits before it stops, so the parent's allowed() is false.
      if (::ptrace(PTRACE_TRACEME, 0, nullptr, nullptr) != 0) ::_exit(not_allowed);
      ::raise(SIGSTOP);
      ::_exit(body());
    }
    int status = 0;
    if (child_ < 0 || ::waitpid(child_, &status, 0) != child_) return;
    if (has_ended(status)) return;
    allowed_ = ::ptrace(PTRACE_SETOPTIONS, child_, nullptr,
                        PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL) == 0;
  }

  traced_client(const traced_client&) = delete;
  traced_client& operator=(const traced_client&) = delete;
  ~traced_client() {
    if (child_ <= 0 || exit_status >= 0) return;
    ::kill(child_, SIGKILL);
    ::waitpid(child_, nullptr, 0);
  }

  /// False if this system does not allow tracing.
  [[nodiscard]] bool allowed() const { return allowed_; }

  /// Continues the child. Returns true when the child is about to wait for events, and false when
  /// it has ended or can no longer be traced.
  [[nodiscard]] bool to_next_wait() {
    for (;;) {
      int status = 0;
      if (::ptrace(PTRACE_SYSCALL, child_, nullptr, signal_) != 0 ||
          ::waitpid(child_, &status, 0) != child_)
        return false;
      signal_ = 0;
      if (has_ended(status)) return false;
      // SIGTRAP | 0x80 is a stop at a system call; the child gets every other signal.
      if (WSTOPSIG(status) != (SIGTRAP | 0x80)) {
        signal_ = WSTOPSIG(status);
        continue;
      }
      __ptrace_syscall_info info{};
      if (::ptrace(PTRACE_GET_SYSCALL_INFO, child_, sizeof info, &info) <= 0) return false;
      if (info.op != PTRACE_SYSCALL_INFO_ENTRY) continue;
      const auto number = static_cast<long>(info.entry.nr);
      ++calls[number];
      if (waits(number)) return true;
    }
  }

  /// Returns the number of system calls of all kinds so far.
  [[nodiscard]] std::uint64_t all_calls() const {
    std::uint64_t sum = 0;
    for (const auto& [number, times] : calls)
      sum += times;
    return sum;
  }

  std::map<long, std::uint64_t> calls;  // number of calls so far, by system call number
  int exit_status = -1;  // -1 while the child runs; 128 + number of the signal that killed it

 private:
  static constexpr int not_allowed = 77;

  /// If the child has ended, sets exit_status. The child's id is then free for another process, so
  /// the destructor must not kill it.
  bool has_ended(int status) {
    if (WIFEXITED(status)) exit_status = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) exit_status = 128 + WTERMSIG(status);
    return !WIFSTOPPED(status);
  }

  static bool waits(long number) {
#ifdef SYS_epoll_wait
    if (number == SYS_epoll_wait) return true;
#endif
    return number == SYS_epoll_pwait || number == SYS_epoll_pwait2;
  }

  pid_t child_ = -1;
  int signal_ = 0;  // the child gets this signal when it continues; 0: no signal
  bool allowed_ = false;
};

}  // namespace inferbench::cost
