// The host's end of the socket to a worker: a thread that reads all the time, and writes that give
// up when they should.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include <inferbench/guard.hpp>

#include "descriptor.hpp"
#include "frame.hpp"

namespace python_engine {

class connection {
 public:
  using time_point = std::chrono::steady_clock::time_point;

  struct hooks {
    /// The host's clock. [any]
    std::function<std::uint64_t()> now;
    /// Gets each frame on the reading thread, before it is queued. Returns true if it has dealt
    /// with the frame. A failure that it throws ends the connection with this failure.
    std::function<bool(const frame&)> at_once = {};
    /// The last call of the reading thread: no further frame comes. Must not throw.
    std::function<void()> on_end = {};
    /// Called on the reading thread whenever wake() was called. Must not throw.
    std::function<void()> on_wake = {};
  };

  /// Starts to read.
  connection(descriptor socket, hooks what);
  connection(const connection&) = delete;
  connection& operator=(const connection&) = delete;
  /// Calls close().
  ~connection();

  enum class sending : std::uint8_t { sent, lost, stopped };
  /// Sends all bytes, one caller at a time; the others wait. `lost`: the worker has closed the
  /// socket. `stopped`: `stop` returned true while the socket was full; it is called about ten
  /// times a second. [any]
  [[nodiscard]] sending send(std::string_view bytes, const std::function<bool()>& stop);

  /// The next queued frame; nullopt at `deadline`, and if no further frame comes (has_ended()). For
  /// one thread at a time.
  [[nodiscard]] std::optional<frame> next(time_point deadline);
  /// True if the worker's end is closed, or the worker has violated the protocol, and all frames
  /// before have been taken. [any]
  [[nodiscard]] bool has_ended() const;
  /// The violation of the protocol that ended the connection, if there was one. [any]
  [[nodiscard]] std::optional<ifb::failure> fault() const;

  /// Lets the reading thread call on_wake. [any]
  void wake() noexcept;
  /// Ends the connection as if the worker had closed the socket. [any]
  void abandon() noexcept;
  /// Closes the socket, and waits until the reading thread has ended. Not for the reading thread.
  void close() noexcept;

 private:
  void read_all() noexcept;
  void read_frames();
  void take(frame&& in);
  [[nodiscard]] bool wait_for_bytes();

  descriptor socket_;
  descriptor wake_reading_;
  descriptor wake_writing_;
  hooks hooks_;
  std::mutex writing_;
  mutable std::mutex mutex_;  // for the members below it
  std::condition_variable changed_;
  std::deque<frame> queue_;
  std::size_t queued_bytes_ = 0;
  bool ended_ = false;
  std::optional<ifb::failure> fault_;
  std::atomic<bool> closing_ = false;
  std::thread reader_;  // last member: it uses all other members
};

}  // namespace python_engine
