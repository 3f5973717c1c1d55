// The server under test of an experiment: started, awaited, its caches reset, stopped.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "experiment/foreground_command.hpp"

namespace inferbench::experiment {

struct server_setup {
  std::vector<std::string> command;  // with the parameters; not empty
  std::uint64_t ready_timeout_s = 300;
  command_surroundings with;  // for the server's texts; `meanwhile` is called until it is
                              // ready
  /// The longest time between two looks at the server's health. It is a quarter of the time that
  /// the server has taken so far, so that a sweep over servers that start at once is fast.
  std::chrono::milliseconds poll_interval = std::chrono::seconds(1);
};

/// A running server. It cannot outlive this process (supervise/supervised_process.hpp). Used by
/// one thread.
class server {
 public:
  /// Starts the server with $VLLM_SERVER_DEV_MODE=1, which vLLM needs for the reset of its caches,
  /// and waits until GET /health at its address (transport/server_address.hpp) has the status 200.
  /// Throws base::error if the command has no usable address, if a process listens at the address
  /// already, if the server cannot be started, and if it ends or is not ready in time, both with
  /// the last lines of its output; stopped_sweep if the user interrupts. No process is left then.
  explicit server(const server_setup& setup);
  server(const server&) = delete;
  server& operator=(const server&) = delete;
  /// Kills the server with all its processes, by SIGKILL, and waits for their end.
  ~server();

  /// "http://localhost:8000"
  [[nodiscard]] std::string address() const;
  /// Throws base::error, with the last lines of output, if the server has ended, or ends within
  /// `grace`: a server that dies breaks its connections some time before its process is gone.
  void require_alive(std::chrono::milliseconds grace = {});
  /// cache_reset.hpp describes what is done, and the errors.
  void reset_caches();

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace inferbench::experiment
