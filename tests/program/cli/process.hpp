// Runs the real program, and the simulator, as child processes. Not thread-safe.
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

#include "support/temporary_folder.hpp"

namespace inferbench::testing {

struct finished {
  int status = -1;  // exit status; 128 + N after signal N
  std::string out;
  std::string err;
};

/// A child process whose output goes to files.
class process {
 public:
  /// `open_files`: a limit that the child cannot raise; 0: the limit of this process. `through`: a
  /// program with arguments that starts it, for instance {"nice", "-n", "10"} or in_shell(...).
  explicit process(std::vector<std::string> arguments, unsigned open_files = 0,
                   std::vector<std::string> through = {});
  process(const process&) = delete;
  process& operator=(const process&) = delete;
  ~process();  // kills the process if it still runs

  void signal(int number) const;
  [[nodiscard]] pid_t pid() const noexcept { return pid_; }
  [[nodiscard]] bool running();
  /// Waits for the end of the process.
  finished wait();
  /// The standard output and error so far.
  [[nodiscard]] std::string out_so_far() const;
  [[nodiscard]] std::string err_so_far() const;

 private:
  support::temporary_folder folder_;
  pid_t pid_ = -1;
  int status_ = -1;
};

/// The argument `through` of process for a line of bash, in which "$@" is inferbench and its
/// arguments.
[[nodiscard]] std::vector<std::string> in_shell(std::string line);

/// Runs inferbench with these arguments until it ends. `through`: see process.
[[nodiscard]] finished inferbench(std::vector<std::string> arguments,
                                  std::vector<std::string> through = {});

/// The output of --print-config without the places of the values.
[[nodiscard]] std::string without_places(const std::string& toml);

/// `inferbench simulate` on a free port, as long as the object lives.
class simulator {
 public:
  explicit simulator(std::vector<std::string> flags = {});

  [[nodiscard]] const std::string& url() const { return url_; }
  /// Sends SIGTERM and waits: the ground-truth log is then complete. The test fails if the exit
  /// status is not `status`.
  void stop(int status = 0);
  /// Sends SIGKILL: the server disappears immediately.
  void kill();

 private:
  process process_;
  std::string url_;
};

class folder : public support::temporary_folder {
 public:
  /// The only file with that extension; the test fails if there is no such file or more than one.
  [[nodiscard]] std::string only(const std::string& extension) const;
};

/// The content of a file; "" if it cannot be read, for instance because the process of a file in
/// /proc has ended.
[[nodiscard]] std::string read(const std::string& path);
[[nodiscard]] std::string fixture(const std::string& name);
/// `text` with every `what` replaced by `with`.
[[nodiscard]] std::string replaced(std::string text, const std::string& what,
                                   const std::string& with);

}  // namespace inferbench::testing
