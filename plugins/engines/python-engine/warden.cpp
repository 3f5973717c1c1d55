#include "warden.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace python_engine {

namespace {

using event = warden_message::event;

// The warden gives up on processes that cannot be killed (of another user) after this time without
// an event, and on processes that hang in a driver of the kernel after the second time.
constexpr int patience_ms = 5000;
constexpr int longest_ms = 60'000;

void report(const warden_orders& orders, event what, int value) noexcept {
  const warden_message message{what, value};
  // Shorter than PIPE_BUF, so the write is not cut. It fails if the parent has ended.
  static_cast<void>(!::write(orders.report, &message, sizeof message));
}

/// Closes every descriptor that the orders do not name.
void close_others(const warden_orders& orders) noexcept {
  std::array<int, 5> kept = {orders.socket, orders.output, orders.input, orders.control,
                             orders.report};
  for (std::size_t i = 0; i < kept.size(); ++i)
    for (std::size_t k = i + 1; k < kept.size(); ++k)
      if (kept[k] < kept[i]) {
        const int swapped = kept[i];
        kept[i] = kept[k];
        kept[k] = swapped;
      }
  unsigned next = 0;
  for (const int each : kept) {
    const auto number = static_cast<unsigned>(each);
    if (number > next) ::syscall(SYS_close_range, next, number - 1, 0U);
    next = number + 1;
  }
  ::syscall(SYS_close_range, next, ~0U, 0U);
}

/// Signals that a terminal sends to whole groups of processes must not end the warden before the
/// worker. SIGCHLD is read from a descriptor.
void prepare_signals() noexcept {
  for (int number = 1; number < NSIG; ++number)
    ::signal(number, SIG_IGN);
  ::signal(SIGCHLD, SIG_DFL);
  sigset_t child;
  ::sigemptyset(&child);
  ::sigaddset(&child, SIGCHLD);
  ::sigprocmask(SIG_SETMASK, &child, nullptr);
}

[[noreturn]] void become_worker(const warden_orders& orders, pid_t warden, int failure) noexcept {
  for (int number = 1; number < NSIG; ++number)
    ::signal(number, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::setsid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  // The kernel sends the signal only if the warden ends after prctl().
  if (::getppid() != warden) ::_exit(127);
  ::dup2(orders.input, STDIN_FILENO);
  ::dup2(orders.output, STDOUT_FILENO);
  ::dup2(orders.output, STDERR_FILENO);
  ::dup2(orders.socket, 3);
  // Also `failure`, which has one of the lowest free numbers: it closes when exec succeeds.
  ::syscall(SYS_close_range, 4U, ~0U, static_cast<unsigned>(CLOSE_RANGE_CLOEXEC));
  ::execve(orders.program, orders.words, orders.environment);
  const int why = errno;
  static_cast<void>(!::write(failure, &why, sizeof why));
  ::_exit(127);
}

/// Returns the process id of the worker, or -1, and then `why` is an errno.
pid_t start(const warden_orders& orders, int& why) noexcept {
  std::array<int, 2> ends{};
  // A copy above the numbers that the worker's own descriptors get.
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    why = errno;
    return -1;
  }
  const int failure = ::fcntl(ends[1], F_DUPFD_CLOEXEC, warden_orders::lowest);
  ::close(ends[1]);
  const pid_t warden = ::getpid();
  const pid_t worker = ::fork();
  if (worker == 0) become_worker(orders, warden, failure);
  why = errno;
  ::close(failure);
  ssize_t got = 0;
  if (worker > 0)
    while ((got = ::read(ends[0], &why, sizeof why)) < 0 && errno == EINTR) {
    }
  ::close(ends[0]);
  if (worker < 0 || got <= 0) return worker;
  ::waitpid(worker, nullptr, 0);
  return -1;
}

/// Reaps adopted processes that have ended. Returns true if the worker has ended; it is not reaped,
/// so that no other process group can get its id.
bool has_ended(pid_t worker) noexcept {
  for (;;) {
    siginfo_t info{};
    if (::waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
      if (errno != EINTR) return true;
    } else if (info.si_pid == 0) {
      return false;
    } else if (info.si_pid == worker) {
      return true;
    } else {
      ::waitpid(info.si_pid, nullptr, 0);
    }
  }
}

/// Returns when the worker has ended or shall end.
void watch(const warden_orders& orders, pid_t worker, int children) noexcept {
  std::array<pollfd, 2> waiting = {pollfd{orders.control, POLLIN, 0}, pollfd{children, POLLIN, 0}};
  while (!has_ended(worker)) {
    if (::poll(waiting.data(), waiting.size(), -1) < 0) continue;
    if (waiting[1].revents != 0) {
      signalfd_siginfo ignored{};
      static_cast<void>(!::read(children, &ignored, sizeof ignored));
    }
    if (waiting[0].revents != 0) return;
  }
}

/// The layout that getdents64 writes.
struct directory_entry {
  std::uint64_t inode;
  std::int64_t offset;
  std::uint16_t length;
  unsigned char type;
  char name[1];
};

/// The parent of a process, from the fourth field of /proc/ID/stat; 0: not known, or the process
/// has ended and waits to be reaped. The second field, a name in parentheses, may contain anything.
pid_t parent_of(const char* id) noexcept {
  std::array<char, 64> path{};
  std::size_t length = 0;
  for (const char* part : {"/proc/", id, "/stat"})
    for (; *part != '\0' && length + 1 < path.size(); ++part)
      path[length++] = *part;
  const int file = ::open(path.data(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  std::array<char, 512> text{};
  const ssize_t got = ::read(file, text.data(), text.size() - 1);
  ::close(file);
  const char* close = got > 0 ? std::strrchr(text.data(), ')') : nullptr;
  if (close == nullptr || std::strlen(close) < 5 || close[2] == 'Z' || close[2] == 'X') return 0;
  pid_t out = 0;
  for (const char* at = close + 4; *at >= '0' && *at <= '9'; ++at)
    out = out * 10 + (*at - '0');
  return out;
}

/// Kills the children of this process. Their children are adopted and killed in the next round.
/// Only children are killed, because the id of a child cannot belong to another process before the
/// child has been reaped. Returns true if one could be killed.
bool kill_children() noexcept {
  const int all = ::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (all < 0) return false;
  const pid_t us = ::getpid();
  bool killed = false;
  alignas(directory_entry) std::array<char, 4096> block{};
  for (;;) {
    const long got = ::syscall(SYS_getdents64, all, block.data(), block.size());
    if (got <= 0) break;
    for (long at = 0; at < got;) {
      const auto* entry = reinterpret_cast<const directory_entry*>(block.data() + at);
      at += entry->length;
      const char* const name = entry->name;
      if (name[0] < '1' || name[0] > '9' || parent_of(name) != us) continue;
      pid_t id = 0;
      for (const char* digit = name; *digit >= '0' && *digit <= '9'; ++digit)
        id = id * 10 + (*digit - '0');
      killed |= ::kill(id, SIGKILL) == 0;
    }
  }
  ::close(all);
  return killed;
}

/// Returns the wait status of the worker.
int end_all(pid_t worker) noexcept {
  ::kill(-worker, SIGKILL);
  int status = 0;
  int quiet_ms = 0;
  int all_ms = 0;
  int pause_ms = 2;
  while (quiet_ms < patience_ms && all_ms < longest_ms) {
    int each = 0;
    const pid_t id = ::waitpid(-1, &each, WNOHANG);
    if (id < 0 && errno != EINTR) return status;
    if (id == worker) status = each;
    if (id > 0) {
      quiet_ms = 0;
      continue;
    }
    if (kill_children()) quiet_ms = 0;
    // A process that holds much memory needs seconds to end. SIGCHLD ends the wait.
    sigset_t child;
    ::sigemptyset(&child);
    ::sigaddset(&child, SIGCHLD);
    const timespec time{0, pause_ms * 1'000'000L};
    ::sigtimedwait(&child, nullptr, &time);
    quiet_ms += pause_ms;
    all_ms += pause_ms;
    pause_ms = pause_ms < 250 ? pause_ms * 2 : pause_ms;
  }
  return status;
}

}  // namespace

void keep_worker(const warden_orders& orders) noexcept {
  ::setpgid(0, 0);
  prepare_signals();
  close_others(orders);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  ::prctl(PR_SET_NAME, "engine-warden");
  sigset_t child;
  ::sigemptyset(&child);
  ::sigaddset(&child, SIGCHLD);
  const int children = ::signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
  int why = errno;
  const pid_t worker = children < 0 ? -1 : start(orders, why);
  if (worker < 0) {
    report(orders, event::refused, why);
    ::_exit(127);
  }
  report(orders, event::started, worker);
  // The parent sees the end of these streams when the worker's processes close them.
  for (const int each : {orders.socket, orders.output, orders.input})
    ::close(each);
  watch(orders, worker, children);
  report(orders, event::ended, end_all(worker));
  ::_exit(0);
}

}  // namespace python_engine
