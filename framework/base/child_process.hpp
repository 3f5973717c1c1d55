// Runs another program as a child process: starts it with chosen descriptors, reads its output
// through pipes, waits for its end until a deadline, and ends it together with all processes that
// it has started.
//
// Boost.Process starts the program and collects its end. Three parts of that library are not used:
// its pipes, its null device and its wait with a time limit. The pipes and the null device lack
// O_CLOEXEC, so children that are started at the same time would keep them open. The wait forks a
// second process to measure the time.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/fd.hpp"

namespace inferbench::base {

/// The program of a child process, and its surroundings.
struct child_setup {
  /// The program and its arguments. A program without a '/' is searched in $PATH.
  std::vector<std::string> words = {};

  /// The child's descriptors by number; each is a copy of a descriptor of this process, or
  /// /dev/null. By default standard input is /dev/null, and standard output and error are those of
  /// this process. The child also inherits the descriptors of this process that lack O_CLOEXEC.
  std::map<int, int> descriptors = {};
  static constexpr int null_device = -1;

  /// The environment as texts NAME=value. nullopt: the environment of this process.
  std::optional<std::vector<std::string>> environment = {};

  /// The child gets this signal when the thread that started the child ends, for whatever reason.
  /// 0: no signal, so the child continues after the end of this process.
  int signal_at_our_end = 0;
};

/// A child process in a process group of its own: Ctrl-C does not reach it, and its own children
/// end with it. No signal is blocked or ignored in the child. An object is used by one thread at a
/// time; several threads may start children at the same time.
class child_process {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  /// Starts the program. Throws base::error: "cannot start PROGRAM: No such file or directory".
  explicit child_process(const child_setup& setup);
  child_process(child_process&& other) noexcept;
  child_process& operator=(child_process&& other) = delete;
  /// Calls kill().
  ~child_process();

  /// Waits until the child has ended, and then kills the processes of its group that still run.
  /// False if the child has not ended by `deadline`.
  [[nodiscard]] bool wait_until(time_point deadline) noexcept;

  /// Sends a signal to the child and its group. Does nothing if the child has ended.
  void signal(int number) noexcept;

  /// Ends the child and its group by SIGKILL and waits until the child is gone.
  void kill() noexcept;

  /// The wait status of the child, as from waitpid(). Valid after wait_until() has returned true,
  /// or after kill().
  [[nodiscard]] int status() const noexcept;

 private:
  struct process;
  std::unique_ptr<process> process_;
};

/// The name of a signal: "Segmentation fault", or "signal 40" if the system has no name for it.
[[nodiscard]] std::string signal_text(int number);

/// A pipe, both ends with O_CLOEXEC. Close `writing` after the child was started, because `reading`
/// gets the end of file only when all copies of `writing` are closed.
struct pipe_ends {
  fd reading;
  fd writing;
};

/// Throws base::error.
[[nodiscard]] pipe_ends make_pipe();

/// The reading end of a pipe, and the text that was read from it so far.
struct child_output {
  fd reading = {};       // closed at the end of file
  std::size_t most = 0;  // largest size of `text` in bytes; further bytes are read and dropped
  std::string text = {};
};

enum class read_result { more, end_of_file, timed_out };

/// Waits until there is something to read from one of the outputs, and reads it. `end_of_file`: all
/// outputs are at their end of file, or poll() has failed. `timed_out`: the deadline has passed.
/// `more`: call the function again.
[[nodiscard]] read_result read_some(std::span<child_output> outputs,
                                    child_process::time_point deadline);

/// Reads until all outputs are at their end of file. False if this does not happen by `deadline`.
[[nodiscard]] bool read_all(std::span<child_output> outputs, child_process::time_point deadline);

}  // namespace inferbench::base
