// A program that cannot outlive this process, nor can the processes that it starts. A small
// supervisor process (`inferbench supervise`, a hidden command) stands between: it is a subreaper
// and holds one end of a socket whose other end only this process has. When the socket closes,
// even because this process was killed by SIGKILL, the supervisor kills the program, its process
// group and all processes that it has adopted, until none is left. When the supervisor is killed
// from outside, the kernel kills the program, and this process kills the program's group.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace inferbench::supervise {

enum class stream : std::uint8_t { output, error };

struct program {
  /// The program and its arguments; no shell. A program without a '/' is searched in $PATH.
  std::vector<std::string> words = {};
  /// NAME=value, replaces a variable of this process.
  std::vector<std::string> extra_environment = {};
  /// Gets the text of both streams as it comes, on a thread of the object; the program waits
  /// meanwhile if it writes much. Must not throw. Empty: the text is only kept for last_lines().
  std::function<void(stream, std::string_view)> on_text = {};
  /// The program that calls supervisor_main(), with arguments before those for it. The default is
  /// the program of this process.
  std::vector<std::string> supervisor = {"/proc/self/exe", "supervise"};
};

/// The program has a session and a process group of its own, so Ctrl-C does not reach it, the
/// standard input of this process, and pipes to this process as standard output and error. It
/// inherits no other descriptor. An object is used by one thread at a time.
class supervised_process {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  /// Throws base::error "cannot start PROGRAM: No such file or directory".
  explicit supervised_process(program what);
  supervised_process(const supervised_process&) = delete;
  supervised_process& operator=(const supervised_process&) = delete;
  /// Calls kill().
  ~supervised_process();

  /// The program's process id, which is also the id of its process group.
  [[nodiscard]] pid_t id() const noexcept;
  /// When the program's process was made. The constructor returns some milliseconds later, when
  /// the supervisor has reported it.
  [[nodiscard]] time_point started() const noexcept;
  /// The wait status of the program, as from waitpid(), if it has ended by `deadline`. Processes
  /// that the program has left behind are gone then, and on_text has got all text. If somebody
  /// killed the supervisor, the status is that of a program that SIGKILL has ended, and
  /// last_lines() says so.
  [[nodiscard]] std::optional<int> wait_until(time_point deadline);
  /// Sends a signal to the program's process group. Does nothing if the program has ended.
  void signal(int number) noexcept;
  /// Ends the program and all processes that it has started by SIGKILL, and returns when they are
  /// gone. Processes of other users, which may not be killed, are named on standard error after
  /// 5 s.
  void kill() noexcept;
  /// The last lines of both streams, at most `lines` and 16 KiB, as valid UTF-8 without control
  /// characters. The text ends without a line end.
  [[nodiscard]] std::string last_lines(std::size_t lines) const;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

/// An on_text that writes to the same stream of this process, and drops what cannot be written.
void pass_on(stream to, std::string_view text) noexcept;

/// "exit status 3", "Segmentation fault (signal 11)".
[[nodiscard]] std::string status_text(int wait_status);

}  // namespace inferbench::supervise
