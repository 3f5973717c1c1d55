// A server of a tuning: started with a log file, awaited, ended.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "transport/resolver.hpp"
#include "tune/logged_process.hpp"

namespace inferbench::tune {

struct tuned_server_setup {
  logged_program program;
  std::uint64_t ready_timeout_s = 600;
  const std::atomic<bool>& stop;  // becomes true when the user interrupts; borrowed
};

/// A running server. Used by one thread.
class tuned_server {
 public:
  /// Starts the server and waits until GET /health at its address (transport/server_address.hpp)
  /// has the status 200. Throws base::error if the command has no usable address, if a process
  /// listens there already, if the server cannot be started, and if it ends or is not ready in
  /// time, both with the last lines of its output; experiment::stopped_sweep if the user
  /// interrupts. No process is left then.
  explicit tuned_server(const tuned_server_setup& setup);
  // The server ends with this object, with all its processes, by SIGKILL.

  /// "http://localhost:8004"
  [[nodiscard]] std::string address() const { return where_.where.text(); }
  /// Sends a POST without a body to the path. Returns an empty text, or what went wrong. Throws
  /// experiment::stopped_sweep.
  [[nodiscard]] std::string post(const std::string& path);
  /// Whether the server has ended, or ends within `grace`: a server that dies breaks its
  /// connections some time before its process is gone.
  [[nodiscard]] bool has_ended(std::chrono::milliseconds grace = {});
  /// "the server vllm ended with exit status 1; the last lines of its output: ...". Only if
  /// has_ended().
  [[nodiscard]] std::string end_text() const;
  [[nodiscard]] int log_problem() const noexcept { return process_.write_problem(); }

 private:
  void await_health(std::uint64_t limit_s);

  std::string name_;
  const std::atomic<bool>& stop_;
  transport::endpoint where_;
  std::optional<int> status_;
  logged_process process_;
};

}  // namespace inferbench::tune
