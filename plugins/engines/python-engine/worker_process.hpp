// The process of a worker: started with one end of a socket pair as descriptor 3, and ended with
// all processes that it has started.
#pragma once

#include <chrono>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <sys/types.h>

#include "descriptor.hpp"
#include "output_tail.hpp"

namespace python_engine {

struct worker_command {
  /// The program and its arguments; no shell. A program without a '/' is searched in $PATH.
  std::vector<std::string> words;
  /// NAME=value, replaces a variable of this process.
  std::vector<std::string> extra_environment = {};
  /// Gets each line of the worker's standard output and standard error, on a thread of the object.
  /// Must not throw. The worker waits meanwhile if it writes much.
  std::function<void(std::string_view)> on_line = {};
};

/// A warden (warden.hpp) keeps the worker, which has a session and a process group of its own:
/// Ctrl-C does not reach it, and it cannot outlive us. An object is used by one thread at a time,
/// apart from functions marked [any].
class worker_process {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  /// Throws failure with IFB_E_CONFIG "cannot start PROGRAM: No such file or directory", or with
  /// IFB_E_IO if the system refuses a process or a descriptor.
  explicit worker_process(worker_command command);
  worker_process(const worker_process&) = delete;
  worker_process& operator=(const worker_process&) = delete;
  /// Calls kill().
  ~worker_process();

  [[nodiscard]] pid_t id() const noexcept { return id_; }
  /// The host's end of the socket pair, for the first caller.
  [[nodiscard]] descriptor take_socket() noexcept { return std::move(socket_); }
  /// The wait status of the worker, as from waitpid(), if it has ended by `deadline`. All processes
  /// that it had started are gone then, and last_lines() is complete. If somebody killed the
  /// warden, the status is that of a program that SIGKILL has ended.
  [[nodiscard]] std::optional<int> wait_until(time_point deadline) noexcept;
  /// Ends the worker and all its processes by SIGKILL, and returns when they are gone.
  void kill() noexcept;
  /// The last lines of the worker's output. [any]
  [[nodiscard]] std::string last_lines(std::size_t lines) const;
  [[nodiscard]] std::string last_exception() const;

 private:
  void await_start(const std::string& program, int report);
  void read_output(descriptor output, descriptor over) noexcept;
  void finish(int status) noexcept;

  descriptor socket_;
  descriptor control_;
  descriptor report_;
  descriptor over_;  // closed: the reader of the output stops waiting
  pid_t warden_ = -1;
  pid_t id_ = -1;
  std::optional<int> status_;
  mutable std::mutex mutex_;
  output_tail tail_;  // under mutex_
  std::thread reader_;
};

/// "exit status 3", "signal 9 (Killed)".
[[nodiscard]] std::string status_text(int wait_status);

}  // namespace python_engine
