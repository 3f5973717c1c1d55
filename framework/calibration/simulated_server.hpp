// `inferbench simulate` as a child process on a free port of 127.0.0.1: a server that
// shares no thread and no memory with the client that is measured. Main thread.
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace inferbench::calibration {

class simulated_server {
 public:
  /// Starts `program` simulate with `flags` and waits until clients can connect; `kept` is a
  /// descriptor that the child has, too. What it complains about goes to our standard error.
  /// Ctrl-C does not reach it; it ends with this process, however that ends. Throws
  /// base::error when it does not come up.
  simulated_server(const std::string& program, std::vector<std::string> flags, int kept);
  simulated_server(const simulated_server&) = delete;
  simulated_server& operator=(const simulated_server&) = delete;
  /// Kills what still runs.
  ~simulated_server();

  /// "http://127.0.0.1:34567"
  [[nodiscard]] const std::string& url() const noexcept { return url_; }

  /// Asks it to end and waits until it has; its ground truth is then complete. Throws
  /// base::error when it does not end well.
  void stop();

 private:
  void wait_until_up(int output);
  [[nodiscard]] bool wait_for_end(int limit_ms) noexcept;
  void kill() noexcept;

  pid_t child_ = -1;
  int status_ = 0;  // of waitpid
  std::string url_;
};

}  // namespace inferbench::calibration
