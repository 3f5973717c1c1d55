#include "supervise/supervisor.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child_process.hpp"
#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/fd.hpp"
#include "supervise/children.hpp"

namespace inferbench::supervise {

namespace {

using event = supervisor_message::event;

constexpr auto patience = std::chrono::seconds(5);

bool is_a(mode_t kind, int descriptor) {
  struct stat about{};
  return ::fstat(descriptor, &about) == 0 && (about.st_mode & S_IFMT) == kind;
}

void send(event what, int value, std::uint64_t when_ns = 0) {
  const supervisor_message message{what, value, when_ns};
  // The message is shorter than PIPE_BUF, so the write is not cut. It fails if the process that
  // started this one has ended.
  static_cast<void>(!::write(report_fd, &message, sizeof message));
}

/// Signals that a user or a terminal sends to whole groups of processes must not end the
/// supervisor before the program.
void prepare_signals() {
  for (const int number :
       {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGTSTP, SIGTTIN, SIGTTOU, SIGUSR1, SIGUSR2})
    ::signal(number, SIG_IGN);
  ::signal(SIGCHLD, SIG_DFL);
  sigset_t child;
  ::sigemptyset(&child);
  ::sigaddset(&child, SIGCHLD);
  ::sigprocmask(SIG_BLOCK, &child, nullptr);
}

/// Runs in the child and does not return.
[[noreturn]] void become(char* const* words, pid_t supervisor, int failure) {
  for (int number = 1; number < NSIG; ++number)
    ::signal(number, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::setsid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The kernel sends the signal only if the supervisor ends after prctl().
  if (::getppid() != supervisor) ::_exit(EXIT_FAILURE);
  ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
  ::execvp(words[0], words);
  const int why = errno;
  static_cast<void>(!::write(failure, &why, sizeof why));
  ::_exit(127);
}

/// Returns the process id of the program, and sets `when_ns`, or returns -1, and then `why` is an
/// errno.
pid_t start(std::vector<std::string>& words, int& why, std::uint64_t& when_ns) {
  std::vector<char*> pointers;
  for (std::string& each : words)
    pointers.push_back(each.data());
  pointers.push_back(nullptr);
  base::pipe_ends failure = base::make_pipe();
  const pid_t supervisor = ::getpid();
  when_ns = base::monotonic_clock().now();
  const pid_t program = ::fork();
  if (program == 0) become(pointers.data(), supervisor, failure.writing.get());
  if (program < 0) {
    why = errno;
    return -1;
  }
  failure.writing.reset();
  // The pipe closes when exec succeeds.
  ssize_t got = 0;
  while ((got = ::read(failure.reading.get(), &why, sizeof why)) < 0 && errno == EINTR) {
  }
  if (got <= 0) return program;
  ::waitpid(program, nullptr, 0);
  return -1;
}

/// Reaps adopted processes that have ended. Returns true if the program has ended; it is not
/// reaped, so that no other process group can get its id.
bool has_ended(pid_t program) {
  for (;;) {
    siginfo_t info{};
    if (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
      if (errno != EINTR) return true;
    } else if (info.si_pid == 0) {
      return false;
    } else if (info.si_pid == program) {
      return true;
    } else {
      ::waitpid(info.si_pid, nullptr, 0);
    }
  }
}

/// Returns when the program has ended or shall end.
void watch(pid_t program, int children) {
  std::array<pollfd, 2> waiting = {pollfd{control_fd, POLLIN, 0}, pollfd{children, POLLIN, 0}};
  while (!has_ended(program)) {
    if (::poll(waiting.data(), waiting.size(), -1) < 0) continue;
    if (waiting[1].revents != 0) {
      signalfd_siginfo ignored{};
      static_cast<void>(!::read(children, &ignored, sizeof ignored));
    }
    if (waiting[0].revents == 0) continue;
    unsigned char number = 0;
    const ssize_t got = ::recv(control_fd, &number, 1, MSG_DONTWAIT);
    if (got == 1)
      ::kill(-program, number);
    else if (got == 0 || (errno != EAGAIN && errno != EINTR))
      return;
  }
}

void tell_of(const std::vector<process_entry>& survivors) {
  for (const process_entry& each : survivors) {
    const std::string line = "inferbench: the process " + std::to_string(each.id) + " (" +
                             each.name + ") cannot be ended; end it by hand\n";
    static_cast<void>(!::write(STDERR_FILENO, line.data(), line.size()));
  }
}

}  // namespace

int supervisor_main(std::vector<std::string> words) {
  if (words.empty() || !is_a(S_IFSOCK, control_fd) || !is_a(S_IFIFO, report_fd))
    throw base::error("the command supervise is for inferbench itself, which starts it");
  for (const int descriptor : {control_fd, report_fd})
    ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  // Files that the starting process left open, such as a lock, must not stay open as long as the
  // program.
  ::close_range(report_fd + 1, ~0U, 0);
  prepare_signals();
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  // `killall -9 inferbench` shall end the process that started this one, and not this one.
  ::prctl(PR_SET_NAME, "supervisor");
  sigset_t child;
  ::sigemptyset(&child);
  ::sigaddset(&child, SIGCHLD);
  const base::fd children(::signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK));
  int why = errno;
  std::uint64_t when_ns = 0;
  const pid_t program = children ? start(words, why, when_ns) : -1;
  if (program < 0) {
    send(event::refused, why);
    return EXIT_FAILURE;
  }
  send(event::started, program, when_ns);
  // A reader of the program's output gets the end of file when the program closes it. Standard
  // error stays, for the messages of this process.
  const base::fd null(::open("/dev/null", O_RDWR | O_CLOEXEC));
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO})
    ::dup2(null.get(), descriptor);
  watch(program, children.get());
  // The program is not reaped yet, so the id is still the id of its group, even if it has ended.
  ::kill(-program, SIGKILL);
  int status = 0;
  tell_of(end_children(program, status, patience));
  send(event::ended, status);
  return EXIT_SUCCESS;
}

}  // namespace inferbench::supervise
