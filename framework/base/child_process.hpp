// Another program as a child process: started with chosen descriptors, read through pipes, waited
// for until a deadline, and ended together with everything that it has started.
//
// Boost.Process starts the program and collects its end. Three parts of that library are not used:
// its pipes and its null device lack O_CLOEXEC, so children that are started meanwhile would keep
// them open; and its wait with a time limit forks a second process to measure the time.
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
  /// The program and its arguments. A program without a '/' is looked for in $PATH.
  std::vector<std::string> words = {};

  /// The child's descriptors by number: each is a copy of one of ours, or /dev/null. Standard
  /// input is /dev/null, standard output and error are ours, unless they are named here. The child
  /// has no other descriptor, but for those of ours that lack O_CLOEXEC.
  std::map<int, int> descriptors = {};
  static constexpr int null_device = -1;

  /// NAME=value. Nothing: the environment of this process.
  std::optional<std::vector<std::string>> environment = {};

  /// The child gets this signal when the thread that has started it ends, however that ends. 0:
  /// the child outlives it.
  int signal_at_our_end = 0;
};

/// A child process in a process group of its own: Ctrl-C does not reach it, and its own children
/// end with it. Its signals are as at the start of a program: none is blocked, none ignored. One
/// thread at a time; several threads may start children at once.
class child_process {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  /// Throws base::error, "cannot start PROGRAM: No such file or directory".
  explicit child_process(const child_setup& setup);
  child_process(child_process&& other) noexcept;
  child_process& operator=(child_process&& other) = delete;
  /// As kill().
  ~child_process();

  /// Waits until the child has ended; false: it has not by `deadline`. Processes of its group that
  /// are left are killed then.
  [[nodiscard]] bool wait_until(time_point deadline) noexcept;

  /// Sends a signal to the child and its group. Nothing once the child has ended.
  void signal(int number) noexcept;

  /// Ends the child and its group by SIGKILL and waits until the child is gone.
  void kill() noexcept;

  /// How it ended, as waitpid tells it. After wait_until() was true, or kill().
  [[nodiscard]] int status() const noexcept;

 private:
  struct process;
  std::unique_ptr<process> process_;
};

/// "Segmentation fault"; "signal 40" where the system has no words for it.
[[nodiscard]] std::string signal_text(int number);

/// A pipe, both ends with O_CLOEXEC. Close `writing` once the child has been started: the end of
/// file comes when nobody holds it any more.
struct pipe_ends {
  fd reading;
  fd writing;
};

/// Throws base::error.
[[nodiscard]] pipe_ends make_pipe();

/// The text that has come through a pipe so far.
struct child_output {
  fd reading = {};       // closed at the end of file
  std::size_t most = 0;  // bytes of `text`; further bytes are read and dropped
  std::string text = {};
};

enum class read_result { more, end_of_file, timed_out };

/// Waits until there is something to read from one of the outputs, and reads it. `end_of_file`:
/// all outputs have ended.
[[nodiscard]] read_result read_some(std::span<child_output> outputs,
                                    child_process::time_point deadline);

/// Reads until all outputs have ended; false: they have not by `deadline`.
[[nodiscard]] bool read_all(std::span<child_output> outputs, child_process::time_point deadline);

}  // namespace inferbench::base
