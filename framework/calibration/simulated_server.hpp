// `inferbench simulate` as a child process on a free port of 127.0.0.1: a server that shares no
// thread and no memory with the measured client. Used on the main thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/child_process.hpp"

namespace inferbench::calibration {

/// The destructor kills the server.
class simulated_server {
 public:
  /// Starts `PROGRAM simulate FLAGS` and waits until clients can connect. The child inherits the
  /// descriptor `kept` under the same number. The child's error messages go to this process's
  /// standard error. Ctrl-C does not reach the child, but the child always ends when this process
  /// ends. Throws base::error if the server does not start.
  simulated_server(const std::string& program, std::vector<std::string> flags, int kept);

  /// "http://127.0.0.1:34567"
  [[nodiscard]] const std::string& url() const noexcept { return url_; }

  /// Asks the server to end and waits for its end; its ground-truth log is then complete. Throws
  /// base::error if the server fails.
  void stop();

 private:
  void wait_until_up(base::fd output);

  std::optional<base::child_process> child_;  // nullopt after stop()
  std::string url_;
};

}  // namespace inferbench::calibration
