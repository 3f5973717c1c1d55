// The process of a server: started at a free address, awaited by GET /health, watched, killed. The
// servers of sweeps (server.hpp) and of tunings (tune/tuned_server.hpp) are made of it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "supervise/supervised_process.hpp"
#include "transport/resolver.hpp"

namespace inferbench::experiment {

/// The address of a server command (transport/server_address.hpp), at which nobody listens yet.
/// Throws base::error if the command has no usable address or is too long for the system, and if a
/// process listens at the address already; stopped_sweep if `stop` is true.
[[nodiscard]] transport::endpoint free_address(const std::vector<std::string>& command,
                                               const std::atomic<bool>& stop);

/// The wait for a server that was started.
struct readiness {
  std::uint64_t limit_s = 300;
  std::string setting = {};  // of the limit, in the error: "--server-ready-timeout"
  std::string when = {};  // after "ended with exit status 3" in the error: " before it was ready"
  /// The longest time between two looks at the server's health. It is a quarter of the time that
  /// the server has taken so far, so that servers that start at once are not waited for.
  std::chrono::milliseconds poll_interval = std::chrono::seconds(1);
  /// Called some times a second. An exception that it throws passes on. May be empty.
  std::function<void()> meanwhile = {};
};

/// A running server. It cannot outlive this process (supervise/supervised_process.hpp); the
/// destructor kills it with all its processes, by SIGKILL, and waits for their end. Used by one
/// thread.
class server_process {
 public:
  /// Starts the program. `where`: the program's free_address(). `stop` becomes true when the user
  /// interrupts; it is borrowed. Throws base::error if the program cannot be started.
  server_process(transport::endpoint where, const supervise::program& what,
                 const std::atomic<bool>& stop);

  /// Returns when GET /health has the status 200. Throws base::error, with the last lines of the
  /// server's output, if the server ends or is not ready in time, and stopped_sweep if the user
  /// interrupts; the server runs on then until the object is destroyed.
  void await_health(const readiness& with);

  [[nodiscard]] const transport::endpoint& where() const noexcept { return where_; }
  /// "http://localhost:8000"
  [[nodiscard]] std::string address() const { return where_.where.text(); }
  /// Whether the server has ended, or ends within `grace`: a server that dies breaks its
  /// connections some time before its process is gone.
  [[nodiscard]] bool has_ended(std::chrono::milliseconds grace = {});
  /// "the server vllm ended with exit status 1; the last lines of its output: ...", with `when`
  /// after the status. Only if has_ended().
  [[nodiscard]] std::string end_text(const std::string& when = {}) const;

 private:
  void wait(const readiness& with, std::chrono::steady_clock::duration elapsed);
  /// "; the last lines of its output:" and the lines, or "; it has printed nothing".
  [[nodiscard]] std::string last_lines() const;

  transport::endpoint where_;
  std::string name_;
  const std::atomic<bool>& stop_;
  std::optional<int> status_;
  supervise::supervised_process process_;
};

}  // namespace inferbench::experiment
