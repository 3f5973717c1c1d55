#include "worker_process.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <inferbench/guard.hpp>

#include "warden.hpp"

extern char** environ;

namespace python_engine {

namespace {

using steady = std::chrono::steady_clock;
using event = warden_message::event;

// Time for the output of a process that cannot be killed.
constexpr int last_output_ms = 2000;

[[noreturn]] void refuse(const std::string& what, int error) {
  throw ifb::failure{IFB_E_IO, what + ": " + std::strerror(error)};
}

struct both_ends {
  descriptor first;
  descriptor second;
};

both_ends socket_pair() {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
    refuse("cannot make a socket for the worker", errno);
  return {descriptor(ends[0]), descriptor(ends[1])};
}
both_ends pipe_ends() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) refuse("cannot make a pipe for the worker", errno);
  return {descriptor(ends[0]), descriptor(ends[1])};
}
descriptor raised(const descriptor& from) {
  descriptor out(::fcntl(from.get(), F_DUPFD_CLOEXEC, warden_orders::lowest));
  if (!out) refuse("cannot copy a descriptor for the worker", errno);
  return out;
}

/// The program with its path, as a shell finds it; the name itself if it is not found.
std::string found(const std::string& program) {
  if (program.find('/') != std::string::npos) return program;
  const char* const list = std::getenv("PATH");
  std::string_view rest = list == nullptr ? "/usr/local/bin:/usr/bin:/bin" : list;
  for (;;) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    std::string path = (folder.empty() ? "." : std::string(folder)) + "/" + program;
    if (::access(path.c_str(), X_OK) == 0) return path;
    if (folder.size() == rest.size()) return program;
    rest.remove_prefix(folder.size() + 1);
  }
}

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

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (std::string& each : texts)
    out.push_back(each.data());
  out.push_back(nullptr);
  return out;
}

int left_ms(worker_process::time_point deadline) {
  const auto now = steady::now();
  if (deadline <= now) return 0;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - now).count();
  return static_cast<int>(std::min<decltype(left)>(left, 3'600'000));
}

}  // namespace

worker_process::worker_process(worker_command command) : tail_(std::move(command.on_line)) {
  const std::string name = command.words.front();
  std::string program = found(name);
  std::vector<std::string> environment = environment_with(command.extra_environment);
  const std::vector<char*> words = pointers_to(command.words);
  const std::vector<char*> variables = pointers_to(environment);
  both_ends socket = socket_pair();
  both_ends control = socket_pair();
  both_ends report = pipe_ends();
  both_ends output = pipe_ends();
  both_ends over = pipe_ends();
  const descriptor null(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  if (!null) refuse("cannot open /dev/null", errno);
  std::array<descriptor, 5> theirs = {raised(socket.second), raised(output.second), raised(null),
                                      raised(control.second), raised(report.second)};
  warden_orders orders;
  orders.program = program.c_str();
  orders.words = words.data();
  orders.environment = variables.data();
  orders.socket = theirs[0].get();
  orders.output = theirs[1].get();
  orders.input = theirs[2].get();
  orders.control = theirs[3].get();
  orders.report = theirs[4].get();
  warden_ = ::fork();
  if (warden_ == 0) keep_worker(orders);
  if (warden_ < 0) refuse("cannot start a process for the worker", errno);
  socket_ = std::move(socket.first);
  control_ = std::move(control.first);
  report_ = std::move(report.first);
  over_ = std::move(over.second);
  report.second.reset();
  for (descriptor& each : theirs)
    each.reset();
  await_start(name, report_.get());
  reader_ =
      std::thread([this, from = std::move(output.first), end = std::move(over.first)]() mutable {
        read_output(std::move(from), std::move(end));
      });
}

worker_process::~worker_process() { kill(); }

void worker_process::await_start(const std::string& program, int report) {
  warden_message first{event::refused, ECHILD};
  ssize_t got = 0;
  while ((got = ::read(report, &first, sizeof first)) < 0 && errno == EINTR) {
  }
  if (got == sizeof first && first.what == event::started) {
    id_ = first.value;
    return;
  }
  while (::waitpid(warden_, nullptr, 0) < 0 && errno == EINTR) {
  }
  status_ = 0;
  throw ifb::failure{IFB_E_CONFIG, "cannot start " + program + ": " + std::strerror(first.value)};
}

std::optional<int> worker_process::wait_until(time_point deadline) noexcept {
  while (!status_) {
    pollfd waiting{report_.get(), POLLIN, 0};
    const int limit = left_ms(deadline);
    const int ready = ::poll(&waiting, 1, limit);
    if (ready < 0) continue;
    if (ready == 0) {
      if (limit == 0) return std::nullopt;
      continue;
    }
    warden_message message{};
    const ssize_t got = ::read(report_.get(), &message, sizeof message);
    if (got < 0 && errno == EINTR) continue;
    if (got == sizeof message) {
      finish(message.value);
    } else {
      ::kill(-id_, SIGKILL);
      finish(SIGKILL);
    }
  }
  return status_;
}

void worker_process::finish(int status) noexcept {
  status_ = status;
  control_.reset();
  while (::waitpid(warden_, nullptr, 0) < 0 && errno == EINTR) {
  }
  over_.reset();
  if (reader_.joinable()) reader_.join();
}

void worker_process::kill() noexcept {
  if (status_) return;
  // shutdown() has an effect even if another process that is just being started has a copy.
  ::shutdown(control_.get(), SHUT_RDWR);
  static_cast<void>(wait_until(time_point::max()));
}

void worker_process::read_output(descriptor output, descriptor over) noexcept {
  std::array<char, 16384> block{};
  bool ending = false;
  for (;;) {
    std::array<pollfd, 2> waiting = {pollfd{output.get(), POLLIN, 0},
                                     pollfd{ending ? -1 : over.get(), POLLIN, 0}};
    const int ready = ::poll(waiting.data(), waiting.size(), ending ? last_output_ms : -1);
    if (ready < 0) continue;
    if (ready == 0) return;
    ending = ending || waiting[1].revents != 0;
    if (waiting[0].revents == 0) continue;
    const ssize_t got = ::read(output.get(), block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return;
    const std::lock_guard lock(mutex_);
    tail_.add({block.data(), static_cast<std::size_t>(got)});
  }
}

std::string worker_process::last_lines(std::size_t lines) const {
  const std::lock_guard lock(mutex_);
  return tail_.last(lines);
}

std::string worker_process::last_exception() const {
  const std::lock_guard lock(mutex_);
  return tail_.last_exception();
}

std::string status_text(int wait_status) {
  if (WIFEXITED(wait_status)) return "exit status " + std::to_string(WEXITSTATUS(wait_status));
  const int number = WTERMSIG(wait_status);
  const char* const name = ::sigdescr_np(number);
  return "signal " + std::to_string(number) +
         (name == nullptr ? "" : std::string(" (") + name + ")");
}

}  // namespace python_engine
