#include "base/child_process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include <boost/process/args.hpp>
#include <boost/process/child.hpp>
#include <boost/process/exe.hpp>
#include <boost/process/extend.hpp>
#include <boost/process/search_path.hpp>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.hpp"

namespace inferbench::base {

namespace {

namespace bp = boost::process;
using steady = std::chrono::steady_clock;

std::string with_reason(const std::string& what, int error) {
  return what + ": " + std::strerror(error);
}

fd null_device() {
  fd out(::open("/dev/null", O_RDWR | O_CLOEXEC));
  if (!out) throw error(with_reason("cannot open /dev/null", errno));
  return out;
}

// The descriptor `ours` of this process; the child gets a copy of it under `number`.
struct assignment {
  int number = -1;
  int ours = -1;
};

/// Runs in the child between fork and exec, where only async-signal-safe calls are allowed: no
/// memory is allocated here.
struct in_the_child : bp::extend::handler {
  const std::vector<assignment>* descriptors = nullptr;
  char** environment = nullptr;  // nullptr: the environment of this process
  int signal_at_our_end = 0;
  pid_t parent = -1;

  template <typename executor>
  void on_setup(executor& exec) const {
    if (environment != nullptr) exec.env = environment;
  }

  template <typename executor>
  void on_exec_setup(executor&) const {
    ::setpgid(0, 0);
    if (signal_at_our_end != 0) {
      ::prctl(PR_SET_PDEATHSIG, signal_at_our_end);
      // The kernel sends the signal only if the parent ends after prctl().
      if (::getppid() != parent) ::_exit(EXIT_FAILURE);
    }
    // The handlers are reset before the mask: a pending signal must not run a handler of the
    // parent.
    for (int number = 1; number < NSIG; ++number)
      ::signal(number, SIG_DFL);
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
    for (const assignment& each : *descriptors) {
      if (each.ours == each.number)
        ::fcntl(each.ours, F_SETFD, 0);
      else
        ::dup2(each.ours, each.number);
    }
  }

