#include "supervise/supervised_process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child_process.hpp"
#include "base/error.hpp"
#include "base/fd.hpp"
#include "supervise/line_tail.hpp"
#include "supervise/supervisor.hpp"

extern char** environ;

namespace inferbench::supervise {

namespace {

using steady = std::chrono::steady_clock;
using event = supervisor_message::event;

// Time for a group to end after SIGKILL when there is no supervisor that could wait for it.
constexpr auto orphans_limit = std::chrono::seconds(5);

std::vector<std::string> environment_with(const std::vector<std::string>& extra) {
  std::vector<std::string> out = extra;
  for (char** each = environ; *each != nullptr; ++each) {
    const std::string_view variable = *each;
    const auto name = variable.substr(0, variable.find('=') + 1);
    if (std::ranges::none_of(extra, [&](const std::string& e) { return e.starts_with(name); }))
      out.emplace_back(variable);
  }
  return out;
}

std::array<base::fd, 2> socket_pair() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw base::error(std::string("cannot make a socket: ") + std::strerror(errno));
  return {base::fd(ends[0]), base::fd(ends[1])};
}

/// Waits until there is something to read. Returns false at the deadline.
bool readable(int descriptor, supervised_process::time_point deadline) {
  using ms = std::chrono::milliseconds;
  constexpr ms::rep day = 86'400'000;
  pollfd waiting{descriptor, POLLIN, 0};
  for (;;) {
    const auto now = steady::now();
    const ms::rep left = deadline <= now ? 0 : std::chrono::ceil<ms>(deadline - now).count();
    if (::poll(&waiting, 1, static_cast<int>(std::min(left, day))) > 0) return true;
    if (left == 0) return false;
  }
}

bool is_running(pid_t group) { return ::kill(-group, 0) == 0 || errno == EPERM; }

}  // namespace

struct supervised_process::state {
  explicit state(program what) : name(what.words.front()), on_text(std::move(what.on_text)) {}

  /// Starts the supervisor, which starts the program.
  void start(const program& what) {
    auto [ours, theirs] = socket_pair();
    base::pipe_ends reports = base::make_pipe();
    base::pipe_ends out = base::make_pipe();
    base::pipe_ends err = base::make_pipe();
    base::pipe_ends over = base::make_pipe();
    base::child_setup setup{.words = what.supervisor,
                            .descriptors = {{STDOUT_FILENO, out.writing.get()},
                                            {STDERR_FILENO, err.writing.get()},
                                            {control_fd, theirs.get()},
                                            {report_fd, reports.writing.get()}},
                            .environment = environment_with(what.extra_environment)};
    if (::fcntl(STDIN_FILENO, F_GETFD) >= 0) setup.descriptors.emplace(STDIN_FILENO, STDIN_FILENO);
    setup.words.insert(setup.words.end(), what.words.begin(), what.words.end());
    supervisor.emplace(setup);
    control = std::move(ours);
    report = std::move(reports.reading);
    text_over = std::move(over.writing);
    for (const int each : {out.reading.get(), err.reading.get()})
      ::fcntl(each, F_SETFL, O_NONBLOCK);
    reader = std::thread(
        [this, sources = std::array{std::move(out.reading), std::move(err.reading),
                                    std::move(over.reading)}]() mutable { read_text(sources); });
  }

  void await_start() {
    const std::optional<supervisor_message> first = next_message(time_point::max());
    if (first && first->what == event::started) {
      id = first->value;
      started = time_point(std::chrono::nanoseconds(first->when_ns));
      return;
    }
    finish(0);
    const std::string said = tail.last(1);
    throw base::error("cannot start " + name + ": " +
                      (first          ? std::strerror(first->value)
                       : said.empty() ? "the process that supervises it has ended at once"
                                      : said));
  }

  /// nullopt: the deadline has passed, or the supervisor has ended (`lost`).
  std::optional<supervisor_message> next_message(time_point deadline) {
    while (readable(report.get(), deadline)) {
      supervisor_message message;
      const ssize_t got = ::read(report.get(), &message, sizeof message);
      if (got == sizeof message) return message;
      if (got < 0 && errno == EINTR) continue;
      lost = true;
      break;
    }
    return std::nullopt;
  }

  /// The supervisor is not needed any longer.
  void finish(int wait_status) {
    status = wait_status;
    control.reset();
    supervisor->kill();
    text_over.reset();
    if (reader.joinable()) reader.join();
  }

