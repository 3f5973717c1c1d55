// `inferbench simulate` as a child process on a free port of 127.0.0.1: a server that
// shares no thread and no memory with the client that is measured. Main thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/child_process.hpp"

namespace inferbench::calibration {

/// The server is killed with its object.
class simulated_server {
 public:
  /// Starts `program` simulate with `flags` and waits until clients can connect; `kept` is a
  /// descriptor that the child has under the same number. Its complaints go to our standard error.
  /// Ctrl-C does not reach it; it ends with this process, however that ends. Throws
  /// base::error when it does not come up.
  simulated_server(const std::string& program, std::vector<std::string> flags, int kept);

  /// "http://127.0.0.1:34567"
  [[nodiscard]] const std::string& url() const noexcept { return url_; }

  /// Asks the server to end and waits until it has; its ground truth is then complete. Throws
  /// base::error when it does not end well.
  void stop();

 private:
  void wait_until_up(base::fd output);

  std::optional<base::child_process> child_;  // nothing: it has been stopped
  std::string url_;
};

}  // namespace inferbench::calibration