  // Reaps a child that could not exec. Boost.Process calls waitpid() only once, with WNOHANG and
  // mostly before the child has ended.
  template <typename executor>
  void on_error(executor& exec, const std::error_code&) const {
    while (exec.pid > 0 && ::waitpid(exec.pid, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
};

/// This process's descriptors for the child. A descriptor that gets another number in the child is
/// copied to a number greater than all numbers in the child: otherwise one dup2() in the child
/// could overwrite the source of the next dup2().
class assignments {
 public:
  explicit assignments(std::map<int, int> wanted) {
    wanted.emplace(STDIN_FILENO, child_setup::null_device);
    const int highest = wanted.rbegin()->first;
    // Occupies every number up to `highest`, so that descriptors that Boost.Process opens get
    // higher numbers.
    do {
      kept_.push_back(null_device());
    } while (kept_.back().get() <= highest);
    const int null = kept_.back().get();
    for (const auto& [number, ours] : wanted) {
      if (ours == child_setup::null_device) {
        list_.push_back({number, null});
      } else if (ours == number) {
        list_.push_back({number, ours});
      } else {
        kept_.emplace_back(::fcntl(ours, F_DUPFD_CLOEXEC, highest + 1));
        if (!kept_.back()) throw error(with_reason("cannot copy a descriptor", errno));
        list_.push_back({number, kept_.back().get()});
      }
    }
  }

  [[nodiscard]] const std::vector<assignment>& list() const noexcept { return list_; }

 private:
  std::vector<fd> kept_;
  std::vector<assignment> list_;
};

std::string found(const std::string& program) {
  if (program.find('/') != std::string::npos) return program;
  const std::string path = bp::search_path(program).string();
  return path.empty() ? program : path;  // if the program is not found, start() fails with the
                                         // reason
}

/// Starts one child at a time. Boost.Process learns from a pipe whether exec has succeeded; a child
/// that another thread starts at the same time would keep the pipe open, and start() would wait
/// until that child ends.
bp::child start(const child_setup& setup) {
  std::vector<std::string> variables = setup.environment.value_or(std::vector<std::string>());
  std::vector<char*> environment;
  for (std::string& each : variables)
    environment.push_back(each.data());
  environment.push_back(nullptr);
  const assignments descriptors(setup.descriptors);
  in_the_child handler;
  handler.descriptors = &descriptors.list();
  handler.environment = setup.environment ? environment.data() : nullptr;
  handler.signal_at_our_end = setup.signal_at_our_end;
  handler.parent = ::getpid();
  const std::string program = found(setup.words.front());
  const std::vector<std::string> arguments(setup.words.begin() + 1, setup.words.end());
  std::error_code why;
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  bp::child out(bp::exe = program, bp::args = arguments, handler, why);
  if (why) throw error("cannot start " + setup.words.front() + ": " + why.message());
  return out;
}

}  // namespace

struct child_process::process {
  explicit process(const child_setup& setup) : child(start(setup)), id(child.id()) {}

  bp::child child;
  pid_t id;  // also the id of its process group
  bool ended = false;
};

child_process::child_process(const child_setup& setup)
    : process_(std::make_unique<process>(setup)) {}

child_process::child_process(child_process&& other) noexcept = default;

child_process::~child_process() {
  if (process_) kill();
}

bool child_process::wait_until(time_point deadline) noexcept {
  while (!process_->ended) {
    // With WNOWAIT the child stays a zombie, so no other process group can get its id before
    // kill().
    siginfo_t info{};
    const int failed =
        ::waitid(P_PID, static_cast<id_t>(process_->id), &info, WEXITED | WNOHANG | WNOWAIT);
    if ((failed != 0 && errno != EINTR) || info.si_pid == process_->id) {
      kill();
    } else {
      if (steady::now() >= deadline) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  return true;
}

void child_process::signal(int number) noexcept {
  if (!process_->ended) ::kill(-process_->id, number);
}

void child_process::kill() noexcept {
  if (process_->ended) return;
  signal(SIGKILL);
  std::error_code ignored;
  process_->child.wait(ignored);
  process_->ended = true;
}

int child_process::status() const noexcept { return process_->child.native_exit_code(); }

std::string signal_text(int number) {
  const char* const text = ::sigdescr_np(number);
  return text == nullptr ? "signal " + std::to_string(number) : text;
}

pipe_ends make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw error(with_reason("cannot make a pipe", errno));
  return {fd(ends[0]), fd(ends[1])};
}

read_result read_some(std::span<child_output> outputs, child_process::time_point deadline) {
  if (std::ranges::none_of(outputs, [](const child_output& each) { return bool(each.reading); }))
    return read_result::end_of_file;
  std::vector<pollfd> waiting;
  for (const child_output& output : outputs)  // poll() ignores closed outputs (-1)
    waiting.push_back({.fd = output.reading.get(), .events = POLLIN, .revents = 0});
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - steady::now()).count();
  if (left <= 0) return read_result::timed_out;
  constexpr std::chrono::milliseconds::rep day = 86'400'000;
  const int ready = ::poll(waiting.data(), waiting.size(), static_cast<int>(std::min(left, day)));
  if (ready == 0) return left > day ? read_result::more : read_result::timed_out;
  if (ready < 0) return errno == EINTR ? read_result::more : read_result::end_of_file;
  std::array<char, 16384> block{};
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (waiting[i].revents == 0) continue;
    child_output& output = outputs[i];
    const ssize_t got = ::read(output.reading.get(), block.data(), block.size());
    if (got > 0)
      output.text.append(block.data(),
                         std::min(static_cast<std::size_t>(got), output.most - output.text.size()));
    else if (got == 0 || errno != EINTR)
      output.reading.reset();
  }
  return read_result::more;
}

bool read_all(std::span<child_output> outputs, child_process::time_point deadline) {
  for (;;)
    switch (read_some(outputs, deadline)) {
      case read_result::more: break;
      case read_result::end_of_file: return true;
      case read_result::timed_out: return false;
    }
}

}  // namespace inferbench::base