  void finish_without_supervisor() {
    ::kill(-id, SIGKILL);
    const auto deadline = steady::now() + orphans_limit;
    while (is_running(id) && steady::now() < deadline)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    finish(SIGKILL);
    take(stream::error, "inferbench: somebody has ended the process that supervises " + name +
                            ", so " + name + " was ended, too\n");
  }

  void take(stream from, std::string_view text) {
    {
      const std::lock_guard lock(mutex);
      tail.add(from, text);
    }
    if (on_text) on_text(from, text);
  }

  /// The thread `reader`: ends when both streams have ended. After `text_over` is closed the
  /// thread does not wait for streams that a process keeps open which could not be killed.
  void read_text(std::array<base::fd, 3>& sources) {
    std::array<char, 16384> block{};
    while (sources[0] || sources[1]) {
      std::array<pollfd, 3> waiting{};
      for (std::size_t i = 0; i < sources.size(); ++i)
        waiting[i] = {sources[i].get(), POLLIN, 0};
      if (::poll(waiting.data(), waiting.size(), -1) < 0) continue;
      bool any = false;
      for (std::size_t i = 0; i < 2; ++i) {
        if (waiting[i].revents == 0) continue;
        any = true;
        const ssize_t got = ::read(sources[i].get(), block.data(), block.size());
        if (got > 0)
          take(static_cast<stream>(i), {block.data(), static_cast<std::size_t>(got)});
        else if (got == 0 || (errno != EINTR && errno != EAGAIN))
          sources[i].reset();
      }
      if (!any && waiting[2].revents != 0) return;
    }
  }

  std::string name;
  std::function<void(stream, std::string_view)> on_text;
  std::optional<base::child_process> supervisor;
  base::fd control;
  base::fd report;
  base::fd text_over;
  pid_t id = -1;
  time_point started;
  std::optional<int> status;
  bool lost = false;
  mutable std::mutex mutex;
  line_tail tail;  // under `mutex`
  std::thread reader;
};

supervised_process::supervised_process(program what) {
  if (what.words.empty()) throw base::error("there is no program to start");
  state_ = std::make_unique<state>(what);
  try {
    state_->start(what);
  } catch (const std::system_error& e) {
    // A supervisor that has started ends with its program when its socket closes.
    throw base::error("cannot start " + what.words.front() + ": " + e.what());
  }
  state_->await_start();
}

supervised_process::~supervised_process() { kill(); }

pid_t supervised_process::id() const noexcept { return state_->id; }

supervised_process::time_point supervised_process::started() const noexcept {
  return state_->started;
}

std::optional<int> supervised_process::wait_until(time_point deadline) {
  while (!state_->status) {
    const auto message = state_->next_message(deadline);
    if (message)
      state_->finish(message->value);
    else if (state_->lost)
      state_->finish_without_supervisor();
    else
      return std::nullopt;
  }
  return state_->status;
}

void supervised_process::signal(int number) noexcept {
  if (state_->status) return;
  const auto byte = static_cast<unsigned char>(number);
  static_cast<void>(!::send(state_->control.get(), &byte, 1, MSG_NOSIGNAL));
}

void supervised_process::kill() noexcept {
  if (state_->status) return;
  // shutdown() has an effect even if a process that another thread is about to start still has a
  // copy of the socket.
  ::shutdown(state_->control.get(), SHUT_RDWR);
  // Somebody may have stopped the supervisor.
  state_->supervisor->signal(SIGCONT);
  static_cast<void>(wait_until(time_point::max()));
}

std::string supervised_process::last_lines(std::size_t lines) const {
  const std::lock_guard lock(state_->mutex);
  return state_->tail.last(lines);
}

void pass_on(stream to, std::string_view text) noexcept {
  const int descriptor = to == stream::output ? STDOUT_FILENO : STDERR_FILENO;
  while (!text.empty()) {
    const ssize_t wrote = ::write(descriptor, text.data(), text.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0 && errno == EAGAIN) {
      pollfd waiting{descriptor, POLLOUT, 0};
      ::poll(&waiting, 1, -1);
      continue;
    }
    if (wrote <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(wrote));
  }
}

std::string status_text(int wait_status) {
  if (WIFEXITED(wait_status)) return "exit status " + std::to_string(WEXITSTATUS(wait_status));
  const int number = WTERMSIG(wait_status);
  const std::string text = base::signal_text(number);
  const std::string with_number = "signal " + std::to_string(number);
  return text == with_number ? text : text + " (" + with_number + ")";
}

}  // namespace inferbench::supervise
