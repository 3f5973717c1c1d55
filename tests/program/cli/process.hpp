// The real program in a process of its own, and the simulator beside it. One thread.
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

/// A child process with its output in files.
class process {
 public:
  /// `open_files`: the limit that it has and cannot raise; 0: ours. `through`: the program and its
  /// arguments that start it, as {"nice", "-n", "10"} or in_shell(...).
  explicit process(std::vector<std::string> arguments, unsigned open_files = 0,
                   std::vector<std::string> through = {});
  process(const process&) = delete;
  process& operator=(const process&) = delete;
  ~process();  // kills what still runs

  void signal(int number) const;
  [[nodiscard]] pid_t pid() const noexcept { return pid_; }
  [[nodiscard]] bool running();
  /// Waits for its end.
  finished wait();
  /// What it has written to standard output and error so far.
  [[nodiscard]] std::string out_so_far() const;
  [[nodiscard]] std::string err_so_far() const;

 private:
  support::temporary_folder folder_;
  pid_t pid_ = -1;
  int status_ = -1;
};

/// For process: a line of bash, in which "$@" is inferbench and its arguments.
[[nodiscard]] std::vector<std::string> in_shell(std::string line);

/// inferbench with these arguments, to its end; `through` as of process.
[[nodiscard]] finished inferbench(std::vector<std::string> arguments,
                                  std::vector<std::string> through = {});

/// `inferbench simulate` on a free port, until the end of the object.
class simulator {
 public:
  explicit simulator(std::vector<std::string> flags = {});

  [[nodiscard]] const std::string& url() const { return url_; }
  /// SIGTERM, and waits: its ground truth is then complete.
  void stop();
  /// SIGKILL: the server is gone from one moment to the next.
  void kill();

 private:
  process process_;
  std::string url_;
};

class folder : public support::temporary_folder {
 public:
  /// The one file with that extension; a test failure when there is none or more.
  [[nodiscard]] std::string only(const std::string& extension) const;
};

[[nodiscard]] std::string read(const std::string& path);
[[nodiscard]] std::string fixture(const std::string& name);
/// `text` with every `what` replaced.
[[nodiscard]] std::string replaced(std::string text, const std::string& what,
                                   const std::string& with);

}  // namespace inferbench::testing
