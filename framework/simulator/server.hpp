// The OpenAI-compatible server behind `inferbench simulate`. It streams answers on a
// schedule drawn from seeded distributions and logs when each event was really written,
// so that a client's figures can be compared with the truth.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "simulator/options.hpp"

namespace inferbench::base {
class clock;
class log;
}  // namespace inferbench::base

namespace inferbench::simulator {

/// Lives on the thread that calls run(), and creates none.
class server {
 public:
  /// Binds and listens: a client can connect from now on, and gets its answer once
  /// run() is called. Opens the ground-truth file. Throws base::error if the address
  /// cannot be bound or the file cannot be written. To compare stamps with a client's,
  /// `clock` must be the monotonic clock of the machine.
  /// Both references outlive the server.
  server(const options& settings, const base::clock& clock, base::log& log);
  server(const server&) = delete;
  server& operator=(const server&) = delete;
  ~server();

  /// The port that is bound, never 0.
  [[nodiscard]] std::uint16_t port() const noexcept;
  /// "http://127.0.0.1:8000"
  [[nodiscard]] std::string url() const;

  /// Serves until stop(); then closes every connection and writes the rest of the
  /// ground truth, requests that were cut short included. Call once.
  void run();

  /// Any thread, at any time after construction, and from a signal handler: makes
  /// run() return soon.
  void stop() noexcept;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace inferbench::simulator
