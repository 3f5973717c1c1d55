// The OpenAI-compatible server of `inferbench simulate`. It streams answers on a schedule, which it
// draws from seeded distributions. It logs when each event was really written, so that a client's
// figures can be compared with the true times.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "simulator/media_check.hpp"
#include "simulator/options.hpp"

namespace inferbench::base {
class clock;
class log;
}  // namespace inferbench::base

namespace inferbench::simulator {

/// Works on the thread that calls run(). Images, videos and sounds of requests are checked on one
/// thread more.
class server {
 public:
  /// Binds the address and listens. From now on a client can connect; it gets its answer after
  /// run() is called. Opens the ground-truth file. Throws base::error if the address cannot be
  /// bound or a file cannot be written. To compare stamps with the stamps of a client, `clock`
  /// must be the monotonic clock of the machine. `clock` and `log` must outlive the server.
  /// `inspect` decodes images, videos and sounds; any thread may call it.
  server(const options& settings, const base::clock& clock, base::log& log,
         media_inspector inspect = media::inspect);
  server(const server&) = delete;
  server& operator=(const server&) = delete;
  ~server();

  /// The bound port, never 0.
  [[nodiscard]] std::uint16_t port() const noexcept;
  /// The base URL of the server: "http://127.0.0.1:8000".
  [[nodiscard]] std::string url() const;

  /// Serves until stop() is called. After that, closes every connection, writes the rest of the
  /// ground truth, including requests that were cut short, and waits for the check of the images,
  /// videos and sounds that were received. Call this once.
  void run();

  /// Whether the files of --ground-truth and --media-facts were written without an error. Errors
  /// are logged when they happen. Call this after run().
  [[nodiscard]] bool files_complete() const noexcept;

  /// A line about the images, videos and sounds of all requests, without a line ending. Empty if
  /// there were none, or none are checked. Call this after run().
  [[nodiscard]] std::string media_summary() const;

  /// Makes run() return soon. Any thread and any signal handler may call this, at any time after
  /// construction.
  void stop() noexcept;

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace inferbench::simulator
