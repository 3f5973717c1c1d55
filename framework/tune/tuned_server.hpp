// A server of a tuning, with a file for its output.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "experiment/server_process.hpp"
#include "tune/log_file.hpp"

namespace inferbench::tune {

struct tuned_server_setup {
  std::vector<std::string> words;      // the program and its arguments; no shell
  std::vector<std::string> variables;  // NAME=value
  std::filesystem::path log;           // created, or emptied
  std::uint64_t ready_timeout_s = 600;
  const std::atomic<bool>& stop;  // becomes true when the user interrupts; borrowed
};

/// A running server. Used by one thread.
class tuned_server {
 public:
  /// Starts the server and waits until it is ready. Throws as experiment::free_address() and
  /// server_process::await_health(), and base::error if the file cannot be opened or the server
  /// cannot be started. No process is left then. The server ends with this object.
  explicit tuned_server(const tuned_server_setup& setup);

  /// "http://localhost:8004"
  [[nodiscard]] std::string address() const { return process_.address(); }
  /// Sends a POST without a body to the path. Returns an empty text, or what went wrong. Throws
  /// experiment::stopped_sweep.
  [[nodiscard]] std::string post(const std::string& path) const;
  /// As server_process.
  [[nodiscard]] bool has_ended(std::chrono::milliseconds grace = {}) {
    return process_.has_ended(grace);
  }
  [[nodiscard]] std::string end_text() const { return process_.end_text(); }
  /// As log_file::problem().
  [[nodiscard]] int log_problem() const noexcept { return log_.problem(); }

 private:
  /// `where`: the address was found before the file is opened, so a server that is refused leaves
  /// the file of an earlier server alone.
  tuned_server(transport::endpoint where, const tuned_server_setup& setup);

  const std::atomic<bool>& stop_;
  log_file log_;
  experiment::server_process process_;  // last: its thread writes to the file
};

}  // namespace inferbench::tune
